// What `brio check` warns of, on real scenes that are changed for the purpose, and what building refuses.

#include "brio/scene/warnings.hpp"

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/system/nodal_linearization.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace brio {
namespace {

Scene bar_with(const std::vector<std::string>& overrides) {
  return load_scene(std::filesystem::path(BRIO_SOURCE_DIR) / "scenes/bar-1k.json", scene_tables(), overrides);
}

std::vector<std::string> warnings_with(const std::vector<std::string>& overrides) {
  const Scene scene = bar_with(overrides);
  return scene_warnings(scene, build_simulation(scene));
}

/// What building says, without the path of the scene file.
std::string refusal_with(const std::vector<std::string>& overrides) {
  const Scene scene = bar_with(overrides);
  try {
    build_simulation(scene);
    return "";
  } catch (const Error& error) {
    const std::string text = error.what(), head = scene.file.string() + ": ";
    EXPECT_TRUE(text.starts_with(head)) << text;
    return text.substr(std::min(text.size(), head.size()));
  }
}

using Lines = std::vector<std::string>;

/// What is left when the warning of linear elements that lock has been heard.
Lines without_locking(Lines lines) {
  std::erase_if(lines, [](const std::string& line) { return line.find("they lock") != std::string::npos; });
  return lines;
}

TEST(Warnings, none_for_a_good_scene) { EXPECT_EQ(warnings_with({}), Lines{}); }

TEST(Warnings, slivers) {
  const Lines lines = warnings_with({"mesh.height=0.001"});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("mesh: tetrahedron ")) << lines[0];
  EXPECT_NE(lines[0].find("is a sliver (aspect "), std::string::npos) << lines[0];
}

/// The number is that of docs/elements.md: about 0.29 for cells of six, four across, at nu = 0.49.
TEST(Warnings, linear_elements_that_lock) {
  const std::string six = "mesh.tets_per_cell=\"6\"";
  const Lines lines = warnings_with({"materials[0].nu=0.49", six});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("materials[0]: nu = 0.49 on linear tetrahedra, about 3.6 across the body: they lock, "
                                   "and it may bend by as little as 23 % of what it should"))
      << lines[0];
  EXPECT_EQ(warnings_with({"materials[0].nu=0.49", six, "mesh.order=2"}), Lines{});
  EXPECT_EQ(warnings_with({"materials[0].nu=0.49"}), Lines{}) << "cells of five reach four fifths";
  EXPECT_EQ(warnings_with({"materials[0].nu=0.49", "mesh.cells_across=2"}).size(), 1u);
}

TEST(Warnings, step_against_stiffness) {
  // Sound at sqrt(1e11 / 1000) = 1e4 m/s crosses 0.4 m in 4e-5 s, 250 times in a step of 0.01 s.
  EXPECT_EQ(warnings_with({"materials[0].E=1e11"}),
            Lines{"integrator.h = 0.01: sound crosses the body 250 times in one step, so an implicit method damps its "
                  "vibrations away and an explicit one fails; they show with a step well below 4e-05 s"});
  EXPECT_EQ(warnings_with({"materials[0].E=1e11", "integrator.h=1e-5"}), Lines{});
}

TEST(Warnings, bodies_too_large_for_their_stiffness) {
  // 1000 kg/m^3 of 9.81 m/s^2 over 100 m: twice E.
  EXPECT_EQ(
      warnings_with({"mesh.transform.scale=1000"}),
      Lines{"materials[0]: the body is 100 m high, and under its own weight (9.81e+05 Pa at the foot of a column) a "
            "material of E = 5e+05 Pa collapses or is drawn out; are the units right?"});
  EXPECT_EQ(warnings_with({"mesh.transform.scale=1000", "gravity=[0,0,0]"}), Lines{});
  EXPECT_EQ(warnings_with({"mesh.transform.scale=1000", "materials[0].E=1e9"}), Lines{});
}

TEST(Warnings, steps_in_which_a_body_falls_as_far_as_it_is_high) {
  const std::vector<std::string> small = {"mesh.transform.scale=0.01", "constraints=[]", "materials[0].E=1000",
                                          "obstacles=[{\"shape\": \"half-space\"}]"};
  const Lines lines = warnings_with(small);
  ASSERT_EQ(lines.size(), 2u) << "and a set that nothing uses";
  EXPECT_EQ(
      lines[0],
      "integrator.h = 0.01: in one step the body falls 0.000981 m, and is only 0.001 m high: it may be deep in an "
      "obstacle before it feels it; take steps below 0.001 s");
}

TEST(Warnings, solvers_whose_matrix_does_not_fit_the_material) {
  const auto with = [](const std::string& solver, double nu, const std::string& more = "materials[0].law=corotated") {
    return without_locking(warnings_with({"materials[0].law=corotated", fmt::format("materials[0].nu={}", nu),
                                          "integrator.name=be", "integrator.solver=" + solver, more}));
  };
  EXPECT_EQ(with("newton", 0.4999), Lines{});
  EXPECT_EQ(with("projective", 0.3), Lines{});
  EXPECT_EQ(with("quasi-newton", 0.49), Lines{});
  EXPECT_EQ(with("projective", 0.4),
            Lines{"integrator.solver = \"projective\": a material resists a change of volume 2.33 times as much as the "
                  "constant matrix does; beyond 2 (nu above 1/3 for the corotated law) whole steps overshoot, and the "
                  "run may get lost. Take \"quasi-newton\""});
  // (2 mu + lambda) / (2 mu) = (1 - nu) / (1 - 2 nu) = 2500.5 there, and 4 times its root 200.02.
  EXPECT_EQ(
      with("quasi-newton", 0.4999),
      Lines{"integrator.solver = \"quasi-newton\": a material resists a change of volume 2.5e+03 times as much as "
            "one of shape, so that a step takes 201 iterations; \"newton\" is quicker"});
  EXPECT_EQ(
      with("quasi-newton", 0.4999, "integrator.iterations=10"),
      Lines{"integrator.solver = \"quasi-newton\": 10 iterations a step are too few for a material that resists a "
            "change of volume 2.5e+03 times as much as one of shape: steps stay far from solved. Leave out "
            "\"iterations\" (it takes 201 then), or take \"newton\""});
}

TEST(Warnings, step_at_which_the_method_grows) {
  const std::vector<std::string> small = {"mesh.cells_across=2", "integrator.name=se"};
  const auto with_step = [&](double h) {
    std::vector<std::string> overrides = small;
    overrides.push_back(fmt::format("integrator.h={}", h));
    return without_locking(warnings_with(overrides));
  };
  const Simulation simulation = build_simulation(bar_with(small));
  NodalLinearization lin(*simulation.system);
  VectorXd gradient, column;
  lin.assemble(0, simulation.state.q, Psd::none, gradient);
  MatrixXd K(gradient.size(), gradient.size());
  for (Index j = 0; j < K.cols(); ++j) {
    lin.multiply_stiffness(VectorXd::Unit(K.cols(), j), column);
    K.col(j) = column.cwiseQuotient(simulation.system->mass());
  }
  // Symplectic Euler goes up to h omega = 2; Lanczos' method finds the fastest omega from below.
  const double limit = 2 / std::sqrt(K.eigenvalues().real().maxCoeff());
  EXPECT_EQ(with_step(0.99 * limit), Lines{});
  const Lines lines = with_step(1.03 * limit);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("grows with every step of se; take steps below "), std::string::npos) << lines[0];

  const Lines always =
      without_locking(warnings_with({"mesh.cells_across=2", "integrator.name=fe", "integrator.h=1e-4"}));
  ASSERT_EQ(always.size(), 1u);
  EXPECT_TRUE(always[0].ends_with("it does so with any step, so take another method")) << always[0];
}

TEST(Warnings, elements_inside_out_at_the_start) {
  const Lines lines = warnings_with({"initial.jitter=0.1"});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("initial: some tetrahedra start flat or inside out (smallest det F = -"))
      << lines[0];
}

TEST(Warnings, unused_sets) {
  EXPECT_EQ(warnings_with({R"(sets.lonely={"select": "all"})"}), Lines{"sets.lonely: nothing uses this set"});
}

TEST(Warnings, unused_regions) {
  const Lines lines = warnings_with({"materials[0].region=[0, 7]"});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "materials[0].region = 7: the mesh has no such region (it has 0)");
}

TEST(Build, refusals_name_the_place) {
  EXPECT_EQ(refusal_with({R"(sets.wall={"select": "sphere", "center": [9, 9, 9], "radius": 1})"}),
            "sets.wall: the set \"wall\" is empty; the mesh extends from [0, 0, 0] to [0.4, 0.1, 0.1]");
  EXPECT_EQ(refusal_with({R"(sets.wall={"select": "all"})"}),
            "constraints: all 425 vertices are held, nothing is left to move");
  EXPECT_EQ(refusal_with({"output.probe=425"}),
            "output.probe = 425: there is no such vertex; there are 425, counted from 0");
  EXPECT_EQ(refusal_with({"materials[0].region=3"}),
            "materials: region 0 of the mesh has none; add one with \"region\": 0 or \"all\"");
  EXPECT_TRUE(refusal_with({R"(materials=[{"law": "corotated", "rho": 1, "E": 1}])"}).starts_with("materials[0]: "));
  EXPECT_TRUE(refusal_with({"mesh.cells_across=100000"}).starts_with("mesh: "));
}

TEST(Build, probe_is_a_set_or_a_vertex) {
  const auto probe = [](const std::string& value) {
    return build_simulation(bar_with({"output.probe=" + value})).probe;
  };
  EXPECT_EQ(probe("7"), std::vector<int>{7});
  EXPECT_EQ(probe("wall").size(), 25u);
}

}  // namespace
}  // namespace brio
