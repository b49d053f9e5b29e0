#pragma once
// report.html: one file that shows a run in any browser, without a network.

#include "brio/diagnose/liveliness.hpp"
#include "brio/output/liveliness_output.hpp"
#include "brio/output/recording.hpp"
#include "brio/output/run_metrics.hpp"
#include "brio/output/series.hpp"
#include "brio/output/summary.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brio {

/// What the page of a comparison shows of each run besides.
struct ReportedMetrics {
  RunMetrics metrics;
  TimeSeries probe;           ///< one coordinate of its path [m]
  bool is_reference = false;  ///< shown as a curve only
};

/// One run, for as long as the report is written.
struct ReportedRun {
  std::string name;
  RunSummary summary;
  const Recording& recording;
  const Series& series;
  std::optional<ReportedMetrics> compared = {};
  const LivelinessOutput* liveliness = nullptr;  ///< of adaptive nodes; may be null
};

struct Report {
  std::string title;
  std::string description;
  Vec3 up = Vec3::UnitY();  ///< against gravity
  std::vector<ReportedRun> runs;
  std::string probe = {};  ///< which coordinate of what `probe` of each run is: "tip, y"
};

/// A page that compares the runs when they have metrics, and shows one run otherwise.
void write_report(const std::filesystem::path& path, const Report& report);

}  // namespace brio
