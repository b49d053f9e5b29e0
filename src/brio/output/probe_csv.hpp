#pragma once
// probe.csv: where the scene's probe is after each step, flushed after each step.

#include "brio/core/file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class ProbeCsv {
 public:
  explicit ProbeCsv(const std::filesystem::path& path);
  void write(const StepRecord& record);

 private:
  OutputFile file_;
};

}  // namespace brio
