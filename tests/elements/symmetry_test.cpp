// Bars in cells of five, an even number of them across, are their own mirror image, and what they do stays so: under
// weight in the plane of symmetry nothing moves out of it but by round-off.

#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"

namespace brio {
namespace {

using Overrides = std::vector<std::string>;

/// How far the body is from its mirror image in the plane of its middle, against how far it has moved [1].
double asymmetry(const Simulation& simulation, double width) {
  const MatrixX3d& X = simulation.bodies[0].mesh.X;
  MatrixX3d x;
  simulation.system->positions(simulation.state.t, simulation.state.q, x);
  std::map<std::array<long, 3>, int> at;
  const auto key = [](const Vec3& p) {
    return std::array{std::lround(1e6 * p[0]), std::lround(1e6 * p[1]), std::lround(1e6 * p[2])};
  };
  for (int v = 0; v < simulation.vertices(); ++v) at[key(X.row(v))] = v;
  double worst = 0;
  for (int v = 0; v < simulation.vertices(); ++v) {
    const int image = at.at(key(Vec3(X(v, 0), X(v, 1), width - X(v, 2))));
    const Vec3 mirrored(x(image, 0), x(image, 1), width - x(image, 2));
    worst = std::max(worst, (x.row(v).transpose() - mirrored).norm());
  }
  return worst / (x - X).rowwise().norm().maxCoeff();
}

TEST(Symmetry, of_a_bar_that_swings_is_kept) {
  for (const char* order : {"mesh.order=1", "mesh.order=2"})
    for (const char* method : {"si", "glim", "be", "bdf2", "genalpha", "im", "newmark", "ksiere"}) {
      Simulation bar = build_simulation(
          load_scene(BRIO_SOURCE_DIR "/scenes/bar-1k.json", scene_tables(),
                     {order, "mesh.cells_across=2", "steps=60", std::string("integrator.name=") + method}));
      run(bar, {});
      EXPECT_LT(asymmetry(bar, 0.1), 1e-9) << method << ", " << order;
    }
}

/// Motions that ksiere keeps from step to step must not drift towards slower ones that are not excited: round-off grew
/// by half in each step until it was a thousandth of the motion, after 40 steps.
TEST(Symmetry, is_kept_by_motions_that_are_carried_for_long) {
  for (const Overrides& more : {Overrides{}, {"materials[0].E=5e6"}, {"integrator.linearize=middle"}}) {
    Overrides overrides = {"steps=500", "integrator.name=ksiere"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    Simulation bar =
        build_simulation(load_scene(BRIO_SOURCE_DIR "/scenes/bar-1k.json", scene_tables(), overrides));
    run(bar, {});
    EXPECT_LT(asymmetry(bar, 0.1), 1e-9) << (more.empty() ? "as it is" : more[0]);
  }
}

/// Cells of six are no mirror image of each other.
TEST(Symmetry, is_broken_by_cells_of_six) {
  Simulation bar = build_simulation(
      load_scene(BRIO_SOURCE_DIR "/scenes/bar-1k-six.json", scene_tables(), {"mesh.cells_across=2", "steps=10"}));
  run(bar, {});
  EXPECT_GT(asymmetry(bar, 0.1), 1e-2);
}

}  // namespace
}  // namespace brio
