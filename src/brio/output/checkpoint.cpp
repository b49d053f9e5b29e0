#include "brio/output/checkpoint.hpp"

#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/join.hpp"
#include "brio/core/log.hpp"
#include "brio/core/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <zlib.h>

namespace brio {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic = "brio checkpoint\n";
constexpr int kLayout = 2;  // of the archive

unsigned long checksum(std::string_view bytes, unsigned long so_far = 0) {
  return crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

Json head_json(const RunIdentity& identity, int step, double time) {
  return {{"brio", identity.version},
          {"layout", kLayout},
          {"step", step},
          {"time", time},
          {"scene_file", identity.scene_file.string()},
          {"bodies", identity.bodies},
          {"scene", Json::parse(identity.scene)}};
}

StoredRun read_head(const Json& head) {
  if (head.at("layout").get<int>() != kLayout)
    throw Error("layout {} of another version of brio ({})", head.at("layout").get<int>(),
                head.at("brio").get<std::string>());
  return {{head.at("brio").get<std::string>(), head.at("scene_file").get<std::string>(), head.at("scene").dump(),
           head.at("bodies").get<std::string>()},
          head.at("step").get<int>(),
          head.at("time").get<double>(),
          ""};
}

StoredRun read_checkpoint(const fs::path& file) {
  const std::string bytes = read_text(file);
  const size_t end = bytes.find('\n', kMagic.size());
  if (!bytes.starts_with(kMagic) || end == bytes.npos) throw Error("it is no checkpoint");
  const std::string line = bytes.substr(kMagic.size(), end - kMagic.size());
  const Json head = Json::parse(line);
  StoredRun run = read_head(head);
  run.stored = bytes.substr(end + 1);
  if (run.stored.size() != head.at("bytes").get<size_t>() ||
      checksum(run.stored) != head.at("crc32").get<unsigned long>())
    throw Error("it is damaged");
  return run;
}

bool is_checkpoint(const std::string& name) { return name.starts_with("checkpoint_") && name.ends_with(".brio"); }

/// Newest first.
std::vector<fs::path> checkpoint_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (is_checkpoint(entry.path().filename().string())) files.push_back(entry.path());
  }
  std::sort(files.rbegin(), files.rend());
  return files;
}

std::string shown(const Json* value) {
  if (!value) return "not given";
  const std::string text = value->dump();
  return text.size() <= 60 ? text : text.substr(0, 57) + "…";
}

/// "integrator.h: 0.01 then, 0.005 now", for each value that differs.
void find_differences(const Json* then, const Json* now, const std::string& path, std::vector<std::string>& found) {
  if (then && now && *then == *now) return;
  if (then && now && then->is_object() && now->is_object()) {
    const auto member = [](const Json& object, const std::string& key) {
      return object.contains(key) ? &object.at(key) : nullptr;
    };
    const std::string before = path.empty() ? "" : path + ".";
    for (const auto& [key, value] : then->items()) find_differences(&value, member(*now, key), before + key, found);
    for (const auto& [key, value] : now->items())
      if (!then->contains(key)) find_differences(nullptr, &value, before + key, found);
  } else if (then && now && then->is_array() && now->is_array() && then->size() == now->size()) {
    for (size_t i = 0; i < then->size(); ++i)
      find_differences(&then->at(i), &now->at(i), fmt::format("{}[{}]", path, i), found);
  } else {
    found.push_back(fmt::format("{}: {} then, {} now", path, shown(then), shown(now)));
  }
}

/// Without what may change from one part of a run to the next.
Json essence(const std::string& scene) {
  Json json = Json::parse(scene);
  for (const char* key : {"name", "description", "steps", "duration", "$schema"}) json.erase(key);
  return json;
}

}  // namespace

RunIdentity RunIdentity::of(const Simulation& simulation, const std::string& version) {
  unsigned long sum = 0;
  const auto add = [&](const auto& matrix) {
    using Scalar = typename std::decay_t<decltype(matrix)>::Scalar;
    sum = checksum({reinterpret_cast<const char*>(matrix.data()), sizeof(Scalar) * static_cast<size_t>(matrix.size())},
                   sum);
  };
  add(simulation.system->rest_positions());
  add(simulation.system->vertex_mass());
  add(simulation.triangles);
  for (const Body& body : simulation.bodies) {
    add(body.mesh.T);
    add(body.mesh.mid);
  }
  add(simulation.state.q);
  add(simulation.state.v);
  std::error_code unknown;
  const fs::path file = fs::absolute(simulation.scene->file, unknown);
  return {version, unknown ? simulation.scene->file : file, simulation.scene->text, fmt::format("{:08x}", sum)};
}

void Checkpoints::begin(bool from_the_beginning) const {
  if (from_the_beginning) keep(0);
  remove_leftovers(folder_, [](const std::string& name) {
    return name == "run.json" || name == "summary.json" || name == "report.html" || name.ends_with(".csv") ||
           is_checkpoint(name);
  });
  write_whole_file(folder_ / "run.json",
                   [&](OutputFile& file) { file.write(head_json(identity_, 0, 0).dump() + "\n"); });
}

void Checkpoints::write(int step, double time, const std::string& stored) const {
  Json head = head_json(identity_, step, time);
  head["bytes"] = stored.size();
  head["crc32"] = checksum(stored);
  write_whole_file(
      folder_ / fmt::format("checkpoint_{:010d}.brio", step),
      [&](OutputFile& file) {
        file.write(kMagic);
        file.write(head.dump() + "\n");
        file.write(stored);
      },
      Durable::yes);
  keep(2);
}

void Checkpoints::keep(size_t newest) const {
  const std::vector<fs::path> files = checkpoint_files(folder_);
  for (size_t i = newest; i < files.size(); ++i) remove_file(files[i]);
}

bool has_run(const fs::path& folder) { return fs::exists(folder / "run.json") || !checkpoint_files(folder).empty(); }

void forget_run(const fs::path& folder) {
  for (const fs::path& file : checkpoint_files(folder)) remove_file(file);
  if (fs::exists(folder / "run.json")) remove_file(folder / "run.json");
}

RunIdentity begun_run(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  return fs::exists(file) ? read_head(Json::parse(read_text(file))).identity : newest_checkpoint(folder).identity;
}

StoredRun newest_checkpoint(const fs::path& folder) {
  if (!has_run(folder))
    throw Error("{}: there is no run in this folder: neither a checkpoint nor run.json{}", folder.string(),
                fs::exists(folder / "compare.json")
                    ? ". It is of a comparison, which its own command continues: `brio compare … --resume`"
                    : "");
  for (const fs::path& file : checkpoint_files(folder)) {
    try {
      return read_checkpoint(file);
    } catch (const Error& error) {
      log_warning(fmt::format("{}: not used: {}", file.string(), error.what()));
    }
  }
  return read_head(Json::parse(read_text(folder / "run.json")));
}

void refuse_other_run(const fs::path& folder, const RunIdentity& stored, const RunIdentity& now) {
  std::vector<std::string> found;
  if (stored.version != now.version)
    found.push_back(fmt::format("version of brio: {} then, {} now", stored.version, now.version));
  const Json then_scene = essence(stored.scene), now_scene = essence(now.scene);
  find_differences(&then_scene, &now_scene, "", found);
  if (found.empty() && stored.bodies != now.bodies)
    found.emplace_back("the bodies: a file that the scene names has changed");
  if (found.empty()) return;
  throw Error(
      "{}: the checkpoint cannot be continued, since it would be another run:\n  {}\nRun from the beginning "
      "without --resume, or undo the difference",
      folder.string(), joined(found, "\n  "));
}

}  // namespace brio
