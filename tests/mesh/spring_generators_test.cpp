// Cloth and spring rope: counts, lengths and refusals.

#include "brio/core/error.hpp"
#include "brio/mesh/generators/cloth.hpp"
#include "brio/mesh/generators/generators.hpp"
#include "brio/mesh/generators/spring_rope.hpp"

#include "mesh/mesh_checks.hpp"

namespace brio {
namespace {

SpringNet make_net(const std::string& name, const std::map<std::string, OptionValue>& given = {}) {
  const SpringGeneratorEntry& row = find_row(spring_generators(), "spring generator", name);
  return row.make(Options(row.options, given, name));
}

double length(const SpringNet& net, int spring) {
  return (net.X.row(net.springs(spring, 0)) - net.X.row(net.springs(spring, 1))).norm();
}

TEST(SpringGenerators, every_row_makes_a_sound_net_by_default) {
  for (const SpringGeneratorEntry& row : spring_generators()) {
    SCOPED_TRACE(row.name);
    const SpringNet net = make_net(row.name);
    ASSERT_GT(net.springs.rows(), 0);
    ASSERT_EQ(net.springs.rows(), net.kind.size());
    std::set<std::pair<int, int>> known;
    for (int s = 0; s < net.kind.size(); ++s) {
      ASSERT_GE(net.springs.row(s).minCoeff(), 0);
      ASSERT_LT(net.springs.row(s).maxCoeff(), net.vertices());
      EXPECT_GT(length(net, s), 0);
      EXPECT_TRUE(known.insert(std::minmax(int{net.springs(s, 0)}, int{net.springs(s, 1)})).second);
    }
  }
}

TEST(SpringGenerators, cloth_has_three_kinds_of_springs) {
  const int nx = 5, ny = 4;
  const SpringNet net = make_cloth(0.8, 0.9, nx, ny, 0, 2);
  const double dx = 0.2, dz = 0.3;
  std::map<int, int> count;
  std::map<int, std::set<int>> millimeters;
  for (int s = 0; s < net.kind.size(); ++s) {
    ++count[net.kind[s]];
    millimeters[net.kind[s]].insert(static_cast<int>(std::lround(1000 * length(net, s))));
  }
  EXPECT_EQ(count[0], (nx - 1) * ny + nx * (ny - 1));
  EXPECT_EQ(count[1], 2 * (nx - 1) * (ny - 1));
  EXPECT_EQ(count[2], (nx - 2) * ny + nx * (ny - 2));
  EXPECT_EQ(millimeters[0], (std::set<int>{200, 300}));
  EXPECT_EQ(millimeters[1], (std::set<int>{static_cast<int>(std::lround(1000 * std::hypot(dx, dz)))}));
  EXPECT_EQ(millimeters[2], (std::set<int>{400, 600}));
  EXPECT_EQ(net.X.col(1).cwiseAbs().maxCoeff(), 0);
  // The triangles cover the rectangle and all face one way: x cross z is -y.
  double area = 0;
  for (Index f = 0; f < net.triangles.rows(); ++f) {
    const Vec3 a = net.X.row(net.triangles(f, 0)), b = net.X.row(net.triangles(f, 1)),
               c = net.X.row(net.triangles(f, 2));
    const Vec3 twice = (b - a).cross(c - a);
    EXPECT_LT(twice[1], 0);
    area += twice.norm() / 2;
  }
  EXPECT_NEAR(area, 0.72, 1e-14);
  EXPECT_NEAR(lumped_area(net.X, net.triangles).sum(), 0.72, 1e-14);
}

TEST(SpringGenerators, rope_runs_along_its_direction) {
  const SpringNet net = make_spring_rope(2, 10, {0, -3, 4});
  EXPECT_EQ(net.vertices(), 11);
  EXPECT_EQ(net.kind.size(), 10 + 9);
  for (int s = 0; s < net.kind.size(); ++s) EXPECT_NEAR(length(net, s), net.kind[s] == 2 ? 0.4 : 0.2, 1e-14);
  EXPECT_LT((net.X.row(10) - Eigen::RowVector3d(0, -1.2, 1.6)).norm(), 1e-14);
  EXPECT_EQ(make_spring_rope(1, 1, {1, 0, 0}).kind.size(), 1);
}

TEST(SpringGenerators, refuse_what_cannot_be_made) {
  EXPECT_THROW(make_net("cloth", {{"nx", 1.0}}), Error);
  EXPECT_THROW(make_net("cloth", {{"nx", 2e9}, {"ny", 2e9}}), Error);
  EXPECT_THROW(make_net("cloth", {{"width", 1e300}}), Error);
  EXPECT_THROW(make_net("cloth", {{"plane", "xx"}}), Error);
  EXPECT_THROW(make_net("spring-rope", {{"segments", 2e9}}), Error);
  EXPECT_THROW(make_net("spring-rope", {{"direction", Vec3(0, 0, 0)}}), Error);
  EXPECT_THROW(make_spring_rope(1, 5, {NAN, 0, 0}), Error);
}

}  // namespace
}  // namespace brio
