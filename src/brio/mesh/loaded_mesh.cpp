#include "brio/mesh/loaded_mesh.hpp"

#include "brio/core/error.hpp"
#include "brio/core/options.hpp"
#include "brio/mesh/read_gmsh.hpp"
#include "brio/mesh/repair.hpp"

#include <algorithm>

namespace brio {
namespace {

std::string small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  return text;
}

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

}  // namespace

const std::vector<MeshFormat>& mesh_formats() {
  static const std::vector<MeshFormat> table{{".msh", "Gmsh 2.2 and 4.1, ASCII", read_gmsh}};
  return table;
}

LoadedMesh load_mesh(const std::filesystem::path& path) {
  const std::string extension = small_letters(path.extension().string());
  std::vector<std::string> known;
  for (const MeshFormat& format : mesh_formats()) {
    known.push_back(format.extension);
    if (format.extension != extension) continue;
    LoadedMesh loaded = format.read(path);
    const RepairReport report = repair(loaded.mesh, path.string());
    for (const std::string& line : report.lines()) loaded.messages.push_back(line);
    follow(report, loaded);
    return loaded;
  }
  throw Error("{}: {}", path.string(), unknown_name("mesh file extension", extension, known));
}

}  // namespace brio
