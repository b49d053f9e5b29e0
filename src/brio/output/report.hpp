#pragma once
// report.html: one self-contained file that shows a run in any browser.

#include "brio/diagnose/liveliness.hpp"
#include "brio/output/body_series.hpp"
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

/// Additional data of each run on the page of a comparison.
struct ReportedMetrics {
  RunMetrics metrics;
  TimeSeries probe;           ///< one coordinate of its path [m]
  bool is_reference = false;  ///< shown as a curve only
};

/// References to the data of one run; they must outlive the writing of the report.
struct ReportedRun {
  std::string name;
  RunSummary summary;
  const Recording& recording;
  const Series& series;
  std::optional<ReportedMetrics> compared = {};
  const LivelinessOutput* liveliness = nullptr;  ///< of adaptive nodes; may be null
  const BodySeries* bodies = nullptr;            ///< of bodies with names; may be null or of none
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
