#include "brio/output/report.hpp"

#include "brio/core/json.hpp"
#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"
#include "brio/output/run_recorder.hpp"

namespace brio {
namespace {

Json series_json(const Series& series) {
  const std::vector<Series::Row> rows = series.rows();
  Json json = Json::object();
  for (size_t column = 0; column < series.columns().size(); ++column) {
    std::vector<double> values;
    for (const Series::Row& row : rows) values.push_back(row[column]);
    json[series.columns()[column]] = encode(values.data(), values.size());
  }
  return json;
}

/// Long paths are thinned to about what a chart can show.
Json path_json(const TimeSeries& path) {
  constexpr size_t kMostPoints = 4000;
  const size_t stride = 1 + path.value.size() / kMostPoints;
  std::vector<double> time, value;
  for (size_t i = 0; i < path.value.size(); i += stride) {
    time.push_back(path.time[i]);
    value.push_back(path.value[i]);
  }
  return {{"time", encode(time.data(), time.size())}, {"value", encode(value.data(), value.size())}};
}

void write_run(OutputFile& file, const ReportedRun& run) {
  Json head = {{"name", run.name}, {"summary", to_json(run.summary)}, {"series", series_json(run.series)}};
  for (const Extra& curve : page_curves())
    head["extras"].push_back({{"name", curve.name}, {"meaning", curve.meaning}, {"unit", curve.unit}});
  if (run.compared) {
    add_to(head["metrics"], run.compared->metrics);
    head["probe"] = path_json(run.compared->probe);
    head["reference"] = run.compared->is_reference;
  }
  if (run.liveliness) head["liveliness"] = run.liveliness->to_json();
  if (run.bodies && run.bodies->bodies() > 0) head["body_series"] = run.bodies->to_json();
  write_recording(file, std::move(head), run.recording);
}

}  // namespace

void write_report(const std::filesystem::path& path, const Report& report) {
  write_page(path, report_template(), [&](OutputFile& file) {
    const Json head = {{"title", report.title},
                       {"description", report.description},
                       {"up", vec_json(report.up)},
                       {"probe", report.probe}};
    write_with_list(file, head, "runs", report.runs.size(), [&](size_t i) { write_run(file, report.runs[i]); });
  });
}

}  // namespace brio
