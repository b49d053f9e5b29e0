// Gmsh 2.2 in ASCII is what is written: every program that knows Gmsh files reads it, and each element of it carries
// its own group.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/gmsh_input.hpp"
#include "brio/mesh/formats/gmsh_output.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/read_gmsh.hpp"

#include <set>

namespace brio {
namespace {

/// The sets that do not come back by themselves from the volumes.
std::vector<std::pair<std::string, const std::vector<int>*>> sets_to_write(const LoadedMesh& mesh,
                                                                           const std::set<int>& regions) {
  std::set<std::string> implied;
  for (int region : regions) implied.insert(fmt::format("group_{}", region));
  for (const auto& [region, name] : mesh.region_names) implied.insert(name);
  std::vector<std::pair<std::string, const std::vector<int>*>> sets;
  for (const auto& [name, set] : mesh.vertex_sets)
    if (!implied.contains(name)) sets.emplace_back(name, &set);
  return sets;
}

std::string write_tets(const LoadedMesh& loaded) {
  const TetMesh& mesh = loaded.mesh;
  const std::set<int> regions(mesh.region.begin(), mesh.region.end());
  const auto sets = sets_to_write(loaded, regions);
  std::vector<GmshGroup> groups;
  size_t points = 0;
  for (size_t s = 0; s < sets.size(); ++s) {
    groups.push_back({0, static_cast<int>(s) + 1, sets[s].first});
    points += sets[s].second->size();
  }
  for (const auto& [region, name] : loaded.region_names)
    if (region > 0) groups.push_back({3, region, name});

  GmshOutput out(GmshOutput::Encoding::text);
  out.add_header();
  out.add_names(groups);
  out.add_nodes(mesh.X);
  out.begin_elements(points + static_cast<size_t>(mesh.tets()));
  out.begin_block(1, points);
  for (int s = 0; s < static_cast<int>(sets.size()); ++s)
    for (int vertex : *sets[s].second) out.add_element(s + 1, s + 1, {&vertex, 1});
  const bool quadratic = mesh.order() == 2;
  const MatrixX10i ten = quadratic ? cells_of_ten_nodes(mesh, find_cell_type(gmsh_cells(), kGmshQuadraticTet)->mid)
                                   : MatrixX10i();
  out.begin_block(quadratic ? 10 : 4, static_cast<size_t>(mesh.tets()));
  for (int t = 0; t < mesh.tets(); ++t) {
    const int region = mesh.region.size() > 0 ? mesh.region[t] : 0;
    const std::span nodes =
        quadratic ? std::span<const int>(ten.row(t).data(), 10) : std::span<const int>(mesh.T.row(t).data(), 4);
    out.add_element(region, region + 1, nodes);
  }
  out.end_elements();
  return out.take();
}

std::string write_surface(const TriangleSurface& surface) {
  const bool grouped = surface.group.size() > 0;
  std::vector<GmshGroup> groups;
  for (size_t g = 0; g < surface.group_names.size(); ++g) {
    groups.push_back({2, static_cast<int>(g) + 1, surface.group_names[g]});
  }
  GmshOutput out(GmshOutput::Encoding::text);
  out.add_header();
  out.add_names(groups);
  out.add_nodes(surface.X);
  out.begin_elements(static_cast<size_t>(surface.faces()));
  out.begin_block(3, static_cast<size_t>(surface.faces()));
  for (int f = 0; f < surface.faces(); ++f) {
    const int group = grouped ? surface.group[f] + 1 : 0;
    out.add_element(group, std::max(group, 1), {surface.triangles.row(f).data(), 3});
  }
  out.end_elements();
  return out.take();
}

}  // namespace

MeshFormat gmsh_format() {
  MeshFormat format;
  format.name = "gmsh";
  format.summary = "Gmsh 1, 2 and 4.1, ASCII and binary; written as 2.2 ASCII; physical groups are regions and sets";
  format.extensions = {".msh"};
  format.tets = format.surfaces = format.second_order = true;
  format.sets = format.region_names = format.groups = true;
  format.read = [](MeshSource source) { return parse_gmsh(std::move(source.bytes), source.name); };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> {
    return {{".msh", mesh.has_tets() ? write_tets(mesh) : write_surface(mesh.surface)}};
  };
  return format;
}

}  // namespace brio
