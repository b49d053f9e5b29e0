#pragma once
// energy.csv: one line a step, on disk as soon as the step is done.

#include "brio/output/file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class EnergyCsv {
 public:
  explicit EnergyCsv(const std::filesystem::path& path);
  void write(const StepRecord& record);

 private:
  OutputFile file_;
};

}  // namespace brio
