#include "brio/mesh/formats/load_mesh.hpp"

#include "brio/core/error.hpp"
#include "brio/core/text_file.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/repair.hpp"
#include "brio/mesh/surface.hpp"

namespace brio {
namespace {

void follow(const RepairReport& report, LoadedMesh& loaded) {
  for (auto& [name, set] : loaded.vertex_sets) {
    const size_t before = set.size();
    for (int& vertex : set) vertex = report.new_vertex[vertex];
    std::erase(set, -1);
    if (set.size() < before) {
      loaded.messages.push_back(fmt::format("set \"{}\": {} of {} vertices are in no tetrahedron, dropped", name,
                                            before - set.size(), before));
    }
  }
}

MeshSource open_source(const std::filesystem::path& path) {
  return {path.string(), read_text(path), [path](const std::string& extension) {
            return open_source(std::filesystem::path(path).replace_extension(extension));
          }};
}

}  // namespace

LoadedMesh read_mesh(const std::filesystem::path& path) {
  const MeshFormat& format = find_mesh_format(path);
  return format.read(open_source(path));
}

LoadedMesh load_mesh(const std::filesystem::path& path) {
  LoadedMesh loaded = read_mesh(path);
  if (!loaded.has_tets()) {
    throw Error("{}: holds a surface of {} triangles, but no tetrahedra; `brio mesh` fills a closed surface with them",
                path.string(), loaded.surface.faces());
  }
  const RepairReport report = repair(loaded.mesh, path.string());
  for (const std::string& line : report.lines()) loaded.messages.push_back(line);
  follow(report, loaded);
  return loaded;
}

LoadedMesh load_surface(const std::filesystem::path& path) {
  LoadedMesh loaded = read_mesh(path);
  if (!loaded.has_tets()) return loaded;
  LoadedMesh boundary;
  boundary.surface = boundary_surface(loaded.mesh);
  boundary.messages = std::move(loaded.messages);
  boundary.messages.push_back(fmt::format("the boundary of {} tetrahedra is used", loaded.mesh.tets()));
  return boundary;
}

}  // namespace brio
