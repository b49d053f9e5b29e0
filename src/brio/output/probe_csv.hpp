#pragma once
// probe.csv: where the scene's probe is after each step, flushed after each step.

#include "brio/output/csv_file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class ProbeCsv {
 public:
  explicit ProbeCsv(const std::filesystem::path& path);
  void write(const StepRecord& record);
  void archive(Archive& archive) { file_.archive(archive); }

 private:
  CsvFile file_;
};

}  // namespace brio
