// What contact leaves to read: forces of each vertex and of each pair, that add up to what they must; bodies that begin in
// each other are moved apart where that is wanted.

#include "brio/integrate/contact_forces.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "touching.hpp"

namespace brio {
namespace {

/// Three cubes at rest: the floor carries three of them, the lowest two, the next one.
TEST(ContactForces, of_a_stack_at_rest_are_the_weights_above) {
  Simulation simulation = touching_scene(kSmallStack, {"duration=4"});
  const Trace trace = traced(simulation, false);
  const StepReport& report = trace.steps.back().report;
  ASSERT_TRUE(report.contact_forces);
  const std::vector<ContactForces::Pair>& pairs = report.contact_forces->pairs;
  ASSERT_EQ(pairs.size(), 3u);
  const double weight = 9.81 * simulation.system->vertex_mass().sum() / 3;
  int contacts = 0;
  for (const ContactForces::Pair& pair : pairs) {
    const bool floor = pair.second == 3;
    EXPECT_EQ(pair.second - pair.first, floor ? 3 : 1);
    const double carried = floor ? 3 * weight : pair.first == 0 ? -2 * weight : -weight;  // on the first
    EXPECT_NEAR(pair.force[1], carried, 1e-3 * weight) << pair.first << " " << pair.second;
    EXPECT_NEAR(pair.normal, std::fabs(carried), 0.02 * weight);
    contacts += pair.contacts;
  }
  EXPECT_EQ(contacts, report.contacts);
  // Vertex by vertex they hold each cube against its weight.
  for (const Body& body : simulation.bodies) {
    const Vec3 sum = report.contact_forces->vertex.middleRows(body.first, body.vertices()).colwise().sum();
    EXPECT_NEAR(sum[1], weight, 1e-3 * weight) << body.name;
    EXPECT_LT(std::hypot(sum[0], sum[2]), 1e-3 * weight) << body.name;
  }
}

/// A block that slides on another body: the pair's friction is mu times its normal force, and holds the block back.
TEST(ContactForces, of_a_slide_are_coulombs) {
  Simulation simulation = touching_scene(R"({
    "bodies": {
      "block": {"mesh": {"generate": "box", "size": [0.1, 0.05, 0.1], "cells": [2, 1, 2]},
                "materials": [{"law": "stable-neo-hookean", "E": 1e6, "nu": 0.3, "rho": 1000}],
                "transform": {"translate": [0.013, 0.0253, 0.017]}, "initial": {"velocity": [2, 0, 0]}},
      "plate": {"mesh": {"generate": "box", "size": [1, 0.02, 0.2], "cells": [10, 1, 2]},
                "materials": [{"law": "stable-neo-hookean", "E": 1e6, "nu": 0.3, "rho": 1000}]}},
    "constraints": [{"set": "plate"}], "contact": {"friction": 0.25},
    "integrator": {"name": "si", "h": 0.005}, "duration": 0.2})");
  const Trace trace = traced(simulation, false);
  const ContactForces& forces = *trace.steps.back().report.contact_forces;
  ASSERT_EQ(forces.pairs.size(), 1u);
  const ContactForces::Pair& pair = forces.pairs[0];
  EXPECT_NEAR(pair.friction, 0.25 * pair.normal, 0.01 * pair.normal);
  EXPECT_NEAR(pair.force[0], -pair.friction, 0.01 * pair.friction);
  EXPECT_GT(pair.smallest_gap, 0);
}

/// What lies is held by the static coefficient, what slides by the other one.
TEST(ContactForces, of_what_holds_and_of_what_slides_have_coefficients_of_their_own) {
  const double slope = 0.5, g = 9.81, angle = std::atan(slope);
  const auto speeds = [&](double begin, const char* more) {
    Simulation simulation = touching_scene(fmt::format(R"({{
      "bodies": {{
        "block": {{"mesh": {{"generate": "box", "size": [0.1, 0.05, 0.1], "cells": [2, 1, 2]}},
                 "materials": [{{"law": "stable-neo-hookean", "E": 1e6, "nu": 0.3, "rho": 1000}}],
                 "transform": {{"translate": [0.013, 0.0253, 0.017]}}, "initial": {{"velocity": [{}, 0, 0]}}}},
        "plate": {{"mesh": {{"generate": "box", "size": [3, 0.02, 0.2], "cells": [30, 1, 2]}},
                 "materials": [{{"law": "stable-neo-hookean", "E": 1e6, "nu": 0.3, "rho": 1000}}]}}}},
      "constraints": [{{"set": "plate"}}], "gravity": [{}, {}, 0], "contact": {{{}}},
      "integrator": {{"name": "si", "h": 0.005}}, "duration": 0.5}})",
                                                   begin, g * std::sin(angle), -g * std::cos(angle), more));
    const double mass = simulation.system->mass().sum() / 3;
    std::vector<double> along;
    for (const StepRecord& step : traced(simulation, false).steps) along.push_back(step.momentum.linear[0] / mass);
    return along;
  };
  for (const char* keys :
       {R"("friction": 0.3, "static_friction": 0.7)",
        R"("pairs": [{"between": ["block", "plate"], "friction": 0.3, "static_friction": 0.7}])"}) {
    EXPECT_LT(std::fabs(speeds(0, keys).back()), 1e-4) << keys;
    const std::vector<double> v = speeds(1, keys);
    const double felt = slope - (v[100] - v[40]) / 0.3 / (g * std::cos(angle));
    EXPECT_NEAR(felt, 0.3, 0.01) << keys;
  }
  EXPECT_NE(refusal(kFlyingCubes, {"contact={\"friction\": 0.3, \"static_friction\": 0.2}"}).find("static_friction"),
            std::string::npos);
}

TEST(Untangle, moves_bodies_apart_and_says_so) {
  for (const char* place : {"[0.08, 0.03, 0.02]", "[0.1000001, 0, 0]", "[0, 0, 0]", "[0.02, 0.09, 0.01]"}) {
    const std::string moved = fmt::format("bodies.right.transform.translate={}", place);
    EXPECT_FALSE(refusal(kFlyingCubes, {moved}).empty()) << place;
    Simulation simulation = touching_scene(kFlyingCubes, {moved, "contact.untangle=true"});
    ASSERT_FALSE(simulation.notes.empty()) << place;
    EXPECT_NE(simulation.notes.back().find("contact.untangle: \"right\" begins ["), std::string::npos)
        << simulation.notes.back();
    // Each goes half of the way, and the shape of neither changes.
    MatrixX3d x;
    simulation.system->positions(0, simulation.state.q, x);
    EXPECT_EQ(crossings(simulation.triangles, x), 0) << place;
    EXPECT_NEAR(simulation.system->potentials(0, simulation.state.q).elastic, 0, 1e-9);
    const Trace trace = traced(simulation);
    EXPECT_EQ(trace.crossings, 0) << place;
  }
}

/// A body that is held stays, and the others go.
TEST(Untangle, leaves_what_is_held_where_it_is) {
  Simulation simulation = touching_scene(
      kFlyingCubes, {"bodies.right.transform.translate=[0.08, 0.03, 0.02]", "contact.untangle=true",
                     "constraints=[{\"set\": \"left\"}]"});
  MatrixX3d x;
  simulation.system->positions(0, simulation.state.q, x);
  EXPECT_EQ(x.topRows(simulation.bodies[0].vertices()), simulation.bodies[0].X());
  EXPECT_EQ(crossings(simulation.triangles, x), 0);
  const std::string both = refusal(kFlyingCubes, {"bodies.right.transform.translate=[0.08, 0.03, 0.02]", "contact.untangle=true",
                                                  "constraints=[{\"set\": \"left\"}, {\"set\": \"right\"}]"});
  EXPECT_FALSE(both.empty());
}

/// What is near and has a gap stays where it is, to the bit.
TEST(Untangle, moves_nothing_that_is_apart) {
  const Simulation plain = touching_scene(kFlyingCubes);
  const Simulation asked = touching_scene(kFlyingCubes, {"contact.untangle=true"});
  EXPECT_EQ(plain.state.q, asked.state.q);
}

TEST(Guarantee, can_be_given_up_for_scenes_that_begin_in_each_other) {
  Simulation simulation = touching_scene(
      kFlyingCubes, {"bodies.right.transform.translate=[0.08, 0.03, 0.02]", "contact.guarantee=false"});
  ASSERT_FALSE(simulation.notes.empty());
  EXPECT_NE(simulation.notes.back().find("contact.guarantee is false"), std::string::npos) << simulation.notes.back();
  const Trace trace = traced(simulation, false);
  EXPECT_NE(trace.result.status, RunStatus::diverged) << trace.result.message;
}

}  // namespace
}  // namespace brio
