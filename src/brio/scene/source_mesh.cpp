#include "brio/scene/source_mesh.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/generators/implicit_mesh.hpp"
#include "brio/mesh/solids/surface_solid.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/named_shapes.hpp"

#include <deque>
#include <functional>
#include <mutex>

namespace brio {
namespace {

/// A generator whose meshes come with the names of their parts, if they have any.
struct NamedMaker : Entry {
  std::function<LoadedMesh(const Options&)> make;
};

std::vector<NamedMaker> makers_with_names() {
  std::vector<NamedMaker> makers;
  for (const GeneratorEntry& row : scene_generators())
    makers.push_back({row, row.make_named ? row.make_named : [&row](const Options& o) {
                        LoadedMesh loaded;
                        loaded.mesh = row.make(o);
                        return loaded;
                      }});
  return makers;
}

LoadedMesh filled_surface(const MeshSpec& spec) {
  SurfaceSolid surface = load_surface_solid(spec.file);
  try {
    LoadedMesh loaded = fill({surface.solid, {}}, target_of(spec.generator.options, kDefaultVertices));
    loaded.messages.insert(loaded.messages.begin(), surface.messages.begin(), surface.messages.end());
    return loaded;
  } catch (const Error& error) {
    throw Error("{}.surface = \"{}\": {}", spec.generator.path, spec.generator.name, error.what());
  }
}

/// What a mesh is made from. A file that was written anew is another one.
struct MeshOrigin {
  MeshSpec::Source source;
  std::string name;
  Options options;
  std::filesystem::path file;
  std::filesystem::file_time_type written;

  explicit MeshOrigin(const MeshSpec& spec)
      : source(spec.source), name(spec.generator.name), options(spec.generator.options), file(spec.file) {
    std::error_code none;
    if (!file.empty()) written = std::filesystem::last_write_time(file, none);
  }
  bool operator==(const MeshOrigin&) const = default;
};

/// The last few meshes, as long as they are small beside what a simulation of them needs.
class RecentMeshes {
 public:
  std::optional<LoadedMesh> find(const MeshOrigin& origin) {
    const std::lock_guard lock(mutex_);
    for (const auto& [from, mesh] : meshes_)
      if (from == origin) return mesh;
    return {};
  }
  void keep(MeshOrigin origin, const LoadedMesh& mesh) {
    const std::lock_guard lock(mutex_);
    meshes_.emplace_front(std::move(origin), mesh);
    Index tets = 0;
    size_t kept = 0;
    while (kept < meshes_.size() && (tets += meshes_[kept].second.mesh.tets()) <= kMostTets) ++kept;
    while (meshes_.size() > kept) meshes_.pop_back();
  }

 private:
  static constexpr Index kMostTets = 300000;  // some 30 MB
  std::mutex mutex_;
  std::deque<std::pair<MeshOrigin, LoadedMesh>> meshes_;
};

}  // namespace

LoadedMesh source_mesh(const MeshSpec& spec) {
  if (spec.source == MeshSpec::Source::file) return load_mesh(spec.file);
  static RecentMeshes recent;
  const MeshOrigin origin(spec);
  if (std::optional<LoadedMesh> known = recent.find(origin)) return std::move(*known);
  LoadedMesh made = spec.source == MeshSpec::Source::surface ? filled_surface(spec)
                                                             : make_item(makers_with_names(), spec.generator);
  recent.keep(origin, made);
  return made;
}

}  // namespace brio
