// brio mesh: what it writes, what it says, and what it refuses.

#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/quality.hpp"

#include "apps/program.hpp"
#include <fstream>

namespace brio {
namespace {

using testing::brio;
using testing::fresh_folder;
using testing::Outcome;

TEST(MeshCommand, a_named_shape_becomes_a_file_that_scenes_can_read) {
  const auto folder = fresh_folder("mesh");
  const Outcome outcome = brio(
      fmt::format("mesh dog-head --vertices 2000 -o '{}/dog.msh' --page '{}/page'", folder.string(), folder.string()));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"tetrahedra", "dihedral", "volume", "aspect", "\"teeth\"", "dog.msh", "report.html"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  const LoadedMesh loaded = load_mesh(folder / "dog.msh");
  EXPECT_NEAR(loaded.mesh.vertices(), 2000, 100);
  EXPECT_TRUE(loaded.vertex_sets.contains("neck"));
  EXPECT_GT(measure_quality(loaded.mesh).least_dihedral, 10);
  EXPECT_NE(read_text(folder / "page" / "report.html").find("\"kind\":\"mesh\""), std::string::npos);
}

TEST(MeshCommand, shape_files_and_surfaces_are_filled) {
  const auto folder = fresh_folder("mesh-files");
  std::ofstream(folder / "ring.json") << R"({"shape": {"shape": "torus", "major_radius": 0.5, "minor_radius": 0.2}})";
  EXPECT_EQ(brio(fmt::format("mesh '{0}/ring.json' --size 0.06 -o '{0}/ring.vtk'", folder.string())).code, 0);
  EXPECT_GT(load_mesh(folder / "ring.vtk").mesh.tets(), 5000);
  // An octahedron; then one without a face.
  std::string text =
      "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
      "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\n";
  std::ofstream(folder / "open.obj") << text;
  std::ofstream(folder / "closed.obj") << text + "f 1 4 6\n";
  const Outcome closed =
      brio(fmt::format("mesh '{0}/closed.obj' --vertices 3000 -o '{0}/closed.mesh'", folder.string()));
  EXPECT_EQ(closed.code, 0) << closed.err;
  EXPECT_EQ(closed.err, "");
  EXPECT_NEAR(measure_quality(load_mesh(folder / "closed.mesh").mesh).volume, 4.0 / 3, 0.04);  // edges are rounded off
  const Outcome open = brio(fmt::format("mesh '{0}/open.obj' --vertices 500 -o '{0}/open.msh'", folder.string()));
  EXPECT_EQ(open.code, 0) << open.err;
  EXPECT_NE(open.err.find("holes: 3 open edges"), std::string::npos) << open.err;
}

TEST(MeshCommand, refuses_with_a_reason) {
  const auto expect_refused = [](const std::string& arguments, const std::string& reason) {
    const Outcome outcome = brio("mesh " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << arguments << ": " << outcome.err;
  };
  expect_refused("bunni", "did you mean \"bunny\"?");
  expect_refused("nothing.json", "nothing.json");
  expect_refused("nothing.obj", "nothing.obj");
  expect_refused("bunny -o bunny.xyz", "bunny.xyz");
  expect_refused("bunny -o bunny.stl", "no tetrahedra");
  expect_refused("bunny --size 0.1 --vertices 100", "--vertices");
  expect_refused("bunny --size 1e-7", "too small");
  expect_refused("bunny --size -1", "size");
}

}  // namespace
}  // namespace brio
