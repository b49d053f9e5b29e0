#include "brio/live/wire.hpp"

#include "brio/output/drawn_simulation.hpp"
#include "brio/output/page.hpp"

#include <cstring>

namespace brio {
namespace {

Json drawn_run(const LiveRun& run) {
  const DrawnPart& part = run.drawn();
  Json json = drawn_part_json(part);
  json["name"] = run.label();
  json["topology"] = run.topology();
  json["vertices"] = part.vertices.size();
  json["names"] = part.body_names;
  json["mesh_vertices"] = run.simulation().vertices();
  json["elements"] = run.simulation().elements();
  json["element_name"] = run.simulation().element_name();
  json["notes"] = run.simulation().notes;
  json["obstacles"] = Json::array();
  for (const DrawnObstacle& obstacle : run.recorder().recording().obstacles())
    json["obstacles"].push_back(obstacle_json(obstacle));
  return json;
}

}  // namespace

Json scene_message(const Session& session) {
  const Scene& scene = session.runs().front()->scene();
  Json json = {{"type", "scene"},
               {"title", scene.name.empty() ? scene.file.stem().string() : scene.name},
               {"description", scene.description},
               {"up", vec_json(up_direction(scene))},
               {"columns", chart_columns()},
               {"runs", Json::array()}};
  for (const auto& run : session.runs()) json["runs"].push_back(drawn_run(*run));
  return json;
}

Json parameters_message(const Session& session) {
  Json json = {{"type", "parameters"}, {"strength", session.strength()}, {"runs", Json::array()}};
  for (size_t r = 0; r < session.runs().size(); ++r) {
    Json all = Json::array();
    for (const Parameter& parameter : session.parameters(r)) all.push_back(to_json(parameter));
    const LiveRun& run = *session.runs()[r];
    json["runs"].push_back({{"name", run.label()}, {"parameters", all}});
  }
  return json;
}

const std::vector<std::string>& chart_columns() {
  static const std::vector<std::string> columns = {"time",     "kinetic",   "elastic",   "gravity",   "contact",
                                                   "total",    "expected",  "injected",  "linear_x",  "linear_y",
                                                   "linear_z", "angular_x", "angular_y", "angular_z", "step_ms"};
  return columns;
}

Json chart_row(const LiveRun& run) {
  const StepRecord& r = run.stepper().now();
  const Vec3 &p = r.momentum.linear, &l = r.momentum.angular;
  return {r.time,
          r.kinetic,
          r.potentials.elastic,
          r.potentials.gravity,
          r.potentials.contact,
          r.total(),
          run.result().initial_energy + r.injected - r.dissipated,
          r.injected,
          p[0],
          p[1],
          p[2],
          l[0],
          l[1],
          l[2],
          r.step_ms};
}

Json history_message(const Session& session) {
  constexpr size_t kMostRows = 400;
  Json json = {{"type", "history"}, {"runs", Json::array()}};
  for (const auto& run : session.runs()) {
    const Series& series = run->recorder().series();
    const std::vector<Series::Row> rows = series.rows();
    std::vector<int> column;  // of the series, or -1
    for (const std::string& name : chart_columns()) {
      const auto at = std::find(series.columns().begin(), series.columns().end(), name);
      column.push_back(at == series.columns().end() ? -1 : static_cast<int>(at - series.columns().begin()));
    }
    Json all = Json::array();
    const size_t stride = 1 + rows.size() / kMostRows;
    for (size_t i = 0; i < rows.size(); i += stride) {
      Json row = Json::array();
      for (int c : column) row.push_back(c < 0 ? Json() : Json(rows[i][c]));
      all.push_back(std::move(row));
    }
    json["runs"].push_back(std::move(all));
  }
  return json;
}

std::string frame_message(const Session& session) {
  Json head = {{"time", session.time()}, {"runs", Json::array()}};
  size_t floats = 0;
  for (const auto& run : session.runs()) {
    Json holds = Json::array(), obstacles = Json::array(), pins = Json::array();
    for (const Hand::Hold& hold : run->hand().holds()) {
      if (!hold.active) continue;
      holds.push_back({{"point", vec_json(hold.grip.point.mean(run->stepper().x()))},
                       {"target", vec_json(hold.target)},
                       {"force", vec_json(hold.force)},
                       {"owner", hold.owner}});
    }
    for (const Placement& placement : placements_at(run->simulation(), run->time()))
      obstacles.push_back(placement_json(placement));
    for (const Pin& pin : run->pins()) pins.push_back(vec_json(pin.point.mean(run->stepper().x())));
    head["runs"].push_back({{"topology", run->topology()},
                            {"vertices", run->drawn().vertices.size()},
                            {"time", run->time()},
                            {"obstacles", std::move(obstacles)},
                            {"holds", std::move(holds)},
                            {"pins", std::move(pins)}});
    floats += 3 * run->drawn().vertices.size();
  }
  std::string text = head.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string bytes(sizeof length + text.size() + floats * sizeof(float), '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  std::memcpy(bytes.data() + sizeof length, text.data(), text.size());
  char* at = bytes.data() + sizeof length + text.size();
  for (const auto& run : session.runs()) {
    const std::vector<float> x = run->drawn().gather(run->stepper().x());
    std::memcpy(at, x.data(), x.size() * sizeof(float));
    at += x.size() * sizeof(float);
  }
  return bytes;
}

}  // namespace brio
