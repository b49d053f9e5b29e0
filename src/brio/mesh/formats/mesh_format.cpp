#include "brio/mesh/formats/mesh_format.hpp"

#include "brio/core/error.hpp"
#include "brio/core/join.hpp"

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
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Error("{}: is a folder; name a mesh file in it", path.string());
  for (std::string_view picture : {".png", ".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".svg", ".exr"}) {
    if (extension == picture)
      throw Error("{}: is a picture; a mesh file ends in {}", path.string(), joined(known, ", "));
  }
  throw Error("{}: {}", path.string(), unknown_name("mesh file extension", extension, known));
}

}  // namespace brio
