#include "brio/output/frames/glb.hpp"

#include "brio/core/error.hpp"
#include "brio/core/json.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

namespace brio {
namespace {

// glTF's numbers for types of components and uses of buffers.
constexpr int kFloat = 5126, kUnsigned = 5125, kForVertices = 34962, kForIndices = 34963;
constexpr size_t kHeaderBytes = 12, kChunkHeaderBytes = 8;

size_t padded(size_t bytes) { return (bytes + 3) / 4 * 4; }

Json accessor(int view, size_t offset, size_t count, const char* type, int component = kFloat) {
  return {{"bufferView", view}, {"byteOffset", offset}, {"componentType", component}, {"count", count}, {"type", type}};
}

template <class Values>
Json with_range(Json accessor, const Values& low, const Values& high) {
  accessor["min"] = low;
  accessor["max"] = high;
  return accessor;
}

Json material_json(const std::string& name) {
  return {{"name", name},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {0.32, 0.55, 0.75, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.6}}},
          {"doubleSided", true}};
}

}  // namespace

GlbWriter::GlbWriter(const std::filesystem::path& folder, const BodyTopology& body, GlbLimits limits)
    : vertices_(body.vertices), part_(body), mesh_(part_), whole_(folder / "body.glb"), slots_(folder / "body.slots") {
  if (mesh_.points.empty()) throw Error("{}: the body has nothing to draw", whole_.string());
  first_bytes_ = sizeof(float) * static_cast<size_t>(mesh_.floats());
  size_t indices = 0;
  for (const GlbBody& part : mesh_.bodies)
    for (const GlbPrimitive& primitive : part.primitives) indices += primitive.indices.size();
  most_ = static_cast<int>(std::clamp<size_t>(limits.bytes / first_bytes_, 8, std::max(8, limits.frames)));
  indices_at_ = first_bytes_;
  uv_at_ = indices_at_ + sizeof(std::uint32_t) * indices;
  animation_at_ = uv_at_ + sizeof(float) * mesh_.uv.size();

  // As long as it can become: every target there, and every number as long as a number can be.
  constexpr float kLong = -1.17549435e-38f;
  const Bounds long_bounds{{kLong, kLong, kLong}, {kLong, kLong, kLong}};
  const Target longest{0, most_, kLong, std::vector<Bounds>(mesh_.bodies.size(), long_bounds)};
  const auto targets = static_cast<size_t>(most_);
  bounds_ = longest.bounds;
  const size_t json_bytes = padded(json(std::vector<Target>(targets, longest)).size());
  if (kHeaderBytes + 2 * kChunkHeaderBytes + json_bytes + length(targets) > std::numeric_limits<std::uint32_t>::max()) {
    throw Error("{}: {} vertices are too many for glTF's 4 GiB; write \"vtu\" or \"pc2\"", whole_.string(),
                mesh_.points.size());
  }
}

void GlbWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  std::vector<float> attributes = mesh_.attributes(part_.rows(frame.x), part_.triangles);
  if (!std::all_of(attributes.begin(), attributes.end(), [](float value) { return std::isfinite(value); })) {
    throw Error("frame at {} s: a position is not a finite number, or too large for glTF", frame.time);
  }
  if (seen_ == 0) {
    create_folder(whole_.parent_path());
    file_.emplace(slots_);
    bounds_ = bounds_of(attributes);
    first_time_ = frame.time;
    first_ = std::move(attributes);
    seen_ = 1;
    compose();
    return;
  }
  const auto time = static_cast<float>(frame.time - first_time_);
  if (time <= (targets_.empty() ? 0 : targets_.back().time)) return;  // glTF's times must increase
  std::transform(attributes.begin(), attributes.end(), first_.begin(), attributes.begin(), std::minus<>());
  add_target(attributes, time);
}

void GlbWriter::finish() {
  if (!file_) return;
  compose();
  file_->close();
  remove_file(slots_);
}

/// Makes room among the targets, and says where in body.slots it is. Which targets stay depends on nothing but how many
/// frames there were.
int GlbWriter::free_a_slot() {
  if ((seen_ - 1) / stride_ == most_) stride_ *= 2;
  std::erase_if(targets_, [&](const Target& target) { return target.number % stride_ != 0; });
  std::vector<char> used(targets_.size() + 1);
  for (const Target& target : targets_)
    if (static_cast<size_t>(target.slot) < used.size()) used[static_cast<size_t>(target.slot)] = 1;
  return static_cast<int>(std::find(used.begin(), used.end(), 0) - used.begin());
}

void GlbWriter::add_target(const std::vector<float>& attributes, float time) {
  const int slot = free_a_slot();
  const std::int64_t unknown = -1, number = seen_++;
  const auto at = static_cast<long>(static_cast<size_t>(slot) * slot_bytes());
  const auto write_number = [&](std::int64_t value) {
    file_->seek(at);
    file_->write(std::span<const std::int64_t>(&value, 1));
  };
  write_number(unknown);
  file_->write(std::span<const float>(attributes));
  file_->flush();
  write_number(number);
  file_->flush();
  targets_.push_back({static_cast<int>(number), slot, time, bounds_of(attributes)});
}

/// At the time of each target its weight is one and all others are zero; in between glTF interpolates linearly.
void GlbWriter::compose() {
  file_->flush();
  const size_t targets = targets_.size();
  std::vector<float> times{0}, weights((1 + targets) * targets, 0);
  for (size_t i = 0; i < targets; ++i) {
    times.push_back(targets_[i].time);
    weights[(1 + i) * targets + i] = 1;
  }
  std::string text = json(targets_);
  text.resize(padded(text.size()), ' ');
  const auto size = [](size_t bytes) { return static_cast<std::uint32_t>(bytes); };
  constexpr std::uint32_t kGltf = 0x46546C67, kJson = 0x4E4F534A, kBin = 0x004E4942;  // "glTF", "JSON", "BIN\0"
  const std::uint32_t head[] = {kGltf, 2, size(kHeaderBytes + 2 * kChunkHeaderBytes + text.size() + length(targets)),
                                size(text.size()), kJson};
  const std::uint32_t binary[] = {size(length(targets)), kBin};
  write_whole_file(whole_, [&](OutputFile& file) {
    file.write(std::span<const std::uint32_t>(head));
    file.write(text);
    file.write(std::span<const std::uint32_t>(binary));
    file.write(std::span<const float>(first_));
    for (const GlbBody& body : mesh_.bodies)
      for (const GlbPrimitive& primitive : body.primitives)
        file.write(std::span<const std::uint32_t>(primitive.indices));
    file.write(std::span<const float>(mesh_.uv));
    file.write(std::span<const float>(times));
    file.write(std::span<const float>(weights));
    for (const Target& target : targets_)
      append_file_part(file, slots_, static_cast<size_t>(target.slot) * slot_bytes() + sizeof(std::int64_t),
                       first_bytes_);
  });
}

void GlbWriter::archive(Archive& archive) {
  if (file_ && !archive.loading()) {
    file_->sync();
    compose();
    sync_file(whole_);
  }
  archive(seen_, stride_, first_time_, first_, bounds_, targets_);
  if (!archive.loading() || seen_ == 0) return;
  if (!std::filesystem::exists(slots_)) take_apart();
  find_slots();
  file_.emplace(slots_, std::filesystem::file_size(slots_));
}

void GlbWriter::take_apart() {
  std::uint32_t json_bytes = 0;
  std::ifstream in(whole_, std::ios::binary);
  in.seekg(kHeaderBytes);
  in.read(reinterpret_cast<char*>(&json_bytes), sizeof json_bytes);
  in.seekg(kHeaderBytes + kChunkHeaderBytes);
  std::string text(json_bytes, ' ');
  if (!in.read(text.data(), json_bytes))
    throw Error("{}: cannot continue the file: it cannot be read", whole_.string());
  const auto numbers = Json::parse(text)["extras"]["frames"].get<std::vector<double>>();
  const size_t begin = kHeaderBytes + 2 * kChunkHeaderBytes + json_bytes + targets_at(numbers.size());
  write_whole_file(slots_, [&](OutputFile& file) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      const auto number = static_cast<std::int64_t>(numbers[i]);
      file.write(std::span<const std::int64_t>(&number, 1));
      append_file_part(file, whole_, begin + i * first_bytes_, first_bytes_);
    }
  });
}

void GlbWriter::find_slots() {
  std::map<std::int64_t, int> slot_of;
  std::ifstream in(slots_, std::ios::binary);
  for (int slot = 0; in.seekg(static_cast<std::streamoff>(static_cast<size_t>(slot) * slot_bytes())); ++slot) {
    std::int64_t number = -1;
    if (!in.read(reinterpret_cast<char*>(&number), sizeof number)) break;
    slot_of[number] = slot;
  }
  std::erase_if(targets_, [&](const Target& target) { return !slot_of.contains(target.number); });
  for (Target& target : targets_) target.slot = slot_of[target.number];
}

std::vector<GlbWriter::Bounds> GlbWriter::bounds_of(const std::vector<float>& attributes) const {
  std::vector<Bounds> all;
  for (const GlbBody& body : mesh_.bodies) {
    Bounds& bounds = all.emplace_back();
    for (size_t k = 0; k < 3; ++k) {
      bounds.low[k] = bounds.high[k] = attributes[3 * body.first + k];
      for (size_t i = body.first + 1; i < body.first + body.count; ++i) {
        bounds.low[k] = std::min(bounds.low[k], attributes[3 * i + k]);
        bounds.high[k] = std::max(bounds.high[k], attributes[3 * i + k]);
      }
    }
  }
  return all;
}

std::string GlbWriter::json(const std::vector<Target>& targets) const {
  const size_t n = mesh_.points.size(), normals_at = 3 * sizeof(float) * n;
  Json views = {
      {{"buffer", 0}, {"byteLength", first_bytes_}, {"byteStride", 12}, {"target", kForVertices}},
      {{"buffer", 0}, {"byteOffset", indices_at_}, {"byteLength", uv_at_ - indices_at_}, {"target", kForIndices}}};
  Json accessors = Json::array();
  const auto add = [](Json& list, Json item) {
    list.push_back(std::move(item));
    return static_cast<int>(list.size()) - 1;
  };
  const size_t bodies = mesh_.bodies.size();
  const auto attributes = [&](int view, size_t frame_at, size_t b, const std::vector<Bounds>& bounds) {
    const GlbBody& body = mesh_.bodies[b];
    const size_t at = frame_at + 3 * sizeof(float) * body.first;
    Json places = {{"POSITION",
                    add(accessors, with_range(accessor(view, at, body.count, "VEC3"), bounds[b].low, bounds[b].high))}};
    if (body.has_normals) places["NORMAL"] = add(accessors, accessor(view, at + normals_at, body.count, "VEC3"));
    return places;
  };

  std::vector<Json> first(bodies), morphs(bodies, Json::array());
  for (size_t b = 0; b < bodies; ++b) first[b] = attributes(0, 0, b, bounds_);
  if (!mesh_.uv.empty()) {
    const int view =
        add(views,
            {{"buffer", 0}, {"byteOffset", uv_at_}, {"byteLength", animation_at_ - uv_at_}, {"target", kForVertices}});
    first.front()["TEXCOORD_0"] = add(accessors, accessor(view, 0, n, "VEC2"));
  }
  Json animations;
  if (!targets.empty()) {
    const int times =
        add(views,
            {{"buffer", 0}, {"byteOffset", animation_at_}, {"byteLength", targets_at(targets.size()) - animation_at_}});
    const int slots = add(views, {{"buffer", 0},
                                  {"byteOffset", targets_at(targets.size())},
                                  {"byteLength", targets.size() * first_bytes_},
                                  {"byteStride", 12},
                                  {"target", kForVertices}});
    for (size_t b = 0; b < bodies; ++b)
      for (size_t i = 0; i < targets.size(); ++i)
        morphs[b].push_back(attributes(slots, i * first_bytes_, b, targets[i].bounds));
    const size_t keys = 1 + targets.size();
    const int input = add(
        accessors, with_range(accessor(times, 0, keys, "SCALAR"), std::array{0.f}, std::array{targets.back().time}));
    const int output = add(accessors, accessor(times, sizeof(float) * keys, keys * targets.size(), "SCALAR"));
    Json channels = Json::array();
    for (size_t b = 0; b < bodies; ++b)
      channels.push_back({{"sampler", 0}, {"target", {{"node", b}, {"path", "weights"}}}});
    animations =
        Json::array({{{"name", "motion"},
                      {"samplers", Json::array({{{"input", input}, {"output", output}, {"interpolation", "LINEAR"}}})},
                      {"channels", std::move(channels)}}});
  }

  Json meshes = Json::array(), nodes = Json::array(), roots = Json::array(), materials = Json::array();
  size_t indices_at = 0;
  for (size_t b = 0; b < bodies; ++b) {
    Json primitives = Json::array();
    for (const GlbPrimitive& primitive : mesh_.bodies[b].primitives) {
      const size_t count = primitive.indices.size();
      const int indices = add(accessors, accessor(1, indices_at, count, "SCALAR", kUnsigned));
      indices_at += sizeof(std::uint32_t) * count;
      const int material = add(materials, material_json(primitive.material));
      Json made = {{"attributes", first[b]}, {"indices", indices}, {"material", material}, {"mode", primitive.mode}};
      if (!targets.empty()) made["targets"] = morphs[b];
      primitives.push_back(std::move(made));
    }
    roots.push_back(b);
    nodes.push_back({{"name", mesh_.bodies[b].name}, {"mesh", b}});
    meshes.push_back({{"name", mesh_.bodies[b].name}, {"primitives", std::move(primitives)}});
  }
  Json root = {{"asset", {{"version", "2.0"}, {"generator", "brio"}}},
               {"scene", 0},
               {"scenes", Json::array({{{"nodes", std::move(roots)}}})},
               {"nodes", std::move(nodes)},
               {"meshes", std::move(meshes)},
               {"materials", std::move(materials)},
               {"accessors", std::move(accessors)},
               {"bufferViews", std::move(views)},
               {"buffers", Json::array({{{"byteLength", length(targets.size())}}})}};
  std::vector<int> numbers;
  for (const Target& target : targets) numbers.push_back(target.number);
  root["extras"] = {{"frames", numbers}};  // by which another process continues them
  if (!animations.is_null()) root["animations"] = std::move(animations);
  return root.dump();
}

}  // namespace brio
