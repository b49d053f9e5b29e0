#include "brio/output/save_mesh.hpp"

#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/surface.hpp"

namespace brio {
namespace {

void say_what_is_lost(const MeshFormat& format, const LoadedMesh& mesh, SavedMesh& saved) {
  const auto lost = [&](bool some, const char* what) {
    if (some) saved.messages.push_back(fmt::format("{} are not written: the format {} has none", what, format.name));
  };
  if (mesh.has_tets()) {
    lost(!format.sets && !mesh.vertex_sets.empty(), "vertex sets");
    lost(!format.region_names && !mesh.region_names.empty(), "names of regions");
    lost(!format.materials && !mesh.materials.empty(), "materials");
  } else {
    lost(!format.groups && !mesh.surface.group_names.empty(), "groups");
    lost(!format.texture && !mesh.surface.material_names.empty(), "names of materials");
    lost(!format.texture && mesh.surface.uv.rows() > 0, "texture points");
  }
}

}  // namespace

SavedMesh save_mesh(const std::filesystem::path& path, const LoadedMesh& mesh) {
  const MeshFormat& format = find_mesh_format(path);
  SavedMesh saved;
  LoadedMesh other;  // in the place of what the format does not hold
  const LoadedMesh* written = &mesh;
  if (mesh.has_tets() && !format.tets) {
    other.surface = boundary_surface(mesh.mesh);
    written = &other;
    saved.messages.push_back(
        fmt::format("{} holds surfaces only: the boundary of the {} tetrahedra is written, {} triangles",
                    path.extension().string(), mesh.mesh.tets(), other.surface.faces()));
  } else if (!mesh.has_tets() && !format.surfaces) {
    throw Error("{}: the format {} holds tetrahedra, and there is only a surface; `brio mesh` fills a closed surface",
                path.string(), format.name);
  } else if (!mesh.has_tets() && format.tets) {
    saved.messages.push_back("a surface is written, no tetrahedra; `brio mesh` fills a closed surface with them");
  }
  if (written == &mesh && mesh.mesh.order() == 2 && !format.second_order) {
    other = mesh;
    const std::vector<int> number = make_linear(other.mesh);
    for (auto& [name, set] : other.vertex_sets) {
      for (int& vertex : set) vertex = number[vertex];
      std::erase(set, -1);
    }
    written = &other;
    saved.messages.push_back(
        fmt::format("the vertices on edges are not written: tetrahedra in files of {} are linear", format.name));
  }
  say_what_is_lost(format, *written, saved);
  for (const MeshFile& file : format.write(*written)) {
    const auto place =
        format.extensions.size() > 1 ? std::filesystem::path(path).replace_extension(file.extension) : path;
    write_whole_file(place, [&](OutputFile& out) { out.write(file.bytes); });
    saved.files.push_back(place);
  }
  return saved;
}

SavedMesh save_mesh(const std::filesystem::path& path, const TetMesh& mesh) {
  LoadedMesh loaded;
  loaded.mesh = mesh;
  return save_mesh(path, loaded);
}

}  // namespace brio
