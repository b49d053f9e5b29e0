// Every reader of mesh files under libFuzzer: whatever the bytes, the answer is a mesh or an Error; and what was read
// can be mended or refused, measured, written and read again with the same numbers. tools/fuzz builds and runs it.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/quality.hpp"
#include "brio/mesh/repair.hpp"
#include "brio/mesh/surface.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace {

const brio::MeshFormat& format() {
  const char* name = std::getenv("BRIO_FUZZ_FORMAT");
  return brio::find_row(brio::mesh_formats(), "mesh format", name ? name : "gmsh");
}

/// The companion of TetGen's file follows after a line of its own.
brio::MeshSource source_of(const std::string& bytes) {
  constexpr std::string_view kCut = "%%\n";
  const size_t cut = std::min(bytes.find(kCut), bytes.size());
  const std::string rest = bytes.substr(std::min(cut + kCut.size(), bytes.size()));
  return {"input.ele", bytes.substr(0, cut), [rest](const std::string&) {
            return brio::MeshSource{"input.node", rest, {}};
          }};
}

brio::MeshSource source_of(const std::vector<brio::MeshFile>& files) {
  const std::string& main = files.back().bytes;
  const std::string& other = files.front().bytes;
  return {"written.ele", main, [other](const std::string&) { return brio::MeshSource{"written.node", other, {}}; }};
}

void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

void use(const brio::LoadedMesh& loaded) {
  const brio::LoadedMesh again = format().read(source_of(format().write(loaded)));
  require(again.mesh.X == loaded.mesh.X && again.mesh.T == loaded.mesh.T, "tetrahedra come back");
  if (format().name == "stl") {
    require(again.surface.faces() == loaded.surface.faces(), "triangles come back");
  } else {
    require(again.surface.X == loaded.surface.X && again.surface.triangles == loaded.surface.triangles,
            "the surface comes back");
  }
  for (const auto& [name, set] : loaded.vertex_sets)
    for (int vertex : set)
      require(vertex >= 0 && vertex < std::max(loaded.mesh.vertices(), loaded.surface.vertices()), "sets are in range");
  if (!loaded.has_tets()) return;
  brio::TetMesh mesh = loaded.mesh;
  try {
    brio::repair(mesh);
  } catch (const brio::Error&) {
    return;
  }
  brio::measure_quality(mesh);
  brio::boundary_triangles(mesh);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  std::optional<brio::LoadedMesh> loaded;
  try {
    loaded = format().read(source_of(std::string(reinterpret_cast<const char*>(data), size)));
  } catch (const brio::Error&) {
    return 0;
  }
  use(*loaded);
  return 0;
}
