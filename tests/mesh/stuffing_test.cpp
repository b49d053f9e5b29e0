// Isosurface stuffing: angles, distance from the shape, topology, convergence, targets, refusals.

#include "brio/mesh/stuffing/stuffing.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/quality.hpp"
#include "brio/mesh/solids/implicit_operations.hpp"
#include "brio/mesh/solids/implicit_primitives.hpp"
#include "brio/mesh/solids/winding_tree.hpp"

#include "mesh/mesh_checks.hpp"
#include <numbers>
#include <random>

namespace brio {
namespace {

using std::numbers::pi;

struct Known {
  const char* name;
  SolidPointer solid;
  double volume;  ///< [m^3]
  int euler;      ///< of the surface
};

std::vector<Known> known_shapes() {
  const double r = 0.17, R = 0.4, l = 0.7;
  return {{"sphere", make_sphere({0.1, 0.2, 0.3}, 0.5), 4 * pi / 3 * 0.125, 2},
          {"torus", make_torus(Vec3::Zero(), Vec3(1, 2, 3).normalized(), R, r), 2 * pi * pi * R * r * r, 0},
          {"capsule", make_capsule({-0.2, 0, 0.1}, Vec3(-0.2, 0, 0.1) + l * Vec3(2, 1, 2) / 3, r, r),
           pi * r * r * (l + 4 * r / 3), 2}};
}

TEST(Stuffing, sphere_torus_and_capsule_are_sound_near_the_shape_and_well_shaped) {
  for (const Known& known : known_shapes())
    for (double size : {0.11, 0.05, 0.03}) {
      SCOPED_TRACE(fmt::format("{} {}", known.name, size));
      const StuffedMesh stuffed = stuff(*known.solid, {.size = size});
      const TetMesh& mesh = stuffed.mesh;
      expect_sound(mesh);
      EXPECT_EQ(stuffed.components, 1);
      const MatrixX3i surface = boundary_triangles(mesh);
      EXPECT_EQ(euler_characteristic(surface), known.euler);
      const MeshQuality quality = measure_quality(mesh);
      EXPECT_GT(quality.least_dihedral, 10);
      EXPECT_LT(quality.most_dihedral, 165);

      // From the mesh to the shape: vertices lie on it, and the middles of triangles are the farthest away.
      for (int i : surface_vertices(surface)) ASSERT_LT(std::fabs(known.solid->value(mesh.X.row(i))), 1e-5 * size);
      for (Index f = 0; f < surface.rows(); ++f) {
        const Vec3 middle = (mesh.X.row(surface(f, 0)) + mesh.X.row(surface(f, 1)) + mesh.X.row(surface(f, 2))) / 3;
        ASSERT_LT(std::fabs(known.solid->value(middle)), size / 3);
      }
      // And back: random points are moved onto the shape along the gradient of the distance, which is exact.
      const WindingTree tree(make_surface(mesh.X, surface));
      std::mt19937 random(1);
      std::uniform_real_distribution<double> uniform(0, 1);
      const Box box = known.solid->bounds();
      for (int k = 0; k < 1000; ++k) {
        Vec3 x = box.min() + box.sizes().cwiseProduct(Vec3(uniform(random), uniform(random), uniform(random)));
        for (int step = 0; step < 3; ++step) {
          const double e = 1e-6, d = known.solid->value(x);
          Vec3 gradient;
          for (int c = 0; c < 3; ++c)
            gradient[c] =
                (known.solid->value(x + e * Vec3::Unit(c)) - known.solid->value(x - e * Vec3::Unit(c))) / (2 * e);
          x -= d * gradient;
        }
        if (std::fabs(known.solid->value(x)) > 1e-6) continue;  // it began where the gradient has a jump
        ASSERT_LT(tree.distance(x), size / 3);
      }
    }
}

TEST(Stuffing, volume_converges_at_second_order) {
  for (const Known& known : known_shapes()) {
    SCOPED_TRACE(known.name);
    const auto missing = [&](double size) {
      return 1 - total_volume(stuff(*known.solid, {.size = size}).mesh) / known.volume;
    };
    const double coarse = missing(0.06), fine = missing(0.03);
    // A factor of four, up to the chance of how the lattice meets the shape: some percent of the missing volume, as
    // hundreds of cells lie on the surface.
    EXPECT_NEAR(coarse / fine, 4, 0.8);
    EXPECT_LT(std::fabs(fine), 0.02);
  }
}

/// Waves about as long as a cell: every way to cut a tetrahedron occurs.
class Waves : public SignedDistance {
 public:
  explicit Waves(int seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Vec3& k : wave_) k = 12 * Vec3(uniform(random), uniform(random), uniform(random));
  }
  double value(const Vec3& x) const override {
    double sum = 0;
    for (const Vec3& k : wave_) sum += std::sin(k.dot(x) + k[0]) / k.norm() / 6;
    return std::max(sum, x.cwiseAbs().maxCoeff() - 2);
  }
  Box bounds() const override { return {Vec3::Constant(-2), Vec3::Constant(2)}; }

 private:
  std::array<Vec3, 6> wave_;
};

TEST(Stuffing, angles_are_bounded_whatever_the_shape) {
  for (int seed = 0; seed < 6; ++seed) {
    const Waves waves(seed);
    const StuffedMesh stuffed = stuff(waves, {.size = 0.22, .keep = Keep::all});
    EXPECT_GT(stuffed.mesh.tets(), 10000);
    const MeshQuality quality = measure_quality(stuffed.mesh);
    EXPECT_GT(quality.least_volume, 0);
    EXPECT_GT(quality.least_dihedral, 10.5);
    EXPECT_LT(quality.most_dihedral, 163.8);
    // No cracks: each face belongs to two tetrahedra or to the surface, which encloses what they fill.
    const MatrixX3i surface = boundary_triangles(stuffed.mesh);
    EXPECT_NEAR(enclosed_volume(stuffed.mesh.X, surface) / quality.volume, 1, 1e-10);
  }
}

/// The triangles of the surface as places, in an order of their own.
std::vector<std::array<double, 9>> placed_surface(const TetMesh& mesh) {
  const MatrixX3i surface = boundary_triangles(mesh);
  std::vector<std::array<double, 9>> placed(surface.rows());
  for (Index f = 0; f < surface.rows(); ++f) {
    int first = 0;
    const auto before = [&](int a, int b) {
      const Vec3 x = mesh.X.row(surface(f, a)), y = mesh.X.row(surface(f, b));
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    };
    for (int a = 1; a < 3; ++a)
      if (before(a, first)) first = a;
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) placed[f][3 * a + c] = mesh.X(surface(f, (first + a) % 3), c);
  }
  std::sort(placed.begin(), placed.end());
  return placed;
}

TEST(Stuffing, a_graded_interior_has_the_same_surface_and_fewer_vertices) {
  for (const Known& known : known_shapes()) {
    SCOPED_TRACE(known.name);
    const double size = 0.02;
    const TetMesh even = stuff(*known.solid, {.size = size}).mesh;
    const TetMesh graded = stuff(*known.solid, {.size = size, .graded = true}).mesh;
    expect_sound(graded);
    EXPECT_EQ(placed_surface(graded), placed_surface(even));
    // No gap and no overlap: one tetrahedron is a millionth, the round-off of half a million summands far less.
    EXPECT_NEAR(total_volume(graded) / total_volume(even), 1, 1e-10);
    EXPECT_LT(graded.vertices(), 0.85 * even.vertices());  // torus and capsule are only 17 cells thick
    const MeshQuality quality = measure_quality(graded);
    EXPECT_GT(quality.least_dihedral, 10.5);
    EXPECT_LT(quality.most_dihedral, 163.8);
    std::vector<bool> used(graded.vertices(), false);
    for (int t = 0; t < graded.tets(); ++t)
      for (int a = 0; a < 4; ++a) used[graded.T(t, a)] = true;
    EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
  }
}

TEST(Stuffing, graded_cells_grow_in_a_large_body) {
  const auto ball = make_sphere(Vec3::Zero(), 0.5);
  const TetMesh mesh = stuff(*ball, {.size = 0.02, .graded = true}).mesh;
  double longest = 0;
  for (int t = 0; t < mesh.tets(); ++t)
    longest = std::max(longest, (mesh.X.row(mesh.T(t, 0)) - mesh.X.row(mesh.T(t, 1))).norm());
  EXPECT_GT(longest, 4 * 0.02);  // cells of four cubes, at least, fit into a ball of fifty
  const StuffedMesh asked = stuff(*ball, {.vertices = 5000, .graded = true});
  EXPECT_NEAR(asked.mesh.vertices(), 5000, 250);
}

TEST(Stuffing, same_bits_for_any_number_of_threads) {
  const Known torus = known_shapes()[1];
  set_thread_count(1);
  const StuffedMesh one = stuff(*torus.solid, {.size = 0.02});
  set_thread_count(3);
  const StuffedMesh three = stuff(*torus.solid, {.size = 0.02});
  set_thread_count(0);
  EXPECT_EQ(one.mesh.X, three.mesh.X);
  EXPECT_EQ(one.mesh.T, three.mesh.T);
}

TEST(Stuffing, meets_a_target_of_vertices) {
  for (const Known& known : known_shapes())
    for (int vertices : {500, 3000, 20000}) {
      const StuffedMesh stuffed = stuff(*known.solid, {.vertices = vertices});
      EXPECT_NEAR(stuffed.mesh.vertices(), vertices, 0.05 * vertices) << known.name;
    }
}

TEST(Stuffing, follows_what_is_thinner_than_a_cell_and_says_what_falls_apart) {
  const SolidPointer wide = make_sphere(Vec3::Zero(), 0.5);
  const SolidPointer needle = make_capsule({0.4, 0, 0}, {1, 0.1, 0.2}, 0.02, 0.02);
  const StuffedMesh followed = stuff(*make_union({wide, needle}), {.size = 0.1});
  ASSERT_GE(followed.messages().size(), 1u);
  EXPECT_NE(followed.messages()[0].find("cells follow the thickness"), std::string::npos);
  EXPECT_GT(followed.mesh.X.col(0).maxCoeff(), 0.99);  // the end of the needle is round, and cut off a little
  EXPECT_LT(followed.smallest, 0.03);
  const StuffedMesh with = stuff(*make_union({wide, needle}), {.size = 0.012});
  EXPECT_EQ(with.lost_places, 0);
  EXPECT_GT(with.mesh.X.col(0).maxCoeff(), 1);

  const SolidPointer far = make_sphere({2, 0, 0}, 0.5);
  const StuffedMesh apart = stuff(*make_union({wide, far}), {.size = 0.1});
  EXPECT_EQ(apart.components, 2);
  ASSERT_EQ(apart.messages().size(), 1u);
  EXPECT_NE(apart.messages()[0].find("2 parts"), std::string::npos);
}

std::string refused_filling(const SignedDistance& body, const StuffingTarget& target) {
  try {
    stuff(body, target);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Stuffing, refuses_what_cannot_be_made_before_taking_memory) {
  const SolidPointer ball = make_sphere(Vec3::Zero(), 0.5);
  EXPECT_NE(refused_filling(*ball, {.size = 1e-3}).find("use a larger size"), std::string::npos);
  EXPECT_NE(refused_filling(*ball, {.size = 1e-6}).find("too small"), std::string::npos);
  EXPECT_NE(refused_filling(*ball, {.size = 1e-300}).find("too small"), std::string::npos);
  EXPECT_NE(refused_filling(*ball, {.vertices = 2000000000}), "");
  EXPECT_NE(refused_filling(*ball, {.size = NAN}), "");
  EXPECT_NE(refused_filling(*ball, {}).find("either"), std::string::npos);
  EXPECT_NE(refused_filling(*ball, {.size = 1, .vertices = 5}).find("either"), std::string::npos);
  EXPECT_NE(refused_filling(*make_sphere(Vec3::Zero(), INFINITY), {.size = 0.1}), "");
  EXPECT_NE(refused_filling(*make_sphere(Vec3(NAN, 0, 0), 1), {.size = 0.1}), "");
  const SolidPointer nothing = make_intersection({ball, make_sphere({5, 0, 0}, 0.5)});
  EXPECT_NE(refused_filling(*nothing, {.size = 0.1}).find("no point of the lattice"), std::string::npos);
  EXPECT_NE(refused_filling(*nothing, {.vertices = 1000}).find("empty"), std::string::npos);
}

}  // namespace
}  // namespace brio
