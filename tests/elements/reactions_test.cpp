// Forces of constraints, attachments and obstacles: together with weight and loads they are what accelerates the
// bodies.

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"

namespace brio {
namespace {

Simulation simulation_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return build_simulation(parse_scene(text, "test.json", scene_tables(), overrides));
}

constexpr const char* kBridge = R"({
  "name": "bridge",
  "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 2},
  "materials": [{"law": "stable-neo-hookean", "E": 2e5, "nu": 0.4, "rho": 1000}],
  "sets": {"left": {"select": "extreme", "axis": "x", "side": "min"}, "right": {"select": "extreme", "axis": "x", "side": "max"},
           "top": {"select": "extreme", "axis": "y", "side": "max"}},
  "constraints": [{"set": "left", "motion": "oscillate", "amplitude": [0, 0.01, 0], "frequency": 3}],
  "attachments": [{"set": "right", "stiffness": 300}],
  "loads": [{"load": "pressure", "set": "top", "pressure": 200}],
  "obstacles": [{"shape": "half-space", "point": [0, -0.005, 0], "normal": [0, 1, 0]}],
  "integrator": {"name": "si", "h": 0.01}, "steps": 20, "output": {"frames": []}
})";

/// Sum of all that acts = sum of mass times acceleration, where free vertices have the acceleration of their equation
/// of motion, which the system gives without any of this.
TEST(Reactions, with_weight_and_loads_are_the_inertia_in_every_step) {
  const std::vector<std::vector<std::string>> cases = {{"mesh.order=1"},
                                                       {"mesh.order=2"},
                                                       {"integrator.name=glim"},
                                                       {"integrator.name=lim"},
                                                       {"integrator.name=be"},
                                                       {"integrator.name=im"},
                                                       {"integrator.name=bdf2"},
                                                       {"integrator.name=newmark"},
                                                       {"integrator.name=genalpha"},
                                                       {"integrator.name=siere"},
                                                       {"integrator.name=ksiere"},
                                                       {"integrator.name=stabilized"},
                                                       {"integrator.name=ere"},
                                                       {"integrator.name=rk4", "integrator.h=0.0002", "steps=400"}};
  for (const std::vector<std::string>& changed : cases) {
    Simulation simulation = simulation_of(kBridge, changed);
    const NodalSystem& system = *simulation.system;
    RunListener listener;
    bool touched = false;
    VectorXd u_before;
    listener.on_step = [&](const StepRecord& record) {
      const State& state = simulation.state;
      const std::vector<Reaction> found = simulation.reactions.measure(system, state, simulation.h);
      ASSERT_EQ(found.size(), 3u);
      touched = touched || found[2].force[1] > 0;
      VectorXd gradient, load;
      system.gradient(state.t, state.q, gradient);
      system.load(state.t, state.q, state.v, load);
      Vec3 inertia = Vec3::Zero();
      for (Index i = 0; i < system.dofs(); ++i) inertia[i % 3] += load[i] - gradient[i];
      MatrixX3d x, u;
      system.positions(state.t, state.q, x);
      system.velocities(state.t, state.v, u);
      const Pose now = simulation.reactions.sources[0].motion->pose(state.t);
      const Pose last = simulation.reactions.sources[0].motion->pose(std::max(0.0, state.t - simulation.h));
      for (int v : simulation.reactions.sources[0].vertices) {
        const Vec3 rest = system.rest_positions().row(v);
        if (record.step > 0)
          inertia += system.vertex_mass()[v] * (now.velocity(rest) - last.velocity(rest)) / simulation.h;
      }
      // Force of the pressure on the top, whose rim is held by nobody's rule: p times the area vector as it is now.
      VectorXd all = VectorXd::Zero(3 * system.vertices());
      simulation.reactions.loads[0]->add(state.t, x.reshaped<Eigen::RowMajor>(), all, all);
      Vec3 sum = system.vertex_mass().sum() * Vec3(0, -9.81, 0);
      for (Index i = 0; i < all.size(); ++i) sum[i % 3] += all[i];
      for (const Reaction& reaction : found) sum += reaction.force;
      EXPECT_LT((sum - inertia).norm(), 1e-9 * system.vertex_mass().sum() * 9.81)
          << changed[0] << ", step " << record.step;
    };
    run(simulation, listener);
    EXPECT_TRUE(touched) << changed[0];
  }
}

TEST(Reactions, at_rest_are_the_weight) {
  Simulation simulation =
      simulation_of(kBridge, {R"(constraints=[{"set": "left", "motion": "fixed"}])", "loads=[]", "obstacles=[]",
                              R"(integrator.name="be")", "integrator.h=0.2", "steps=300"});
  run(simulation, {});
  const auto found = simulation.reactions.measure(*simulation.system, simulation.state, simulation.h);
  const double weight = simulation.system->vertex_mass().sum() * 9.81;
  EXPECT_NEAR((found[0].force + found[1].force)[1], weight, 1e-6 * weight);
  EXPECT_GT(found[1].force[1], 0.05 * weight);
}

/// A block on a slope of 20 degrees: the floor carries all of its weight, along the slope by friction. Where it slides,
/// friction is Coulomb's.
TEST(Reactions, of_a_rough_floor_have_its_friction) {
  constexpr const char* kSlope = R"({
    "name": "slope",
    "mesh": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2], "order": 2},
    "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.45, "rho": 1000}],
    "gravity": [3.355217606, -9.218384684, 0],
    "obstacles": [{"shape": "half-space", "friction": 0.8}],
    "integrator": {"name": "be", "h": 0.02}, "steps": 150, "output": {"frames": []}
  })";
  const Vec3 weight = 1000 * 1e-3 * Vec3(3.355217606, -9.218384684, 0);
  for (const bool among_bodies : {false, true}) {
    SCOPED_TRACE(among_bodies ? "with contact of surfaces" : "obstacles alone");
    const std::string contact = among_bodies ? R"(contact={"friction": 0.8})" : R"(name="slope")";
    Reaction found;
    Vec3 sum = Vec3::Zero();  // of the last twenty steps
    const auto last = [&](Simulation& simulation) {
      RunListener listener;
      listener.on_step = [&](const StepRecord& record) {
        found = simulation.reactions.measure(*simulation.system, simulation.state, simulation.h,
                                             record.report.contact_forces.get())[0];
        if (record.step > simulation.steps - 20) sum += found.force;
      };
      run(simulation, listener);
    };
    Simulation resting = simulation_of(kSlope, {contact});
    last(resting);
    EXPECT_LT((found.force + weight).norm(), 1e-4 * weight.norm());
    // About the point above which it stands there is no torque: force and weight are on one line.
    MatrixX3d x;
    resting.system->positions(resting.state.t, resting.state.q, x);
    Vec3 center = Vec3::Zero();
    for (int v = 0; v < x.rows(); ++v) center += resting.system->vertex_mass()[v] * x.row(v).transpose();
    center /= resting.system->vertex_mass().sum();
    EXPECT_LT((found.torque - center.cross(found.force)).norm(), 1e-4 * 0.1 * weight.norm());

    Simulation sliding = simulation_of(kSlope, {contact, "obstacles[0].friction=0.2", "steps=60"});
    sum.setZero();
    last(sliding);
    EXPECT_LT(sum[0], 0);
    // A step of bodies that touch ends where 5e-3 of the forces of contact is left, either way: the mean has less.
    EXPECT_NEAR(sum[0], -0.2 * sum[1], 1e-3 * sum[1]);
  }
}

TEST(Pressure, on_a_set_without_surface_is_refused) {
  try {
    simulation_of(kBridge, {R"(sets.top={"select": "nearest", "point": [0, 0, 0]})"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("loads[0]"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("no triangle"), std::string::npos) << error.what();
  }
}

TEST(Pressure, as_an_energy_needs_a_closed_surface) {
  try {
    simulation_of(kBridge, {R"(energies=[{"kind": "pressure", "set": "top", "pressure": 5}])"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("energies[0]"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("not closed"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace brio
