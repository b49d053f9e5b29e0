// The solids: what every row promises, and closed forms.

#include "brio/mesh/solids/implicit_shapes.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generators/implicit_mesh.hpp"
#include "brio/mesh/solids/implicit_operations.hpp"
#include "brio/mesh/solids/implicit_primitives.hpp"

#include "mesh/mesh_checks.hpp"
#include <numbers>
#include <random>

namespace brio {
namespace {

using std::numbers::pi;
using Given = std::map<std::string, OptionValue>;

Item item(const std::string& name, const Given& given) {
  const ShapeEntry& row = find_row(implicit_shapes(), "shape", name);
  return {name, Options(row.options, given, name), name, ""};
}

/// One of every kind, about a meter large and off the origin.
std::vector<Item> samples() {
  const Item box = item("box", {{"center", Vec3(0.3, 0.1, 0)}, {"size", Vec3(1, 0.3, 0.4)}});
  const Item ball = item("sphere", {{"center", Vec3(0.6, 0.3, 0.1)}, {"radius", 0.4}});
  const Vec3 from(0.1, 0, 0.2), to(0.5, 0.7, -0.1);
  std::vector<Item> all = {
      box,
      ball,
      item("ellipsoid", {{"center", Vec3(0.1, 0, 0)}, {"radii", Vec3(0.7, 0.2, 0.35)}}),
      item("cylinder", {{"from", from}, {"to", to}, {"radius", 0.2}}),
      item("cone", {{"from", from}, {"to", to}, {"radius", 0.3}, {"end_radius", 0.1}}),
      item("cone", {{"from", from}, {"to", to}, {"radius", 0.3}}),
      item("capsule", {{"from", from}, {"to", to}, {"radius", 0.2}, {"end_radius", 0.05}}),
      item("capsule", {{"from", from}, {"to", from}, {"radius", 0.2}}),
      item("tube",
           {{"points", std::vector<Vec3>{from, to, {1, 1, 1}}}, {"radii", std::vector<double>{0.1, 0.2, 0.05}}}),
      item("torus",
           {{"center", Vec3(0, 0.1, 0)}, {"axis", Vec3(1, 1, 0)}, {"major_radius", 0.5}, {"minor_radius", 0.15}}),
      item("band", {{"radius", 0.5}, {"width", 0.3}, {"thickness", 0.1}}),
      item("band", {{"radius", 0.5}, {"width", 0.3}, {"thickness", 0.1}, {"half_turns", -3.0}}),
      item("union", {{"parts", Items{box, ball}}}),
      item("union", {{"parts", Items{box, ball, box, ball}}, {"blend", 0.2}}),
      item("intersection", {{"parts", Items{box, ball}}, {"blend", 0.05}}),
      item("difference", {{"of", Items{box}}, {"without", Items{ball}}, {"blend", 0.05}}),
      item("offset", {{"of", Items{box}}, {"by", 0.1}}),
      item("offset", {{"of", Items{box}}, {"by", -0.1}}),
      item("transform", {{"of", Items{box}},
                         {"scale", 0.7},
                         {"rotate_axis", Vec3(1, 2, 3)},
                         {"rotate_degrees", 40.0},
                         {"translate", Vec3(0.1, 0.2, 0.3)}}),
      item("repeat", {{"of", Items{box}}, {"count", 5.0}, {"rotate_degrees", 50.0}, {"translate", Vec3(0, 0.3, 0)}}),
      item("mirror", {{"of", Items{box}}, {"axis", "y"}}),
      item("twist", {{"of", Items{box}}, {"axis", "x"}, {"degrees_per_meter", 120.0}}),
      item("bend", {{"of", Items{box}}, {"radius", 0.5}}),
  };
  return all;
}

TEST(ImplicitShapes, every_row_has_a_sample_here) {
  std::set<std::string> seen;
  for (const Item& sample : samples()) seen.insert(sample.name);
  for (const ShapeEntry& row : implicit_shapes()) EXPECT_TRUE(seen.contains(row.name)) << row.name;
}

/// A function that changes by no more than the way between two points never says more than the true distance.
TEST(ImplicitShapes, values_are_bounds_on_distances) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-1.5, 1.5), step(-0.2, 0.2);
  for (const Item& sample : samples()) {
    SCOPED_TRACE(sample.name);
    const SolidPointer solid = make_shape(sample);
    const Box box = solid->bounds();
    int inside = 0;
    for (int k = 0; k < 20000; ++k) {
      const Vec3 x(place(random), place(random), place(random));
      const Vec3 y = x + Vec3(step(random), step(random), step(random)) * (k % 2 ? 1 : 0.05);
      const double at_x = solid->value(x), at_y = solid->value(y);
      ASSERT_LE(std::fabs(at_x - at_y), (x - y).norm() * (1 + 1e-9) + 1e-9) << x.transpose() << " " << y.transpose();
      ASSERT_GE(at_x, box.squaredExteriorDistance(x) > 0 ? box.exteriorDistance(x) - 1e-9 : -10);
      inside += at_x < 0;
    }
    EXPECT_GT(inside, 5);  // of 20000 in 27 m^3; the smallest sample has 0.016 m^3, 12 of them
  }
}

/// The least distance from many points of a surface, each of which lies on it.
double nearest(const std::vector<Vec3>& points, const Vec3& x) {
  double best = INFINITY;
  for (const Vec3& p : points) best = std::min(best, (p - x).norm());
  return best;
}

TEST(ImplicitShapes, ellipsoids_and_tapered_capsules_give_the_distance) {
  std::vector<Vec3> ellipsoid, capsule;
  const Vec3 radii(0.7, 0.2, 0.35);
  const double ra = 0.3, rb = 0.1, l = 0.8, s = (ra - rb) / l, c = std::sqrt(1 - s * s);
  const int n = 400;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < n; ++j) {
      const double u = pi * i / n, v = 2 * pi * j / n;
      const Vec3 d(std::sin(u) * std::cos(v), std::sin(u) * std::sin(v), std::cos(u));
      ellipsoid.push_back(radii.cwiseProduct(d));
      // The envelope of balls: the part of each end that the cone leaves free, and the cone between.
      capsule.push_back(d[2] <= s ? Vec3(ra * d) : Vec3(rb * d + l * Vec3::UnitZ()));
      const double t = double(i) / n, r = c * (ra + t * (rb - ra));
      capsule.push_back({r * std::cos(v), r * std::sin(v), t * l + s * (ra + t * (rb - ra))});
    }
  const SolidPointer first = make_ellipsoid(Vec3::Zero(), radii);
  const SolidPointer second = make_capsule(Vec3::Zero(), l * Vec3::UnitZ(), ra, rb);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-1, 1);
  // Samples are at most 0.7 pi / 400 apart along each direction: an error of at most that squared over the distance,
  // and never above the spacing itself.
  const double spacing = 0.008;
  for (int k = 0; k < 150; ++k) {
    Vec3 x(place(random), place(random), place(random));
    if (k % 5 == 0) x[k / 5 % 3] = 0;  // in a plane of symmetry
    EXPECT_NEAR(std::fabs(first->value(x)), nearest(ellipsoid, x), spacing) << x.transpose();
    EXPECT_EQ(first->value(x) < 0, x.cwiseQuotient(radii).norm() < 1);
    EXPECT_NEAR(std::fabs(second->value(x)), nearest(capsule, x), spacing) << x.transpose();
  }
  // Points of symmetry are moved off by 1e-9 of the half axes, and the nearest point by some ten times that.
  EXPECT_NEAR(first->value(Vec3::Zero()), -0.2, 1e-7);
  EXPECT_NEAR(first->value({1.7, 0, 0}), 1, 1e-7);
}

double volume_of(const SolidPointer& solid, double size = 0.02) {
  return total_volume(stuff(*solid, {.size = size}).mesh);
}

TEST(ImplicitShapes, volumes_of_closed_forms) {
  // Sharp edges lose up to a cell's width along them: a percent or two here, always too little.
  const auto expect_volume = [](const SolidPointer& solid, double volume) {
    const double found = volume_of(solid);
    EXPECT_LT(found, volume);
    EXPECT_GT(found, 0.97 * volume);
  };
  expect_volume(make_cuboid({1, 2, 3}, {0.6, 0.5, 0.4}), 0.12);
  expect_volume(make_cone({0, 0, 0}, {0.3, 0.4, 0}, 0.3, 0.3), pi * 0.09 * 0.5);
  expect_volume(make_cone({0, 0, 0}, {0.3, 0.4, 0}, 0.3, 0.1), pi / 3 * 0.5 * (0.09 + 0.03 + 0.01));
  expect_volume(make_ellipsoid({0, 0, 0}, {0.5, 0.2, 0.3}), 4 * pi / 3 * 0.03);
  // Twisting and bending keep volumes, where the middle of the section lies on the axis.
  expect_volume(make_twisted(make_cuboid({0, 0, 0}, {0.3, 0.8, 0.3}), 1, 3), 0.072);
  expect_volume(make_bent(make_cuboid({0, 0, 0}, {1, 0.3, 0.3}), 0.4), 0.09);
  expect_volume(make_band(0.5, 0.3, 0.12, 1), 2 * pi * 0.5 * 0.3 * 0.12);
  // Inclusion and exclusion.
  const SolidPointer a = make_sphere({0, 0, 0}, 0.4), b = make_cuboid({0.3, 0, 0}, {0.5, 0.4, 0.4});
  const double either = volume_of(make_union({a, b})), both = volume_of(make_intersection({a, b}));
  EXPECT_NEAR(either + both, volume_of(a) + volume_of(b), 0.01 * either);
  EXPECT_NEAR(volume_of(make_difference(a, {b})), volume_of(a) - both, 0.01 * either);
  EXPECT_GT(volume_of(make_union({a, b}, 0.1)), either);
}

TEST(ImplicitShapes, repetitions_stand_where_they_should) {
  const Item ball = item("sphere", {{"center", Vec3(1, 0, 0)}, {"radius", 0.1}});
  const SolidPointer ring = make_shape(
      item("repeat", {{"of", Items{ball}}, {"count", 4.0}, {"rotate_degrees", 90.0}, {"translate", Vec3(0, 1, 0)}}));
  for (const Vec3& x : {Vec3(1, 0, 0), Vec3(0, 1, -1), Vec3(-1, 2, 0), Vec3(0, 3, 1)})
    EXPECT_NEAR(ring->value(x), -0.1, 1e-12);
  EXPECT_GT(ring->value({1, 4, 0}), 0);
}

std::string refused_shape(const Item& item) {
  try {
    make_shape(item);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ImplicitShapes, refuses_what_has_no_meaning) {
  const Item long_box = item("box", {{"size", Vec3(10, 0.1, 0.1)}});
  EXPECT_NE(refused_shape(item("bend", {{"of", Items{long_box}}, {"radius", 1.0}})).find("once around"),
            std::string::npos);
  EXPECT_NE(refused_shape(item("bend", {{"of", Items{long_box}}, {"radius", 0.01}})).find("center"), std::string::npos);
  EXPECT_NE(refused_shape(item("cylinder", {{"from", Vec3(1, 1, 1)}, {"to", Vec3(1, 1, 1)}, {"radius", 1.0}}))
                .find("same point"),
            std::string::npos);
  EXPECT_NE(refused_shape(item("tube", {{"points", std::vector<Vec3>{{0, 0, 0}}}, {"radii", std::vector<double>{1}}})),
            "");
  EXPECT_NE(refused_shape(item("tube", {{"points", std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}},
                                        {"radii", std::vector<double>{1, 2}}}))
                .find("2 numbers for 3 points"),
            std::string::npos);
  EXPECT_NE(refused_shape(item("torus", {{"axis", Vec3(0, 0, 0)}, {"major_radius", 1.0}, {"minor_radius", 0.1}}))
                .find("direction"),
            std::string::npos);
  EXPECT_NE(refused_shape(item("band", {{"radius", 0.1}, {"width", 0.3}, {"thickness", 0.1}})).find("does not fit"),
            std::string::npos);
  Item many = long_box;
  for (int i = 0; i < 3; ++i)
    many = item("repeat", {{"of", Items{many}}, {"count", 1000.0}, {"translate", Vec3(0, 1, 0)}});
  EXPECT_NE(refused_shape(many).find("too many"), std::string::npos);
}

TEST(ImplicitShapes, regions_take_the_tetrahedra_whose_centroids_they_hold) {
  const SolidModel model{make_sphere({0, 0, 0}, 0.5),
                         {{"core", make_sphere({0, 0, 0}, 0.25)},
                          {"top", make_cuboid({0, 0.5, 0}, {2, 1, 2})},
                          {"far", make_sphere({9, 0, 0}, 1)}}};
  const LoadedMesh loaded = fill(model, {.size = 0.05});
  EXPECT_NEAR(region_volume(loaded.mesh, 1), 4 * pi / 3 * std::pow(0.25, 3), 0.05 * 0.0654);
  EXPECT_NEAR(region_volume(loaded.mesh, 2), region_volume(loaded.mesh, 0), 0.05 * 0.26);  // but for the core, halves
  EXPECT_EQ(loaded.region_names.at(1), "core");
  for (int i : loaded.vertex_sets.at("core")) EXPECT_LT(loaded.mesh.X.row(i).norm(), 0.25 + 0.05);
  EXPECT_TRUE(loaded.vertex_sets.at("far").empty());
  ASSERT_EQ(loaded.messages.size(), 1u);
  EXPECT_NE(loaded.messages[0].find("\"far\" is empty"), std::string::npos);
}

}  // namespace
}  // namespace brio
