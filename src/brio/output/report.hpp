#pragma once
// report.html: one file that shows a run in any browser, without a network.

#include "brio/output/recording.hpp"
#include "brio/output/series.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace brio {

/// The numbers beside the picture.
struct RunSummary {
  std::string integrator;
  std::string status;   ///< "finished", "diverged" or "interrupted"
  std::string message;  ///< when it did not finish: what happened and what to try
  int vertices = 0;
  int elements = 0;
  double h = 0;  ///< [s]
  int steps = 0;
  double wall_s = 0;                                     ///< [s]
  double step_ms_median = 0;                             ///< [ms]
  double step_ms_p95 = 0;                                ///< [ms]
  std::vector<std::pair<std::string, double>> phase_ms;  ///< mean per step of each phase [ms]
  double peak_rss_mb = 0;                                ///< [MB]
};

/// One run, for as long as the report is written.
struct ReportedRun {
  std::string name;
  RunSummary summary;
  const Recording& recording;
  const Series& series;
};

struct Report {
  std::string title;
  std::string description;
  Vec3 up = Vec3::UnitZ();  ///< against gravity
  std::vector<ReportedRun> runs;
};

void write_report(const std::filesystem::path& path, const Report& report);

}  // namespace brio
