#include "brio/mesh/formats/mesh_format.hpp"

#include "brio/core/error.hpp"

#include <algorithm>

namespace brio {
namespace {

std::string small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  return text;
}

}  // namespace

static std::vector<MeshFormat> built_in_mesh_formats() {
  return {gmsh_format(), medit_format(), tetgen_format(), vega_format(), vtk_format(),
          vtu_format(),  obj_format(),   stl_format(),    ply_format(),  off_format()};
}

Table<MeshFormat>& mesh_format_table() {
  static Table<MeshFormat> table("mesh format", built_in_mesh_formats());
  return table;
}

const std::vector<MeshFormat>& mesh_formats() { return mesh_format_table().rows(); }

const MeshFormat& find_mesh_format(const std::filesystem::path& path) {
  const std::string extension = small_letters(path.extension().string());
  std::vector<std::string> known;
  for (const MeshFormat& format : mesh_formats()) {
    if (std::find(format.extensions.begin(), format.extensions.end(), extension) != format.extensions.end()) {
      return format;
    }
    known.insert(known.end(), format.extensions.begin(), format.extensions.end());
  }
  throw Error("{}: {}", path.string(), unknown_name("mesh file extension", extension, known));
}

}  // namespace brio
