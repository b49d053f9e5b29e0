#pragma once
// bodies.csv: energy, momentum and center of each body after each step, one line a body, of a scene with "bodies".

#include "brio/core/file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class BodiesCsv {
 public:
  BodiesCsv(const std::filesystem::path& path, std::vector<std::string> names);
  void write(const StepRecord& record);

 private:
  OutputFile file_;
  std::vector<std::string> names_;
};

}  // namespace brio
