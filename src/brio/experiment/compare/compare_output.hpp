#pragma once
// The output folder of a comparison: compare.json, compare.csv, compare_series.csv and compare.html.

#include "brio/experiment/compare/compare.hpp"
#include "brio/output/energy_csv.hpp"

#include <map>

namespace brio {

class CompareOutput {
 public:
  /// Creates the folder. Of curves that are there, those of the runs of `kept` stay, each up to its step.
  explicit CompareOutput(std::filesystem::path folder, const std::map<std::string, int>& kept = {});

  /// Writes the curves of a step and flushes them.
  void on_step(const PlannedRun& run, const StepRecord& record) { series_.write(record, run.label); }
  /// Writes everything else after each run, so that a crash loses no earlier run.
  void write(const ComparePlan& plan, const Comparison& comparison) const;

 private:
  void write_json(const ComparePlan& plan, const Comparison& comparison) const;
  void write_csv(const Comparison& comparison) const;
  void write_page(const ComparePlan& plan, const Comparison& comparison) const;

  std::filesystem::path folder_;
  EnergyCsv series_;
};

}  // namespace brio
