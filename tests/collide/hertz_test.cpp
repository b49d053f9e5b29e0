// Hertz (1882): a plane that presses on a round body approaches it by delta with F = 4/3 E' sqrt(R) delta^(3/2),
// E' = E / (1 - nu^2), as long as the patch of contact is small beside the body.

#include "brio/integrate/contact_forces.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "support/temporary_folder.hpp"
#include "touching.hpp"

namespace brio {
namespace {

constexpr double kRadius = 1;  // of the cap [m]

/// A block with a round cap, y up, in rings about the y axis that are fine where it is touched; as a file of Medit.
class RoundBlock {
 public:
  RoundBlock() {
    const std::vector<double> rings = {0,     0.008, 0.016, 0.024, 0.032, 0.041, 0.051, 0.062, 0.073, 0.084,
                                       0.096, 0.11,  0.13,  0.16,  0.21,  0.3,   0.5,   0.9,   1.7,   3};
    const std::vector<double> depths = {0, 0.01, 0.022, 0.037, 0.057, 0.085, 0.13, 0.21, 0.36, 0.65, 1.3, 3};
    for (double depth : depths)
      for (size_t i = 0; i < rings.size(); ++i)
        for (int j = 0; j < (i == 0 ? 1 : kSectors); ++j) {
          const double angle = 2 * std::numbers::pi * j / kSectors, r = rings[i];
          const double cap = -r * r / (2 * kRadius) * std::max(0.0, 1 - depth / depths.back());
          points_.push_back({r * std::cos(angle), cap - depth, r * std::sin(angle)});
        }
    const int per_layer = 1 + kSectors * (static_cast<int>(rings.size()) - 1);
    const auto at = [&](int ring, int sector) { return ring == 0 ? 0 : 1 + kSectors * (ring - 1) + sector % kSectors; };
    for (int layer = 0; layer + 1 < static_cast<int>(depths.size()); ++layer)
      for (int i = 0; i + 1 < static_cast<int>(rings.size()); ++i)
        for (int j = 0; j < kSectors; ++j) {
          add_prism(layer, per_layer, {at(i, j), at(i + 1, j), at(i + 1, j + 1)});
          if (i > 0) add_prism(layer, per_layer, {at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
  }

  void write(const std::filesystem::path& path) const {
    std::ofstream file(path);
    file << "MeshVersionFormatted 2\nDimension 3\nVertices\n" << points_.size() << "\n";
    for (const Vec3& x : points_) file << fmt::format("{} {} {} 0\n", x[0], x[1], x[2]);
    file << "Tetrahedra\n" << tets_.size() << "\n";
    for (const auto& t : tets_) file << fmt::format("{} {} {} {} 1\n", t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1);
    file << "End\n";
  }

 private:
  static constexpr int kSectors = 16;

  /// In three tetrahedra, with diagonals from the lowest number on each side, so that neighbors agree.
  void add_prism(int layer, int per_layer, std::array<int, 3> corner) {
    std::sort(corner.begin(), corner.end());
    const int a = layer * per_layer, b = a + per_layer;
    add_tet({a + corner[0], a + corner[1], a + corner[2], b + corner[2]});
    add_tet({a + corner[0], a + corner[1], b + corner[1], b + corner[2]});
    add_tet({a + corner[0], b + corner[0], b + corner[1], b + corner[2]});
  }
  void add_tet(std::array<int, 4> t) {
    const Vec3 a = points_[t[0]];
    if ((points_[t[1]] - a).cross(points_[t[2]] - a).dot(points_[t[3]] - a) < 0) std::swap(t[0], t[1]);
    tets_.push_back(t);
  }

  std::vector<Vec3> points_;  ///< the first one is the apex
  std::vector<std::array<int, 4>> tets_;
};

TEST(Hertz, force_grows_as_the_approach_to_three_halves_over_a_decade) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder / "block.mesh";
  RoundBlock().write(file);
  constexpr double kE = 1e6, kNu = 0.3;
  // One step for each depth, so long that nothing is left of inertia.
  std::string times = "0", places = "[0, 0, 0]";
  constexpr int kSteps = 12;
  for (int i = 0; i < kSteps; ++i) {
    times += fmt::format(", {}", 10 * (i + 1));
    places += fmt::format(", [0, {}, 0]", -0.0008 * std::pow(10, i / 10.0));
  }
  Simulation simulation = touching_scene(fmt::format(R"({{
    "mesh": {{"file": "{}"}},
    "materials": [{{"law": "stable-neo-hookean", "E": {}, "nu": {}, "rho": 1}}],
    "sets": {{"bottom": {{"select": "box", "min": [-4, -9, -4], "max": [4, -2.99999, 4]}}}},
    "constraints": [{{"set": "bottom"}}], "gravity": [0, 0, 0], "contact": {{"self": false}},
    "obstacles": [{{"shape": "half-space", "normal": [0, -1, 0], "stiffness": 1e9,
                   "motion": {{"name": "keyframes", "times": [{}], "translations": [{}]}}}}],
    "integrator": {{"name": "be", "h": 10}}, "steps": {}}})",
                                                     file.string(), kE, kNu, times, places, kSteps));
  const Trace trace = [&] {
    Trace all;
    RunListener listener;
    listener.on_step = [&](const StepRecord& record) {
      all.steps.push_back(record);
      if (record.step == 0) return;
      MatrixX3d x;
      simulation.system->positions(simulation.state.t, simulation.state.q, x);
      const ContactForces& forces = *record.report.contact_forces;
      const double delta = -x(0, 1), force = -forces.vertex.topRows(x.rows()).col(1).sum();
      const double hertz = 4.0 / 3 * kE / (1 - kNu * kNu) * std::sqrt(kRadius) * std::pow(delta, 1.5);
      all.x.conservativeResize(all.x.rows() + 1, 3);
      all.x.bottomRows(1) << delta, force, force / hertz;
    };
    all.result = run(simulation, listener);
    return all;
  }();
  ASSERT_EQ(trace.result.status, RunStatus::finished) << trace.result.message;
  const VectorXd ratio = trace.x.col(2);
  EXPECT_GT(trace.x(kSteps - 1, 0), 9.9 * trace.x(1, 0));
  for (Index i = 1; i < ratio.size(); ++i)
    EXPECT_NEAR(ratio[i], 1, 0.1) << "delta = " << trace.x(i, 0) << ", F = " << trace.x(i, 1);
}

}  // namespace
}  // namespace brio
