#pragma once
// report.html: one file that shows a run in any browser, without a network.

#include "brio/output/recording.hpp"
#include "brio/output/series.hpp"
#include "brio/output/summary.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace brio {

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
  Vec3 up = Vec3::UnitY();  ///< against gravity
  std::vector<ReportedRun> runs;
};

void write_report(const std::filesystem::path& path, const Report& report);

}  // namespace brio
