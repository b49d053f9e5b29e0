#include "brio/mesh/formats/load_mesh.hpp"

#include "brio/core/error.hpp"
#include "brio/core/text_file.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/repair.hpp"
#include "brio/mesh/surface.hpp"

namespace brio {
namespace {

void take_over(const RepairReport& report, LoadedMesh& loaded) {
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

/// What a file is by its first bytes, where it is no mesh at all.
std::string_view other_kind(std::string_view bytes) {
  struct Kind {
    std::string_view begins, name;
  };
  constexpr Kind kinds[] = {{"\x89PNG\r\n", "a PNG picture"},
                            {"\xFF\xD8\xFF", "a JPEG picture"},
                            {"GIF8", "a GIF picture"},
                            {"%PDF-", "a PDF document"},
                            {"PK\x03\x04", "a ZIP archive"},
                            {"\x1F\x8B", "compressed by gzip"},
                            {"BZh", "compressed by bzip2"},
                            {"\xFD"
                             "7zXZ",
                             "compressed by xz"},
                            {"\x7F"
                             "ELF",
                             "a program"}};
  for (const Kind& kind : kinds)
    if (bytes.starts_with(kind.begins)) return kind.name;
  return {};
}

MeshSource open_source(const std::filesystem::path& path) {
  std::string bytes = read_text(path);
  if (const std::string_view kind = other_kind(bytes); !kind.empty())
    throw Error("{}: is {}, not a mesh", path.string(), kind);
  return {path.string(), std::move(bytes),
          [path](const std::string& extension) {
            return open_source(std::filesystem::path(path).replace_extension(extension));
          },
          [path](const std::string& name) { return open_source(path.parent_path() / name); }};
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
  take_over(report, loaded);
  refuse_folds(loaded.mesh, path.string());
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
