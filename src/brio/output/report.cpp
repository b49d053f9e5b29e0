#include "brio/output/report.hpp"

#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"

#include <nlohmann/json.hpp>

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

Json series_json(const Series& series) {
  const std::vector<Series::Row> rows = series.rows();
  Json json = Json::object();
  for (size_t column = 0; column < Series::columns.size(); ++column) {
    std::vector<double> values;
    for (const Series::Row& row : rows) values.push_back(row[column]);
    json[std::string(Series::columns[column])] = encode(values.data(), values.size());
  }
  return json;
}

}  // namespace

void write_report(const std::filesystem::path& path, const Report& report) {
  write_page(path, report_template(), [&](OutputFile& file) {
    const Json head = {{"title", report.title}, {"description", report.description}, {"up", vec_json(report.up)}};
    write_with_list(file, head, "runs", report.runs.size(), [&](size_t i) {
      const ReportedRun& run = report.runs[i];
      write_recording(file,
                      {{"name", run.name}, {"summary", to_json(run.summary)}, {"series", series_json(run.series)}},
                      run.recording);
    });
  });
}

}  // namespace brio
