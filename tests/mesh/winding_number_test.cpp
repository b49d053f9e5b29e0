// Surfaces as solids: winding numbers and distances against closed forms, and what is wrong with a surface.

#include "brio/mesh/solids/winding_number.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/solids/implicit_primitives.hpp"
#include "brio/mesh/solids/winding_tree.hpp"
#include "brio/mesh/stuffing/stuffing.hpp"

#include "mesh/mesh_checks.hpp"
#include <numbers>
#include <random>

namespace brio {
namespace {

TriangleSurface ball_surface(const Vec3& center, double radius, double size) {
  const TetMesh mesh = stuff(*make_sphere(center, radius), {.size = size}).mesh;
  return make_surface(mesh.X, boundary_triangles(mesh));
}

TriangleSurface both(const TriangleSurface& a, const TriangleSurface& b) {
  MatrixX3d X(a.X.rows() + b.X.rows(), 3);
  X << a.X, b.X;
  MatrixX3i triangles(a.faces() + b.faces(), 3);
  triangles << a.triangles, b.triangles.array() + a.vertices();
  return make_surface(X, triangles);
}

TEST(WindingNumber, is_one_inside_and_zero_outside) {
  const TriangleSurface surface = ball_surface({0.1, 0, 0}, 0.5, 0.06);
  const WindingTree tree(surface);
  const SolidPointer solid = make_surface_solid(surface);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> place(-1, 1);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 x(place(random), place(random), place(random));
    const double depth = (x - Vec3(0.1, 0, 0)).norm() - 0.5;
    if (std::fabs(depth) < 0.01) continue;  // flat triangles are up to 0.06^2 / 8 / 0.5 = 0.001 off the ball
    const double exact = depth < 0 ? 1 : 0;
    EXPECT_NEAR(winding_number(surface, x), exact, 1e-9);
    EXPECT_NEAR(tree.winding(x), exact, 0.05);  // dipoles at 2.5 radii
    EXPECT_NEAR(tree.distance(x), std::fabs(depth), 0.004);
    EXPECT_EQ(solid->value(x) < 0, depth < 0);
    EXPECT_LE(std::fabs(solid->value(x)), tree.distance(x));
  }
}

TEST(WindingNumber, tree_finds_the_nearest_triangle) {
  const TriangleSurface surface = ball_surface({0, 0, 0}, 0.5, 0.2);
  const WindingTree tree(surface);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-1, 1);
  for (int k = 0; k < 200; ++k) {
    const Vec3 x(place(random), place(random), place(random));
    // Independently: the least over a fine grid of points of every triangle.
    double best = INFINITY;
    for (int f = 0; f < surface.faces(); ++f)
      for (int i = 0; i <= 20; ++i)
        for (int j = 0; i + j <= 20; ++j)
          best = std::min(best, (x.transpose() - (i * surface.X.row(surface.triangles(f, 0)) +
                                                  j * surface.X.row(surface.triangles(f, 1)) +
                                                  (20 - i - j) * surface.X.row(surface.triangles(f, 2))) /
                                                     20)
                                    .norm());
    EXPECT_LE(tree.distance(x), best + 1e-12);
    EXPECT_NEAR(tree.distance(x), best, 0.01);  // grid spacing 0.2 / 20
  }
}

TEST(WindingNumber, filled_surface_has_the_volume_and_the_shape_of_the_surface) {
  const TriangleSurface surface = ball_surface({0, 0, 0}, 0.5, 0.04);
  const StuffedMesh again = stuff(*make_surface_solid(surface), {.size = 0.05});
  expect_sound(again.mesh);
  EXPECT_EQ(euler_characteristic(boundary_triangles(again.mesh)), 2);
  const double volume = 4 * std::numbers::pi / 3 * 0.125;
  EXPECT_NEAR(total_volume(again.mesh), volume, 0.02 * volume);
}

TEST(WindingNumber, holes_are_found_and_closed) {
  TriangleSurface surface = ball_surface({0, 0, 0}, 0.5, 0.06);
  EXPECT_TRUE(check_surface(surface).messages().empty());
  // Cut off a cap of height 0.1.
  std::vector<int> kept;
  for (int f = 0; f < surface.faces(); ++f) {
    const double y = (surface.X(surface.triangles(f, 0), 1) + surface.X(surface.triangles(f, 1), 1) +
                      surface.X(surface.triangles(f, 2), 1)) /
                     3;
    if (y < 0.4) kept.push_back(f);
  }
  const MatrixX3i rest = surface.triangles(kept, Eigen::all);
  const TriangleSurface open = make_surface(surface.X, rest);
  int rim = 0;  // edges of one kept triangle only
  {
    std::set<std::pair<int, int>> walked;
    for (Index f = 0; f < rest.rows(); ++f)
      for (int c = 0; c < 3; ++c) walked.emplace(rest(f, c), rest(f, (c + 1) % 3));
    for (const auto& [a, b] : walked) rim += !walked.contains({b, a});
  }
  const SurfaceProblems problems = check_surface(open);
  EXPECT_EQ(problems.open_edges, rim);
  EXPECT_GT(rim, 10);
  EXPECT_EQ(problems.crossings, 0);
  ASSERT_EQ(problems.messages().size(), 1u);
  EXPECT_NE(problems.messages()[0].find("holes"), std::string::npos);
  // The filling ends somewhere between the rim and the top of the ball.
  const TetMesh mesh = stuff(*make_surface_solid(open), {.size = 0.05}).mesh;
  expect_sound(mesh);
  EXPECT_GT(mesh.X.col(1).maxCoeff(), 0.36);
  EXPECT_LT(mesh.X.col(1).maxCoeff(), 0.55);
  EXPECT_NEAR(total_volume(mesh), 4 * std::numbers::pi / 3 * 0.125, 0.05 * 0.52);
}

TEST(WindingNumber, overlapping_parts_are_filled_once) {
  const TriangleSurface two = both(ball_surface({0, 0, 0}, 0.5, 0.06), ball_surface({0.5, 0.01, 0.02}, 0.5, 0.06));
  const SurfaceProblems problems = check_surface(two);
  EXPECT_GT(problems.crossings, 20);
  EXPECT_EQ(problems.open_edges, 0);
  const TetMesh mesh = stuff(*make_surface_solid(two), {.size = 0.05}).mesh;
  const double d = std::sqrt(0.25 + 0.0005), r = 0.5;
  const double lens = std::numbers::pi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12;
  EXPECT_NEAR(total_volume(mesh), 2 * 4 * std::numbers::pi / 3 * r * r * r - lens, 0.03);
}

TEST(WindingNumber, says_what_else_is_odd) {
  TriangleSurface surface = ball_surface({0, 0, 0}, 0.5, 0.2);
  TriangleSurface turned = surface;
  turned.triangles.col(0).swap(turned.triangles.col(1));
  EXPECT_TRUE(check_surface(turned).inside_out);
  EXPECT_LT(make_surface_solid(turned)->value({0, 0, 0}), 0);
  TriangleSurface one_turned = surface;
  std::swap(one_turned.triangles(0, 0), one_turned.triangles(0, 1));
  EXPECT_EQ(check_surface(one_turned).inconsistent_edges, 3);
  MatrixX3i more(surface.faces() + 1, 3);
  more << surface.triangles, surface.triangles.row(0);
  EXPECT_EQ(check_surface(make_surface(surface.X, more)).nonmanifold_edges, 3);
  EXPECT_THROW(make_surface_solid(make_surface(surface.X, MatrixX3i(0, 3))), Error);
  MatrixX3i flat(1, 3);
  flat << 0, 1, 1;
  EXPECT_THROW(make_surface_solid(make_surface(surface.X, flat)), Error);
}

}  // namespace
}  // namespace brio
