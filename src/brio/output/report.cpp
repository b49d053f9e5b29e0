#include "brio/output/report.hpp"

#include "brio/core/error.hpp"
#include "brio/output/base64.hpp"
#include "brio/output/file.hpp"
#include "brio/output/report_template.hpp"

#include <nlohmann/json.hpp>

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

/// JSON that may stand in a <script>: no "<" can open or close an element, and bytes that are not UTF-8 are replaced.
std::string script_text(const Json& json) {
  const std::string plain = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (char c : plain) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

template <class T>
std::string encode(const T* data, size_t count) {
  return base64(std::as_bytes(std::span(data, count)));
}

Json vec(const Vec3& v) { return {v[0], v[1], v[2]}; }

Json pose(const Placement& p) {
  const auto& q = p.rotation;
  return {p.position[0], p.position[1], p.position[2], q.x(), q.y(), q.z(), q.w()};
}

Json obstacle(const DrawnObstacle& o) {
  static constexpr const char* kNames[] = {"half_space", "sphere", "torus", "box"};
  return {{"shape", kNames[static_cast<int>(o.kind)]}, {"size", vec(o.size)}};
}

Json byte_field(const ByteField& field) {
  return {{"most", field.most}, {"value", encode(field.value.data(), field.value.size())}};
}

Json frame_json(const RecordedFrame& f) {
  Json obstacles = Json::array();
  for (const Placement& p : f.obstacles) obstacles.push_back(pose(p));
  return {{"time", f.time},
          {"low", vec(f.low)},
          {"size", vec(f.size)},
          {"position", encode(f.position.data(), f.position.size())},
          {"speed", byte_field(f.speed)},
          {"strain", byte_field(f.strain)},
          {"obstacles", obstacles}};
}

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

/// Frames go out one by one: they are most of the file, and need not be in memory twice.
void write_run(OutputFile& file, const ReportedRun& run) {
  const DrawnPart& part = run.recording.part();
  Json head = {{"name", run.name},
               {"summary", to_json(run.summary)},
               {"triangles", encode(part.triangles.data(), part.triangles.size())},
               {"edges", encode(part.edges.data(), part.edges.size())},
               {"obstacles", Json::array()},
               {"series", series_json(run.series)}};
  if (run.compared) {
    add_to(head["metrics"], run.compared->metrics);
    head["probe"] = path_json(run.compared->probe);
    head["reference"] = run.compared->is_reference;
  }
  for (const DrawnObstacle& o : run.recording.obstacles()) head["obstacles"].push_back(obstacle(o));
  std::string text = script_text(head);
  text.pop_back();
  file.write(text + ",\"frames\":[");
  std::string_view separator;
  for (const RecordedFrame* frame : run.recording.frames()) {
    file.write(separator);
    file.write(script_text(frame_json(*frame)));
    separator = ",\n";
  }
  file.write("]}");
}

}  // namespace

void write_report(const std::filesystem::path& path, const Report& report) {
  const std::string_view page = report_template();
  const size_t mark = page.find(kReportDataMark);
  if (mark == page.npos) throw Error("{}: the page has no place for the data", path.string());
  write_whole_file(path, [&](OutputFile& file) {
    file.write(page.substr(0, mark));
    const Json head = {
        {"title", report.title}, {"description", report.description}, {"up", vec(report.up)}, {"probe", report.probe}};
    std::string text = script_text(head);
    text.pop_back();
    file.write(text + ",\"runs\":[");
    std::string_view separator;
    for (const ReportedRun& run : report.runs) {
      file.write(separator);
      write_run(file, run);
      separator = ",";
    }
    file.write("]}");
    file.write(page.substr(mark + kReportDataMark.size()));
  });
}

}  // namespace brio
