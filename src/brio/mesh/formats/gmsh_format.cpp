// Gmsh 2.2 in ASCII is what is written: every program that knows Gmsh files reads it, and each element of it carries
// its own group.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/read_gmsh.hpp"

#include <set>

namespace brio {
namespace {

struct GmshGroup {
  int dimension, tag;
  std::string name;
};

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

/// One line inside of quotation marks.
std::string quotable(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 32 || c == '"') c = '_';
  return name.empty() ? "unnamed" : name;
}

void add_names(const std::vector<GmshGroup>& groups, MeshText& text) {
  if (groups.empty()) return;
  text.add("$PhysicalNames\n{}\n", groups.size());
  for (const GmshGroup& group : groups) text.add("{} {} \"{}\"\n", group.dimension, group.tag, quotable(group.name));
  text.add("$EndPhysicalNames\n");
}

void add_nodes(const MatrixX3d& X, MeshText& text) {
  text.add("$Nodes\n{}\n", X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    text.add("{} ", i + 1);
    text.add_row(X.row(i));
    text.add("\n");
  }
  text.add("$EndNodes\n");
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

  MeshText text;
  text.add("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
  add_names(groups, text);
  add_nodes(mesh.X, text);
  text.add("$Elements\n{}\n", points + mesh.tets());
  size_t number = 0;
  for (size_t s = 0; s < sets.size(); ++s)
    for (int vertex : *sets[s].second) text.add("{} 15 2 {} {} {}\n", ++number, s + 1, s + 1, vertex + 1);
  for (int t = 0; t < mesh.tets(); ++t) {
    const int region = mesh.region.size() > 0 ? mesh.region[t] : 0;
    text.add("{} 4 2 {} {} ", ++number, region, region + 1);
    text.add_indices(mesh.T.row(t), 1);
    text.add("\n");
  }
  text.add("$EndElements\n");
  return text.take();
}

std::string write_surface(const TriangleSurface& surface) {
  const bool grouped = surface.group.size() > 0;
  std::vector<GmshGroup> groups;
  for (size_t g = 0; g < surface.group_names.size(); ++g) {
    groups.push_back({2, static_cast<int>(g) + 1, surface.group_names[g]});
  }
  MeshText text;
  text.add("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
  add_names(groups, text);
  add_nodes(surface.X, text);
  text.add("$Elements\n{}\n", surface.faces());
  for (int f = 0; f < surface.faces(); ++f) {
    const int group = grouped ? surface.group[f] + 1 : 0;
    text.add("{} 2 2 {} {} ", f + 1, group, std::max(group, 1));
    text.add_indices(surface.triangles.row(f), 1);
    text.add("\n");
  }
  text.add("$EndElements\n");
  return text.take();
}

}  // namespace

MeshFormat gmsh_format() {
  MeshFormat format;
  format.name = "gmsh";
  format.summary = "Gmsh 2.2 and 4.1, ASCII and binary; written as 2.2 ASCII; physical groups are regions and sets";
  format.extensions = {".msh"};
  format.tets = format.surfaces = true;
  format.sets = format.region_names = format.groups = true;
  format.read = [](MeshSource source) { return parse_gmsh(std::move(source.bytes), source.name); };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> {
    return {{".msh", mesh.has_tets() ? write_tets(mesh) : write_surface(mesh.surface)}};
  };
  return format;
}

}  // namespace brio
