#pragma once
// Runs a comparison: the reference if there is one, then each method, one after the other in one process. A run
// that diverges or fails does not affect the others.

#include "brio/diagnose/liveliness.hpp"
#include "brio/diagnose/path_error.hpp"
#include "brio/experiment/compare/compare_plan.hpp"
#include "brio/output/run_metrics.hpp"
#include "brio/output/run_recorder.hpp"
#include "brio/output/summary.hpp"

namespace brio {

/// The energy books after a step.
struct BooksAt {
  int step = 0;
  double time = 0;                                 ///< [s]
  double total = 0, injected = 0, dissipated = 0;  ///< [J]

  static BooksAt of(const StepRecord& record) {
    return {record.step, record.time, record.total(), record.injected, record.dissipated};
  }
  void archive(Archive& archive) { archive(step, time, total, injected, dissipated); }
};

/// One run of a comparison and what was measured on it.
struct ComparedRun {
  const PlannedRun* plan = nullptr;
  RunSummary summary;  ///< status "failed" when it could not be run at all
  RunMetrics metrics;
  RunRecorder recorder;  ///< of the reference only the curves
  Path probe;
  double lowest_potential = 0;  ///< [J]
  BooksAt start, last;
  PathError error;

  /// Whether it finished or was interrupted, so that its numbers are meaningful.
  bool has_results() const { return summary.finished() || summary.status == "interrupted"; }
  /// What is gathered while it runs.
  void archive(Archive& archive) { archive(recorder, probe, lowest_potential, start, last, error); }
};

struct Comparison {
  std::vector<ComparedRun> runs;  ///< those that have begun, in the order asked for
  std::optional<ComparedRun> reference;
  std::string probe;  ///< "tip", or "vertex 17"
  int axis = 0;       ///< along which the probe moves most
  bool interrupted = false;

  /// Whether errors against the reference are known.
  bool has_errors() const { return reference && reference->has_results(); }
  bool any_failed() const;  ///< the reference included
};

struct CompareListener {
  std::function<void(const PlannedRun&, const Simulation&)> on_begin;
  std::function<void(const PlannedRun&, const StepRecord&)> on_step;
  /// After each run, with the metrics of all so far.
  std::function<void(const ComparedRun&, const Comparison&)> on_end;
  std::function<bool()> stop;  ///< true ends the run that goes on, and the comparison
  /// Asked before each run but the first, and after each of its steps: true leaves it out, or what is left of it; the
  /// others go on.
  std::function<bool(const PlannedRun&)> skip;
  /// Asked after the last run for one more, which must outlive the result; null when there is none.
  std::function<const PlannedRun*(const Comparison&)> next;
  /// Asked before a run for the bytes of on_checkpoint() that it is to go on from; "" where it begins.
  std::function<std::string(const PlannedRun&, const Simulation&)> stored;
  std::function<bool(int step)> checkpoint_due;  ///< as in RunListener
  std::function<void(const PlannedRun&, const StepRecord&, const std::string& bytes)> on_checkpoint;
};

/// The plan must outlive the result. Throws Error when the scene itself is refused.
Comparison compare(const ComparePlan& plan, const CompareListener& listener);

}  // namespace brio
