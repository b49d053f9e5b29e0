#pragma once
// The checkpoints of a comparison: each of its runs has a folder of its own, compare_runs/0, compare_runs/1 …, as one
// that runs alone has; the reference has compare_runs/reference.

#include "brio/experiment/compare/compare_plan.hpp"
#include "brio/output/checkpoint.hpp"

#include <map>

namespace brio {

class CompareCheckpoints {
 public:
  CompareCheckpoints(const ComparePlan& plan, std::filesystem::path folder, std::string version);

  /// Takes the checkpoints of an earlier comparison away.
  void forget() const;
  /// Finds what is stored of the comparison. Throws Error, naming what differs, where it is of another one.
  void find_stored();
  /// The label of each stored run, and how many of its steps are stored.
  std::map<std::string, int> stored_steps() const;

  /// Notes that the run begins. Returns what is stored of it, or "".
  std::string begin(const PlannedRun& run, const Simulation& simulation);
  void write(const PlannedRun& run, int step, double time, const std::string& bytes) const;

 private:
  std::filesystem::path folder_of(const PlannedRun& run) const;

  const ComparePlan& plan_;
  std::filesystem::path folder_;
  std::string version_;
  std::map<const PlannedRun*, StoredRun> stored_;
  std::map<const PlannedRun*, Checkpoints> begun_;
};

}  // namespace brio
