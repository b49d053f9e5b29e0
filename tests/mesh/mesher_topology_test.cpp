// Bodies with thin limbs and many handles, given by formulas: the mesher fills each to one body that hangs together by
// faces, with the handles of the shape, bounded angles and about its volume, or says where it does not.

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/quality.hpp"
#include "brio/mesh/solids/implicit_operations.hpp"
#include "brio/mesh/solids/implicit_primitives.hpp"
#include "brio/mesh/solids/winding_number.hpp"
#include "brio/mesh/stuffing/stuffing.hpp"
#include "brio/mesh/stuffing/stuffing_reference.hpp"
#include "brio/mesh/stuffing/stuffing_thickness.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/mesh/topology.hpp"

#include "mesh/mesh_checks.hpp"
#include <numbers>

namespace brio {
namespace {

using std::numbers::pi;

SolidPointer rod(const Vec3& a, const Vec3& b, double r) { return make_capsule(a, b, r, r); }

/// Everything within r of a closed curve, given by points on it.
SolidPointer tube(int pieces, double r, const std::function<Vec3(double)>& curve, bool closed = true) {
  std::vector<SolidPointer> parts;
  for (int i = 0; i < pieces; ++i)
    parts.push_back(
        rod(curve(double(i) / pieces), curve(double((i + 1) % (closed ? pieces : pieces + 1)) / pieces), r));
  return make_union(parts);
}

/// A layer of thickness 2 t around the gyroid with `periods` periods in a box of edge 1, cut off by the box.
class GyroidShell : public SignedDistance {
 public:
  GyroidShell(double periods, double t) : k_(2 * pi * periods), t_(t) {}
  double value(const Vec3& x) const override {
    const Vec3 s = (k_ * x).array().sin(), c = (k_ * x).array().cos();
    const double gyroid = (s[0] * c[1] + s[1] * c[2] + s[2] * c[0]) / (k_ * std::sqrt(3.0));  // of slope one at most
    return std::max(std::fabs(gyroid) - t_, x.cwiseAbs().maxCoeff() - 0.5);
  }
  Box bounds() const override { return {Vec3::Constant(-0.5), Vec3::Constant(0.5)}; }

 private:
  double k_, t_;
};

struct Body {
  const char* name;
  SolidPointer solid;
  int genus;
  int vertices;  ///< asked for
};

std::vector<Body> bodies() {
  const auto ring = [](double R) {
    return [R](double u) { return Vec3(R * std::cos(2 * pi * u), R * std::sin(2 * pi * u), 0); };
  };
  const auto trefoil = [](double u) {
    const double a = 2 * pi * u;
    return Vec3(0.3 * (std::sin(a) + 2 * std::sin(2 * a)), 0.3 * (std::cos(a) - 2 * std::cos(2 * a)),
                -0.3 * std::sin(3 * a));
  };
  const auto helix = [](double u) { return Vec3(0.4 * std::cos(6 * pi * u), u, 0.4 * std::sin(6 * pi * u)); };

  std::vector<SolidPointer> spider{make_sphere(Vec3::Zero(), 0.25)};
  for (int leg = 0; leg < 8; ++leg) {
    const double a = pi / 8 + leg * pi / 4;
    const Vec3 knee(0.6 * std::cos(a), 0.35, 0.6 * std::sin(a)), foot(1.0 * std::cos(a), -0.3, 1.0 * std::sin(a));
    spider.push_back(rod(Vec3::Zero(), knee, 0.03));
    spider.push_back(rod(knee, foot, 0.03));
  }
  std::vector<SolidPointer> chair{make_cuboid({0, 0.5, 0}, {0.5, 0.06, 0.5}),
                                  make_cuboid({0, 0.9, -0.22}, {0.5, 0.3, 0.05})};
  for (double x : {-0.2, 0.2})
    for (double z : {-0.22, 0.2}) chair.push_back(rod({x, 0, z}, {x, z < 0 ? 0.9 : 0.5, z}, 0.03));
  std::vector<SolidPointer> ladder{rod({-0.2, 0, 0}, {-0.2, 1.5, 0}, 0.03), rod({0.2, 0, 0}, {0.2, 1.5, 0}, 0.03)};
  for (int rung = 0; rung < 6; ++rung)
    ladder.push_back(rod({-0.2, 0.2 + 0.22 * rung, 0}, {0.2, 0.2 + 0.22 * rung, 0}, 0.025));
  std::vector<SolidPointer> lattice, cage, comb{make_cuboid({0, 0, 0}, {1, 0.12, 0.12})}, hand,
      wheel{tube(24, 0.04, ring(0.5))};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 a = Vec3::Zero();
        a[(axis + 1) % 3] = 0.5 * i, a[(axis + 2) % 3] = 0.5 * j;
        lattice.push_back(rod(a, a + Vec3::Unit(axis), 0.06));
      }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 a = Vec3::Zero();
        a[(axis + 1) % 3] = i, a[(axis + 2) % 3] = j;
        cage.push_back(rod(a, a + Vec3::Unit(axis), 0.04));
      }
  for (int tooth = 0; tooth < 8; ++tooth)
    comb.push_back(rod({-0.44 + 0.125 * tooth, 0, 0}, {-0.44 + 0.125 * tooth, -0.5, 0}, 0.03));
  hand.push_back(make_cuboid({0, 0, 0}, {0.4, 0.4, 0.12}));
  for (int finger = 0; finger < 4; ++finger)
    hand.push_back(rod({-0.15 + 0.1 * finger, 0.1, 0}, {-0.2 + 0.13 * finger, 0.55, 0}, 0.035));
  hand.push_back(rod({0.15, -0.1, 0}, {0.4, 0.15, 0}, 0.04));
  for (int spoke = 0; spoke < 8; ++spoke) wheel.push_back(rod(Vec3::Zero(), ring(0.5)(spoke / 8.0), 0.025));
  const SolidPointer ball = make_sphere(Vec3::Zero(), 0.5);
  std::vector<SolidPointer> sieve;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      sieve.push_back(make_capsule({0.3 * i - 0.3, 0.3 * j - 0.3, -1}, {0.3 * i - 0.3, 0.3 * j - 0.3, 1}, 0.1, 0.1));

  return {
      {"spider", make_union(spider), 0, 6000},
      {"chair", make_union(chair), 1, 3000},
      {"ladder", make_union(ladder), 5, 2500},
      {"trefoil", tube(60, 0.08, trefoil), 1, 2500},
      {"thin plate", make_cuboid(Vec3::Zero(), {1, 1, 0.05}), 0, 3500},
      {"lattice", make_union(lattice), 28, 6000},
      {"gyroid shell", std::make_shared<GyroidShell>(1.0, 0.04), -1, 6000},
      {"helix", tube(90, 0.05, helix, false), 0, 2500},
      {"thin ring", make_torus(Vec3::Zero(), Vec3(1, 2, 3).normalized(), 0.5, 0.03), 1, 1500},
      {"two rings",
       make_union(
           {make_torus({-0.2, 0, 0}, Vec3::UnitZ(), 0.35, 0.05), make_torus({0.2, 0, 0}, Vec3::UnitZ(), 0.35, 0.05)}),
       3, 2500},
      {"cage", make_union(cage), 5, 4000},
      {"comb", make_union(comb), 0, 3000},
      {"hand", make_union(hand, 0.02), 0, 2000},
      {"wheel", make_union(wheel), 8, 4000},
      {"dumbbell with a thin neck",
       make_union(
           {make_sphere({-0.6, 0, 0}, 0.3), make_sphere({0.6, 0, 0}, 0.3), rod({-0.6, 0, 0}, {0.6, 0, 0}, 0.03)}),
       0, 2500},
      {"sword",
       make_union({make_cuboid({0, 0.5, 0}, {0.12, 1.2, 0.03}), rod({-0.2, -0.1, 0}, {0.2, -0.1, 0}, 0.04),
                   rod({0, -0.1, 0}, {0, -0.35, 0}, 0.035)}),
       0, 2500},
      {"bowl", make_difference(ball, {make_sphere(Vec3::Zero(), 0.45), make_cuboid({0, 0.5, 0}, {2, 1, 2})}), 0, 6000},
      {"hollow ball", make_difference(ball, {make_sphere(Vec3::Zero(), 0.42)}), 0, 5000},
      {"sieve", make_difference(make_cuboid(Vec3::Zero(), {1, 1, 0.15}), sieve), 9, 5000},
      {"flag on a pole", make_union({rod({0, 0, 0}, {0, 1.5, 0}, 0.03), make_cuboid({0.3, 1.2, 0}, {0.6, 0.4, 0.04})}),
       0, 2500}};
}

class ThinBody : public ::testing::TestWithParam<int> {};

TEST_P(ThinBody, is_one_sound_part_with_its_handles) {
  const Body body = bodies()[GetParam()];
  SCOPED_TRACE(body.name);
  StuffingTarget target{.vertices = body.vertices};
  if (body.genus >= 0) target.genus = body.genus;
  const StuffedMesh stuffed = stuff(*body.solid, target);
  EXPECT_EQ(stuffed.components, 1);
  EXPECT_EQ(face_parts(stuffed.mesh, find_faces(stuffed.mesh)).count(), 1);
  const MatrixX3i boundary = boundary_triangles(stuffed.mesh);
  EXPECT_EQ(find_pinches(boundary).count(), 0u);
  if (body.genus >= 0) {
    EXPECT_EQ(surface_genus(boundary), body.genus);
  }
  EXPECT_LE(stuffed.mesh.vertices(), 1.1 * body.vertices);
  const MeshQuality quality = measure_quality(stuffed.mesh);
  EXPECT_GE(quality.least_dihedral, 10.5);
  EXPECT_LE(quality.most_dihedral, 163.8);
  EXPECT_GT(quality.least_volume, 0);
  for (int i : surface_vertices(boundary))
    ASSERT_LT(std::fabs(body.solid->value(stuffed.mesh.X.row(i))), 1e-4 * stuffed.size);
  // Edges and limbs of a cell or two are cut off: some percent of the volume, said where it is more than two.
  EXPECT_GT(quality.volume, 0.85 * stuffed.shape.volume);
  EXPECT_LT(quality.volume, 1.02 * stuffed.shape.volume);
  const std::vector<std::string> messages = stuffed.messages();
  if (quality.volume < 0.98 * stuffed.shape.volume) {
    EXPECT_TRUE(std::any_of(messages.begin(), messages.end(),
                            [](const std::string& m) { return m.find("volume") != std::string::npos; }));
  }
}
INSTANTIATE_TEST_SUITE_P(All, ThinBody, ::testing::Range(0, 20));

TEST(MesherTopology, a_lattice_counts_volume_parts_and_genus) {
  const double r = 0.17, R = 0.4;
  const ShapeFacts torus = count_on_lattice(*make_torus(Vec3::Zero(), Vec3(1, 2, 3).normalized(), R, r), 0.03);
  EXPECT_NEAR(torus.volume, 2 * pi * pi * R * r * r,
              0.01 * torus.volume);  // linear between points: (h / r)^2 / 4 or so
  EXPECT_EQ(torus.parts, 1);
  EXPECT_EQ(torus.genus, 1);
  const SolidPointer ball = make_sphere(Vec3::Zero(), 0.5);
  const ShapeFacts hollow = count_on_lattice(*make_difference(ball, {make_sphere(Vec3::Zero(), 0.3)}), 0.04);
  EXPECT_EQ(hollow.parts, 1);
  EXPECT_EQ(hollow.genus, 0);
  const ShapeFacts two = count_on_lattice(*make_union({ball, make_sphere({2, 0, 0}, 0.4)}), 0.04);
  EXPECT_EQ(two.parts, 2);
  EXPECT_NEAR(two.volume, 4 * pi / 3 * (0.125 + 0.064), 0.01 * two.volume);
}

TEST(MesherTopology, thickness_is_that_of_a_plate_and_a_rod) {
  for (const ThicknessSample& sample : sample_thickness(*make_cuboid(Vec3::Zero(), {1, 1, 0.1}), 0.05, 0.5)) {
    if (std::fabs(sample.inward[2]) > 0.99) {
      EXPECT_NEAR(sample.thickness, 0.1, 0.002);
    }
    EXPECT_TRUE(std::isinf(sample.gap));
  }
  int through = 0;
  for (const ThicknessSample& sample : sample_thickness(*rod({-1, 0, 0}, {1, 0, 0}, 0.1), 0.05, 0.5)) {
    if (std::fabs(sample.place[0]) > 1) continue;
    EXPECT_NEAR(sample.thickness, 0.2, 0.004);
    ++through;
  }
  EXPECT_GT(through, 300);
}

TEST(MesherTopology, too_few_vertices_are_refused_with_a_number_that_does) {
  const SolidPointer legs = make_union(
      {make_sphere(Vec3::Zero(), 0.5), rod({0, 0, 0}, {2, 0.3, 0.4}, 0.03), make_sphere({2, 0.3, 0.4}, 0.2)});
  std::string refusal;
  try {
    stuff(*legs, {.vertices = 200});
  } catch (const Error& error) {
    refusal = error.what();
  }
  ASSERT_NE(refusal.find("200 vertices are too few"), std::string::npos) << refusal;
  const size_t at = refusal.find("about ");
  ASSERT_NE(at, std::string::npos) << refusal;
  const int enough = std::stoi(refusal.substr(at + 6));
  EXPECT_EQ(stuff(*legs, {.vertices = enough}).components, 1);
  const StuffedMesh largest = stuff(*legs, {.vertices = 200, .keep = Keep::largest});
  EXPECT_EQ(largest.components, 1);
  EXPECT_FALSE(largest.messages().empty());
  EXPECT_GT(stuff(*legs, {.vertices = 200, .keep = Keep::all}).components, 1);
}

/// A needle between the points of a lattice leaves no trace in it.
TEST(MesherTopology, a_limb_much_thinner_than_a_cell_is_kept_or_said) {
  for (double radius : {0.02, 0.006, 0.002}) {
    const SolidPointer body = make_union({make_sphere(Vec3::Zero(), 1), rod({0, 0, 0}, {3, 0, 0}, radius)});
    for (int vertices : {1500, 15000}) {
      const StuffedMesh stuffed = stuff(*body, {.vertices = vertices});
      const bool kept = stuffed.mesh.X.col(0).maxCoeff() > 2.9;
      EXPECT_EQ(kept, stuffed.lost_places == 0) << radius << " with " << vertices;
      EXPECT_EQ(kept, stuffed.messages().size() == stuffed.notes.size()) << radius << " with " << vertices;
    }
  }
  // Tips and edges are rounded, which is no loss.
  const SolidPointer blunt =
      make_union({make_cuboid(Vec3::Zero(), Vec3::Ones()), make_cone({0.4, 0, 0}, {2, 0, 0}, 0.3, 0)});
  EXPECT_EQ(stuff(*blunt, {.vertices = 3000}).lost_places, 0);
}

TEST(MesherTopology, losses_add_up_to_the_volume_that_is_missing) {
  const SolidPointer ball = make_sphere({1, 2, 3}, 0.5);
  const StuffedMesh stuffed = stuff(*ball, {.size = 0.07});
  const double missing = 4 * pi / 3 * 0.125 - total_volume(stuffed.mesh);
  EXPECT_NEAR(find_losses(*ball, stuffed.mesh).volume, missing, 0.05 * missing);
  EXPECT_TRUE(stuffed.losses.places.empty());  // less than 2 %
}

/// One cell of a row lies in the ball through its corners: its four sides are where volume is missing.
TEST(MesherTopology, volume_is_missing_where_the_shape_bulges) {
  const TetMesh row = make_box({6, 1, 1}, {6, 1, 1});
  const SolidPointer bulging =
      make_union({make_cuboid({3, 0.5, 0.5}, {6, 1, 1}), make_sphere({4.5, 0.5, 0.5}, std::sqrt(0.75))});
  const VolumeLosses losses = find_losses(*bulging, row);
  ASSERT_EQ(losses.places.size(), 3u);  // the row is as wide as a region, and its far sides lie in the next ones
  for (const Vec3& place : losses.places) EXPECT_NEAR(place[0], 4.5, 0.1);
  // In the middle of an edge of the cell and of a diagonal of its side. The edges are sides of the next cells, too.
  const double edge = std::sqrt(0.75) - std::sqrt(0.5), diagonal = std::sqrt(0.75) - 0.5;
  const double cell = 4 * (2 * edge + diagonal) / 3, beside = 8 * 0.5 * edge / 3;
  EXPECT_NEAR(losses.share, cell / (cell + beside), 1e-12);
  EXPECT_NEAR(losses.volume, cell + beside, 1e-12);
}

TEST(MesherTopology, a_mesh_with_too_little_volume_names_the_places) {
  const StuffedMesh coarse = stuff(*make_sphere(Vec3::Zero(), 0.5), {.size = 0.3});
  ASSERT_LT(total_volume(coarse.mesh), 0.98 * coarse.shape.volume);
  ASSERT_EQ(coarse.losses.places.size(), 3u);
  for (const Vec3& place : coarse.losses.places) EXPECT_NEAR(place.norm(), 0.45, 0.06);
  EXPECT_NE(coarse.messages().back().find(" % of it near ["), std::string::npos) << coarse.messages().back();
}

TEST(MesherTopology, cells_that_follow_the_thickness_have_the_same_bits_for_any_number_of_threads) {
  const Body spider = bodies()[0];
  set_thread_count(1);
  const StuffedMesh one = stuff(*spider.solid, {.vertices = spider.vertices});
  set_thread_count(3);
  const StuffedMesh three = stuff(*spider.solid, {.vertices = spider.vertices});
  set_thread_count(0);
  EXPECT_EQ(one.mesh.X, three.mesh.X);
  EXPECT_EQ(one.mesh.T, three.mesh.T);
}

/// The boundary of a mesh as a surface, filled again: what the surface tells is exact.
TEST(MesherTopology, a_closed_surface_knows_its_genus_and_volume) {
  const StuffedMesh ring = stuff(*make_torus(Vec3::Zero(), Vec3::UnitZ(), 0.4, 0.15), {.size = 0.06});
  const SolidPointer solid = make_surface_solid(boundary_surface(ring.mesh));
  const std::optional<ShapeFacts> facts = solid->facts();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->genus, 1);
  EXPECT_NEAR(facts->volume, total_volume(ring.mesh), 1e-12);
}

}  // namespace
}  // namespace brio
