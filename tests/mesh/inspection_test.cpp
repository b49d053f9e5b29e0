// What `brio info` finds, on bodies whose numbers are known.

#include "brio/mesh/inspection.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generators/box.hpp"
#include "brio/mesh/surface.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace brio {
namespace {

LoadedMesh of_tets(TetMesh mesh) {
  LoadedMesh loaded;
  loaded.mesh = std::move(mesh);
  return loaded;
}

LoadedMesh of_surface(TriangleSurface surface) {
  LoadedMesh loaded;
  loaded.surface = std::move(surface);
  return loaded;
}

bool says(const MeshInspection& inspection, const std::string& text) {
  for (const std::string& problem : inspection.problems)
    if (problem.find(text) != std::string::npos) return true;
  return false;
}

TEST(Inspection, box_of_tetrahedra) {
  const MeshInspection found = inspect(of_tets(make_box({2, 3, 4}, {2, 3, 4}, 6, {1, 0, 0})));
  EXPECT_TRUE(found.tets);
  EXPECT_EQ(found.vertices, 60);
  EXPECT_EQ(found.cells, 6 * 24);
  EXPECT_EQ(found.low, Vec3(1, 0, 0));
  EXPECT_EQ(found.high, Vec3(3, 3, 4));
  EXPECT_NEAR(found.volume, 24, 1e-12);  // sums of 144 terms of order one
  EXPECT_NEAR(found.area, 52, 1e-12);
  EXPECT_EQ(found.components, 1);
  EXPECT_EQ(found.euler, 1);  // of a ball
  EXPECT_EQ(found.boundary_euler, 2);
  EXPECT_EQ(found.boundary_triangles, 2 * 52);
  EXPECT_EQ(found.regions, (std::map<int, int>{{0, 144}}));
  EXPECT_TRUE(found.problems.empty());
  EXPECT_EQ(std::accumulate(found.dihedral.counts.begin(), found.dihedral.counts.end(), 0L), 6 * 144);
  EXPECT_EQ(std::accumulate(found.aspect.counts.begin(), found.aspect.counts.end(), 0L), 144);
  // The six tetrahedra of a cube have angles of 45, 60 and 90 degrees only.
  for (int degrees : {0, 10, 20, 30, 70, 100, 110, 170}) EXPECT_EQ(found.dihedral.counts[degrees / 10], 0) << degrees;
}

TEST(Inspection, box_with_a_hole_is_a_torus) {
  TetMesh mesh = make_box({3, 3, 1}, {3, 3, 1}, 6);
  std::vector<int> kept;
  for (int t = 0; t < mesh.tets(); ++t) {
    Vec3 center = Vec3::Zero();
    for (int c = 0; c < 4; ++c) center += mesh.X.row(mesh.T(t, c)) / 4;
    if (!(center[0] > 1 && center[0] < 2 && center[1] > 1 && center[1] < 2)) kept.push_back(t);
  }
  const TetMesh whole = mesh;
  mesh.T = whole.T(kept, Eigen::all);
  mesh.region = whole.region(kept);
  mesh.fiber = whole.fiber(kept, Eigen::all);
  const MeshInspection found = inspect(of_tets(mesh));
  EXPECT_NEAR(found.volume, 8, 1e-12);
  EXPECT_EQ(found.euler, 0);
  EXPECT_EQ(found.boundary_euler, 0);
  EXPECT_EQ(found.components, 1);
}

TEST(Inspection, bad_tetrahedra_are_named) {
  TetMesh mesh = make_box({1, 1, 1}, {1, 1, 1}, 6);
  const int n = mesh.tets();
  TetMesh bad = mesh;
  bad.T.conservativeResize(n + 2, 4);
  bad.T.row(n) = mesh.T.row(0);         // a duplicate
  bad.T.row(n + 1) << 0, 1, 2, 3;       // four corners of one side
  std::swap(bad.T(1, 0), bad.T(1, 1));  // inside out
  bad.region = VectorXi::Zero(n + 2);
  bad.fiber = MatrixX3d::Zero(n + 2, 3);
  bad.X.conservativeResize(9, 3);
  bad.X.row(8) << 5, 5, 5;
  const MeshInspection found = inspect(of_tets(bad));
  EXPECT_TRUE(says(found, "inside out"));
  EXPECT_TRUE(says(found, "duplicate"));
  EXPECT_TRUE(says(found, "in no tetrahedron"));
  EXPECT_TRUE(says(found, "overlap"));
  bad.T(0, 0) = bad.T(0, 1);
  EXPECT_TRUE(says(inspect(of_tets(bad)), "uses a vertex twice"));
}

/// Corners of a cube and its twelve triangles, facing outwards.
TriangleSurface cube() { return boundary_surface(make_box({1, 1, 1}, {1, 1, 1}, 6)); }

TEST(Inspection, closed_surface) {
  const MeshInspection found = inspect(of_surface(cube()));
  EXPECT_FALSE(found.tets);
  EXPECT_EQ(found.cells, 12);
  EXPECT_EQ(found.vertices, 8);
  EXPECT_EQ(found.euler, 2);
  EXPECT_EQ(found.components, 1);
  EXPECT_TRUE(found.closed);
  EXPECT_NEAR(found.volume, 1, 1e-14);  // a dozen terms
  EXPECT_NEAR(found.area, 6, 1e-14);
  EXPECT_TRUE(found.problems.empty());
}

TEST(Inspection, bad_surfaces_are_named) {
  TriangleSurface open = cube();
  open.triangles.conservativeResize(11, 3);
  EXPECT_TRUE(says(inspect(of_surface(open)), "3 edges of one triangle only"));
  EXPECT_FALSE(inspect(of_surface(open)).closed);

  TriangleSurface turned = cube();
  std::swap(turned.triangles(0, 0), turned.triangles(0, 1));
  EXPECT_TRUE(says(inspect(of_surface(turned)), "3 edges whose two triangles are wound"));

  TriangleSurface inwards = cube();
  inwards.triangles.col(0).swap(inwards.triangles.col(1));
  EXPECT_TRUE(says(inspect(of_surface(inwards)), "inside out"));

  TriangleSurface many = cube();
  many.X.conservativeResize(11, 3);
  many.X.bottomRows(3) << 2, 2, 2, 0, 0, 0, 3, 3, 3;  // a fin's tip, a twin of a corner, a point alone
  many.triangles.conservativeResize(15, 3);
  many.triangles.row(12) << many.triangles(0, 0), many.triangles(0, 1), 8;
  many.triangles.row(13) = many.triangles.row(0);
  many.triangles.row(14) << 9, 9, 1;
  const MeshInspection found = inspect(of_surface(many));
  EXPECT_TRUE(says(found, "of more than two triangles"));
  EXPECT_TRUE(says(found, "1 duplicate triangle"));
  EXPECT_TRUE(says(found, "1 triangle without area"));
  EXPECT_TRUE(says(found, "1 vertex of no triangle"));
  EXPECT_TRUE(says(found, "1 vertex at the same place"));
}

TEST(Inspection, nothing_is_refused) { EXPECT_THROW(inspect(LoadedMesh()), Error); }

}  // namespace
}  // namespace brio
