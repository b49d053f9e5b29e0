#pragma once
// reactions.csv: the force and the torque about the origin with which each constraint, attachment and obstacle acts on
// the bodies after each step, one line each.

#include "brio/output/csv_file.hpp"
#include "brio/scene/run.hpp"

namespace brio {

class ReactionsCsv {
 public:
  explicit ReactionsCsv(const std::filesystem::path& path);
  void write(const StepRecord& record, const Simulation& simulation);
  void archive(Archive& archive) { file_.archive(archive); }

 private:
  CsvFile file_;
};

}  // namespace brio
