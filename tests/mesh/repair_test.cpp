// What is mended, what is refused, and what is said about it.

#include "brio/mesh/repair.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generators/box.hpp"

#include "mesh/mesh_checks.hpp"

namespace brio {
namespace {

TetMesh box() { return make_box({1, 1, 1}, {2, 2, 2}, 6); }

void append_tet(TetMesh& mesh, const std::array<int, 4>& v, int region = 0) {
  const int m = mesh.tets();
  mesh.T.conservativeResize(m + 1, 4);
  mesh.T.row(m) << v[0], v[1], v[2], v[3];
  mesh.region.conservativeResize(m + 1);
  mesh.region[m] = region;
  mesh.fiber.conservativeResize(m + 1, 3);
  mesh.fiber.row(m).setZero();
}

std::string refused_repair(TetMesh mesh) {
  try {
    repair(mesh, "body.msh");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Repair, leaves_a_sound_mesh_alone) {
  TetMesh mesh = box();
  const TetMesh before = mesh;
  const RepairReport report = repair(mesh);
  EXPECT_TRUE(report.lines().empty());
  EXPECT_EQ(mesh.X, before.X);
  EXPECT_EQ(mesh.T, before.T);
  for (int i = 0; i < mesh.vertices(); ++i) EXPECT_EQ(report.new_vertex[i], i);
}

TEST(Repair, turns_tetrahedra_that_are_inside_out) {
  TetMesh mesh = box();
  for (int t : {3, 7, 11}) std::swap(mesh.T(t, 0), mesh.T(t, 1));
  const std::string name = fmt::format("tetrahedron 3 (vertices {}, {}, {}, {}) and 2 more", mesh.T(3, 0), mesh.T(3, 1),
                                       mesh.T(3, 2), mesh.T(3, 3));
  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.flipped.count, 3);
  ASSERT_EQ(report.lines().size(), 1u);
  EXPECT_TRUE(mentions(report.lines()[0], name)) << report.lines()[0];
  expect_sound(mesh);
}

TEST(Repair, drops_flat_and_duplicate_tetrahedra_and_unused_vertices) {
  TetMesh mesh = box();
  for (int t = 0; t < mesh.tets(); ++t) mesh.region[t] = t;
  const int n = mesh.vertices(), m = mesh.tets();
  append_tet(mesh, {0, 1, 3, 4}, 1000);                                              // four corners of a square
  append_tet(mesh, {mesh.T(5, 2), mesh.T(5, 0), mesh.T(5, 1), mesh.T(5, 3)}, 1001);  // tetrahedron 5 again
  MatrixX3d X(n + 2, 3);                                                             // two stray vertices, one in front
  X << 9, 9, 9, mesh.X, 8, 8, 8;
  mesh.X = X;
  mesh.T.array() += 1;

  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.flat.count, 1);
  EXPECT_EQ(report.duplicate.count, 1);
  EXPECT_EQ(report.unreferenced.count, 2);
  EXPECT_EQ(report.flipped.count, 0);
  ASSERT_EQ(report.lines().size(), 3u);
  EXPECT_TRUE(mentions(report.lines()[0], fmt::format("tetrahedron {} (vertices 1, 2, 4, 5)", m)));
  EXPECT_TRUE(mentions(report.lines()[1], fmt::format("tetrahedron {} ", m + 1)));
  EXPECT_TRUE(mentions(report.lines()[2], "vertex 0 at (9, 9, 9) and 1 more"));
  EXPECT_EQ(report.new_vertex.front(), -1);
  EXPECT_EQ(report.new_vertex[1], 0);
  EXPECT_EQ(report.new_vertex.back(), -1);
  EXPECT_EQ(static_cast<int>(report.old_tet.size()), m);
  EXPECT_EQ(mesh.X, box().X);
  EXPECT_EQ(mesh.T, box().T);
  for (int t = 0; t < m; ++t) EXPECT_EQ(mesh.region[t], t);
  expect_sound(mesh);
}

TEST(Repair, flatness_does_not_depend_on_the_unit) {
  for (double unit : {1e-9, 1.0, 1e9}) {
    TetMesh mesh = box();
    append_tet(mesh, {0, 1, 3, 4});
    mesh.X *= unit;
    EXPECT_EQ(repair(mesh).flat.count, 1) << unit;
    EXPECT_EQ(mesh.tets(), 48);
  }
}

TEST(Repair, reports_vertices_at_one_place) {
  TetMesh mesh = box();
  const TetMesh other = box();
  mesh.X.conservativeResize(54, 3);
  mesh.X.bottomRows(27) = other.X.rowwise() + Eigen::RowVector3d(1, 0, 0);  // touches along a side of nine vertices
  for (int t = 0; t < other.tets(); ++t)
    append_tet(mesh, {other.T(t, 0) + 27, other.T(t, 1) + 27, other.T(t, 2) + 27, other.T(t, 3) + 27});
  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.coincident.count, 9);
  EXPECT_EQ(mesh.vertices(), 54);
  EXPECT_EQ(report.lines().size(), 1u);
}

TEST(Repair, fills_regions_and_fibers) {
  TetMesh mesh = box();
  mesh.region.resize(0);
  mesh.fiber.resize(0, 3);
  repair(mesh);
  expect_sound(mesh);
}

TEST(Repair, refuses_with_the_elements_name) {
  TetMesh mesh = box();
  mesh.T(4, 2) = 27;
  EXPECT_TRUE(mentions(refused_repair(mesh), "body.msh: tetrahedron 4"));
  EXPECT_TRUE(mentions(refused_repair(mesh), "vertices 0 to 26"));
  mesh.T(4, 2) = -1;
  EXPECT_TRUE(mentions(refused_repair(mesh), "tetrahedron 4"));
  mesh.T(4, 2) = mesh.T(4, 0);
  EXPECT_TRUE(mentions(refused_repair(mesh), "uses a vertex twice"));
  mesh = box();
  mesh.X(6, 1) = NAN;
  EXPECT_TRUE(mentions(refused_repair(mesh), "vertex 6"));
  mesh = box();
  mesh.X *= 1e150;
  EXPECT_TRUE(mentions(refused_repair(mesh), "unit of length"));
  mesh = box();
  mesh.fiber(8, 0) = INFINITY;
  EXPECT_TRUE(mentions(refused_repair(mesh), "tetrahedron 8"));
  mesh = box();
  mesh.region.conservativeResize(3);
  EXPECT_TRUE(mentions(refused_repair(mesh), "3 regions"));
  mesh = box();
  mesh.X.col(2).setZero();
  EXPECT_TRUE(mentions(refused_repair(mesh), "nothing is left: 48 flat"));
  EXPECT_TRUE(mentions(refused_repair(TetMesh{}), "empty"));
}

}  // namespace
}  // namespace brio
