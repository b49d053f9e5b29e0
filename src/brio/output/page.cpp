#include "brio/output/page.hpp"

#include "brio/core/error.hpp"
#include "brio/core/json.hpp"
#include "brio/output/report_template.hpp"

namespace brio {
namespace {

Json byte_field(const ByteField& field) {
  return {{"most", field.most}, {"value", encode(field.value.data(), field.value.size())}};
}

Json frame_json(const RecordedFrame& f) {
  Json obstacles = Json::array();
  for (const Placement& p : f.obstacles) obstacles.push_back(placement_json(p));
  Json json = {{"time", f.time},
               {"part", f.part},
               {"low", vec_json(f.low)},
               {"size", vec_json(f.size)},
               {"position", encode(f.position.data(), f.position.size())},
               {"speed", byte_field(f.speed)},
               {"strain", byte_field(f.strain)},
               {"obstacles", obstacles}};
  if (!f.stress.value.empty()) json["stress"] = byte_field(f.stress);
  if (!f.stretch.value.empty()) json["stretch"] = byte_field(f.stretch), json["squeeze"] = byte_field(f.squeeze);
  if (!f.contact.value.empty()) json["contact"] = byte_field(f.contact);
  if (!f.nodes.awake.empty())
    json["nodes"] = {{"awake", std::vector<int>(f.nodes.awake.begin(), f.nodes.awake.end())}, {"rate", f.nodes.rate}};
  return json;
}

}  // namespace

Json placement_json(const Placement& p) {
  const auto& q = p.rotation;
  return {p.position[0], p.position[1], p.position[2], q.x(), q.y(), q.z(), q.w()};
}

Json obstacle_json(const DrawnObstacle& o) {
  static constexpr const char* kNames[] = {"half_space", "sphere", "torus", "box", "mesh"};
  Json json = {{"shape", kNames[static_cast<int>(o.kind)]}, {"size", vec_json(o.size)}};
  if (o.surface) {
    const std::vector<float> points(o.surface->X.data(), o.surface->X.data() + o.surface->X.size());
    json["points"] = encode(points.data(), points.size());
    json["triangles"] = encode(o.surface->triangles.data(), o.surface->triangles.size());
  }
  return json;
}

Json drawn_part_json(const DrawnPart& part) {
  Json json = {{"triangles", encode(part.triangles.data(), part.triangles.size())},
               {"edges", encode(part.edges.data(), part.edges.size())}};
  if (!part.node_region.empty()) json["regions"] = encode(part.node_region.data(), part.node_region.size());
  if (!part.body.empty()) json["bodies"] = encode(part.body.data(), part.body.size());
  return json;
}

void write_page(const std::filesystem::path& path, std::string_view page,
                const std::function<void(OutputFile&)>& fill) {
  const size_t mark = page.find(kReportDataMark);
  if (mark == page.npos) throw Error("{}: the page has no place for the data", path.string());
  write_whole_file(path, [&](OutputFile& file) {
    file.write(page.substr(0, mark));
    fill(file);
    file.write(page.substr(mark + kReportDataMark.size()));
  });
}

std::string script_text(const Json& json) {
  const std::string plain = json.dump();
  std::string text;
  for (char c : plain) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

Json vec_json(const Vec3& v) { return {v[0], v[1], v[2]}; }

/// Frames go out one by one: they are most of the file, and need not be in memory twice.
void write_recording(OutputFile& file, Json head, const Recording& recording) {
  if (!recording.part().body_names.empty()) head["bodies"] = recording.part().body_names;
  head["parts"] = Json::array();
  for (const DrawnPart& part : recording.parts()) head["parts"].push_back(drawn_part_json(part));
  head["obstacles"] = Json::array();
  for (const DrawnObstacle& o : recording.obstacles()) head["obstacles"].push_back(obstacle_json(o));
  const std::vector<const RecordedFrame*> frames = recording.frames();
  if (recording.seen() > frames.size()) head["frames_seen"] = recording.seen();
  write_with_list(file, head, "frames", frames.size(),
                  [&](size_t i) { file.write(script_text(frame_json(*frames[i]))); });
}

void write_with_list(OutputFile& file, const Json& head, std::string_view key, size_t count,
                     const std::function<void(size_t)>& item) {
  std::string text = script_text(head);
  text.pop_back();
  file.write(text + ",\"" + std::string(key) + "\":[");
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) file.write(",\n");
    item(i);
  }
  file.write("]}");
}

}  // namespace brio
