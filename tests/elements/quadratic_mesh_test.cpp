// Meshes of quadratic tetrahedra: made of linear ones, split, weighed, turned round, and refused where they fold.

#include "brio/core/error.hpp"
#include "brio/mesh/inspection.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/mesh/repair.hpp"
#include "brio/mesh/surface.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"

namespace brio {
namespace {

using testing::shaken;

TetMesh quadratic_box(int cells) {
  TetMesh mesh = make_box(Vec3(1, 0.8, 0.6), {cells, cells, cells}, 5);
  make_quadratic(mesh);
  return mesh;
}

TEST(QuadraticMesh, has_one_vertex_in_the_middle_of_each_edge) {
  const TetMesh linear = make_box(Vec3(1, 0.8, 0.6), {2, 2, 2}, 5), mesh = quadratic_box(2);
  std::set<std::pair<int, int>> edges;
  for (int t = 0; t < mesh.tets(); ++t)
    for (int e = 0; e < 6; ++e) {
      const int a = mesh.T(t, kEdgeCorners[e][0]), b = mesh.T(t, kEdgeCorners[e][1]);
      edges.insert(std::minmax(a, b));
      EXPECT_LT((mesh.X.row(mesh.mid(t, e)) - 0.5 * (mesh.X.row(a) + mesh.X.row(b))).norm(), 1e-15);
    }
  EXPECT_EQ(mesh.vertices(), linear.vertices() + static_cast<int>(edges.size()));
  EXPECT_EQ(mesh.order(), 2);
  EXPECT_NO_THROW(validate(mesh));
  TetMesh back = mesh;
  const std::vector<int> number = make_linear(back);
  EXPECT_EQ(back.X, linear.X);
  EXPECT_EQ(back.T, linear.T);
  EXPECT_EQ(number.back(), -1);
}

TEST(QuadraticMesh, splits_into_linear_tetrahedra_that_fill_it) {
  const TetMesh mesh = quadratic_box(2), split = split_tets(mesh);
  EXPECT_EQ(split.tets(), 8 * mesh.tets());
  double volume = 0;
  for (int t = 0; t < split.tets(); ++t) {
    EXPECT_NEAR(tet_volume(split, t), tet_volume(mesh, t / 8) / 8, 1e-15);
    volume += tet_volume(split, t);
  }
  EXPECT_NEAR(volume, 0.48, 1e-14);
  // Its boundary is that of the split mesh, triangle by triangle.
  const auto triangles = [](const TetMesh& m) {
    std::set<std::array<int, 3>> all;
    const MatrixX3i boundary = boundary_triangles(m);
    for (Index i = 0; i < boundary.rows(); ++i) {
      std::array<int, 3> t = {boundary(i, 0), boundary(i, 1), boundary(i, 2)};
      std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
      all.insert(t);
    }
    return all;
  };
  EXPECT_EQ(triangles(mesh), triangles(split));
  EXPECT_EQ(connected_components(mesh).count, 1);
  EXPECT_GE(connected_components(mesh).of_vertex.minCoeff(), 0);
}

TEST(QuadraticMesh, masses_are_positive_and_add_up) {
  TetMesh mesh = quadratic_box(2);
  VectorXd mass = lumped_mass(mesh, 1000);
  EXPECT_GT(mass.minCoeff(), 0);
  EXPECT_NEAR(mass.sum(), 480, 480e-15 * mesh.vertices());
  // Curved inside: the outside, and so the whole, stay as they are. That is exact only where volumes are.
  const std::vector<int> surface = surface_vertices(boundary_triangles(mesh));
  const MatrixX3d moved = shaken(mesh.X, 0.03);
  for (int v = 0; v < mesh.vertices(); ++v)
    if (!std::binary_search(surface.begin(), surface.end(), v)) mesh.X.row(v) = moved.row(v);
  mass = lumped_mass(mesh, 1000);
  EXPECT_GT(mass.minCoeff(), 0);
  EXPECT_NEAR(mass.sum(), 480, 480e-15 * mesh.vertices());
}

TEST(QuadraticMesh, curved_volume_against_the_divergence_theorem) {
  // x -> x + c x^2-like bending of a box by a quadratic map: a quadratic element follows it exactly, and the volume of
  // (x, y, z + a x^2 + b x y) is that of the box, of (x, y, z (1 + a x)) the integral of 1 + a x.
  TetMesh mesh = quadratic_box(1);
  for (int v = 0; v < mesh.vertices(); ++v) mesh.X(v, 2) *= 1 + 0.3 * mesh.X(v, 0);
  double volume = 0;
  for (int t = 0; t < mesh.tets(); ++t) volume += element_volume(mesh, t);
  EXPECT_NEAR(volume, 0.48 * (1 + 0.3 * 0.5), 1e-14);
  // Its top bulges: the corners alone would not tell.
  LoadedMesh loaded;
  loaded.mesh = quadratic_box(1);
  for (auto x : loaded.mesh.X.rowwise()) x[2] *= 1 + x[0] * (1 - x[0]);
  double bulging = 0;
  for (int t = 0; t < loaded.mesh.tets(); ++t) bulging += element_volume(loaded.mesh, t);
  EXPECT_GT(bulging, 0.5);
  EXPECT_NEAR(inspect(loaded).volume, bulging, 1e-14);
}

TEST(QuadraticMesh, repair_turns_inverted_elements_with_their_edges) {
  const TetMesh sound = quadratic_box(1);
  TetMesh mesh = sound;
  turn_round(mesh, 1);
  EXPECT_LT(tet_volume(mesh, 1), 0);
  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.flipped.count, 1);
  EXPECT_EQ(mesh.T, sound.T);
  EXPECT_EQ(mesh.mid, sound.mid);
  EXPECT_NO_THROW(validate(mesh));
}

TEST(QuadraticMesh, repair_keeps_vertices_on_edges_and_drops_others) {
  TetMesh mesh = quadratic_box(1);
  const TetMesh sound = mesh;
  mesh.X.conservativeResize(mesh.vertices() + 1, 3);
  mesh.X.bottomRows(1) << 9, 9, 9;
  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.unreferenced.count, 1);
  EXPECT_EQ(mesh.X, sound.X);
}

TetMesh one_element() {
  TetMesh mesh;
  mesh.X.resize(4, 3);
  mesh.X << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  mesh.T.resize(1, 4);
  mesh.T << 0, 1, 2, 3;
  make_quadratic(mesh);
  return mesh;
}

/// The vertex on edge 01 at x = s: along the edge dx/ds = (4 s - 1) (at corner 0), which is zero at a quarter.
TEST(QuadraticMesh, folds_where_a_node_passes_the_quarter_of_its_edge) {
  for (const double s : {0.26, 0.3, 0.5, 0.74}) {
    TetMesh mesh = one_element();
    mesh.X(4, 0) = s;
    const double least = std::min(4 * s - 1, 3 - 4 * s);  // linear along the edge, and elsewhere more
    EXPECT_GT(least_jacobian(mesh, 0), 0) << s;
    EXPECT_LE(least_jacobian(mesh, 0), least + 1e-12) << s;
    EXPECT_NO_THROW(validate(mesh)) << s;
  }
  for (const double s : {0.24, 0.76, 0.1}) {
    TetMesh mesh = one_element();
    mesh.X(4, 0) = s;
    EXPECT_LT(least_jacobian(mesh, 0), 0) << s;
    try {
      validate(mesh, "cow.msh");
      FAIL() << s;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("cow.msh: tetrahedron 0 (vertices 0, 1, 2, 3): its curved sides fold"),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_NEAR(least_jacobian(one_element(), 0), 1, 1e-12);
}

TEST(QuadraticMesh, refuses_edges_that_do_not_fit_together) {
  TetMesh mesh = quadratic_box(1);
  std::swap(mesh.mid(0, 0), mesh.mid(0, 1));
  EXPECT_THROW(validate_arrays(mesh), Error);
  mesh = quadratic_box(1);
  mesh.mid(0, 3) = mesh.T(0, 0);
  EXPECT_THROW(validate_arrays(mesh), Error);
  mesh = quadratic_box(1);
  mesh.mid(0, 3) = 1000;
  EXPECT_THROW(validate_arrays(mesh), Error);
  mesh = quadratic_box(1);
  mesh.mid.conservativeResize(3, 6);
  EXPECT_THROW(validate_arrays(mesh), Error);
}

}  // namespace
}  // namespace brio
