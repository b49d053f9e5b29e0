#pragma once
// energy.csv: one line per step, flushed after each step.

#include "brio/output/csv_file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class EnergyCsv {
 public:
  /// With `several_runs` the first column says which run a row belongs to.
  explicit EnergyCsv(const std::filesystem::path& path, bool several_runs = false);
  void write(const StepRecord& record, const std::string& run = "");
  void archive(Archive& archive) { file_.archive(archive); }
  /// Goes on with the file that is there, of which only these lines stay.
  void keep(const std::function<bool(const std::string& line)>& stays) { file_.keep(stays); }

 private:
  bool several_runs_;
  std::vector<Extra> curves_;  ///< the last columns, empty for methods that do not have them
  CsvFile file_;
};

}  // namespace brio
