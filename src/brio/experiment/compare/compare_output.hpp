#pragma once
// The folder that a comparison leaves behind: compare.json, compare.csv, compare_series.csv and compare.html.

#include "brio/experiment/compare/compare.hpp"
#include "brio/output/energy_csv.hpp"

namespace brio {

class CompareOutput {
 public:
  /// Creates the folder.
  explicit CompareOutput(std::filesystem::path folder);

  /// The curves are on disk as soon as a step is done.
  void on_step(const PlannedRun& run, const StepRecord& record) { series_.write(record, run.label); }
  /// Everything else, after each run, so that no run can take an earlier one with it.
  void write(const ComparePlan& plan, const Comparison& comparison) const;

 private:
  void write_json(const ComparePlan& plan, const Comparison& comparison) const;
  void write_csv(const Comparison& comparison) const;
  void write_page(const ComparePlan& plan, const Comparison& comparison) const;

  std::filesystem::path folder_;
  EnergyCsv series_;
};

}  // namespace brio
