// Parts by faces, pinches and genus on bodies small enough to know by heart.

#include "brio/mesh/topology.hpp"

#include "brio/mesh/generators/box.hpp"
#include "brio/mesh/inspection.hpp"
#include "brio/mesh/surface.hpp"

#include "mesh/mesh_checks.hpp"

namespace brio {
namespace {

/// The cells of a box of cubes, six tetrahedra each, for which `keep(x, y, z)` of the cube's number holds.
TetMesh cubes(int nx, int ny, int nz, const std::function<bool(int, int, int)>& keep) {
  const TetMesh box = make_box(Vec3(nx, ny, nz), {nx, ny, nz}, 6);
  const Vec3 low = box.X.colwise().minCoeff();
  std::vector<char> stays(box.tets());
  for (int t = 0; t < box.tets(); ++t) {
    Vec3 middle = Vec3::Zero();
    for (int c = 0; c < 4; ++c) middle += 0.25 * box.X.row(box.T(t, c));
    const Vec3 at = (middle - low).array().floor();
    stays[t] = keep(int(at[0]), int(at[1]), int(at[2]));
  }
  return extract_tets(box, stays);
}

TEST(Topology, two_cubes_on_an_edge_are_two_parts_and_a_pinched_edge) {
  const TetMesh mesh = cubes(2, 2, 1, [](int x, int y, int) { return x == y; });
  const Faces faces = find_faces(mesh);
  EXPECT_EQ(connected_components(mesh).count, 1);
  const FaceParts parts = face_parts(mesh, faces);
  ASSERT_EQ(parts.count(), 2);
  EXPECT_NEAR(parts.part[0].volume, 1, 1e-12);
  EXPECT_EQ(parts.part[0].tets + parts.part[1].tets, mesh.tets());
  const Pinches pinches = find_pinches(boundary_triangles(mesh));
  EXPECT_EQ(pinches.edges.size(), 1u);
  EXPECT_TRUE(pinches.vertices.empty());

  TetMesh opened = mesh;
  EXPECT_EQ(open_pinches(opened, faces, pinches).size(), 2u);
  EXPECT_EQ(find_pinches(boundary_triangles(opened)).count(), 0u);
  EXPECT_EQ(connected_components(opened).count, 2);
  EXPECT_NEAR(total_volume(opened), total_volume(mesh), 1e-14);
}

TEST(Topology, two_cubes_on_a_corner_share_a_pinched_vertex) {
  const TetMesh mesh = cubes(2, 2, 2, [](int x, int y, int z) { return x == y && y == z; });
  const Pinches pinches = find_pinches(boundary_triangles(mesh));
  EXPECT_TRUE(pinches.edges.empty());
  EXPECT_EQ(pinches.vertices.size(), 1u);
}

TEST(Topology, genus_counts_handles) {
  EXPECT_EQ(surface_genus(boundary_triangles(cubes(3, 3, 1, [](int, int, int) { return true; }))), 0);
  EXPECT_EQ(surface_genus(boundary_triangles(cubes(3, 3, 1, [](int x, int y, int) { return x != 1 || y != 1; }))), 1);
  EXPECT_EQ(surface_genus(boundary_triangles(cubes(5, 3, 1, [](int x, int y, int) { return x % 2 == 0 || y != 1; }))),
            2);
  const MatrixX3i hollow =
      boundary_triangles(cubes(3, 3, 3, [](int x, int y, int z) { return x != 1 || y != 1 || z != 1; }));
  EXPECT_EQ(surface_parts(hollow), 2);  // a cavity is a surface of its own
  EXPECT_EQ(surface_euler(hollow), 4);
  EXPECT_EQ(surface_genus(hollow), 0);
}

TEST(Topology, inspection_names_parts_that_hang_by_an_edge) {
  LoadedMesh loaded;
  loaded.mesh = cubes(2, 2, 1, [](int x, int y, int) { return x == y; });
  loaded.shape = ShapeFacts{2.1, 1, 0};
  const MeshInspection found = inspect(loaded);
  EXPECT_EQ(found.parts.size(), 2u);
  EXPECT_EQ(found.components, 1);
  EXPECT_EQ(found.pinched_edges, 1);
  EXPECT_FALSE(found.genus.has_value());
  const auto says = [&](const char* text) {
    return std::any_of(found.problems.begin(), found.problems.end(),
                       [&](const std::string& line) { return line.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(says("2 parts that share no face"));
  EXPECT_TRUE(says("pinched at 1 edge"));
  EXPECT_TRUE(says("4.8 % less"));
  EXPECT_TRUE(says("but the shape has 1"));
  EXPECT_EQ(found.worst_tets.size(), 12u);
}

}  // namespace
}  // namespace brio
