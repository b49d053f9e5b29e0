// Rows of a program's own: named in scene files, listed, and refused where they would hide something.

#include "brio/extend/registry.hpp"

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"
#include "brio/scene/schema.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

/// Takes every vertex along x at the speed that the state has, and counts its steps.
class Coasting : public Integrator {
 public:
  void prepare(const System&) override {}
  StepReport step(State& state, double h) override {
    state.q += h * state.v;
    state.t += h;
    return {};
  }
};

IntegratorEntry coasting(std::string name, std::vector<Option> options = {}) {
  return {{std::move(name), "inertia alone", std::move(options)},
          [](const Options&) { return std::make_unique<Coasting>(); },
          {}};
}

template <class Register>
std::string refused_row(const Register& add) {
  try {
    add();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

const char* const kScene = R"({
  "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 1, "tets_per_cell": "6"},
  "materials": [{"law": "corotated", "E": 1e6, "nu": 0.3, "rho": 1000}],
  "initial": {"velocity": [2, 0, 0]},
  "integrator": {"name": "coasting", "h": 0.1}, "steps": 5})";

TEST(Registry, a_scene_names_a_row_that_was_added) {
  EXPECT_THROW(parse_scene(kScene, "scene.json", scene_tables()), Error);
  Registry().add_integrator(coasting("coasting"));
  Simulation simulation = build_simulation(parse_scene(kScene, "scene.json", scene_tables()));
  const VectorXd start = simulation.state.q;
  ASSERT_EQ(run(simulation, {}).status, RunStatus::finished);
  for (Index i = 0; i < start.size(); ++i) EXPECT_NEAR(simulation.state.q[i] - start[i], i % 3 == 0 ? 1.0 : 0.0, 1e-14);
  EXPECT_NE(scene_schema(scene_tables()).dump().find("\"coasting\""), std::string::npos);
}

TEST(Registry, refuses_names_and_keys_that_are_taken) {
  Registry registry("plug-in libmine.so");
  const std::string taken = refused_row([&] { registry.add_integrator(coasting("si")); });
  EXPECT_TRUE(taken.starts_with("plug-in libmine.so: integrator \"si\" (\"inertia alone\"): the name is taken by "))
      << taken;
  EXPECT_EQ(refused_row([&] { registry.add_integrator(coasting("mine", {Option::number("h", "s", "step")})); }),
            "plug-in libmine.so: integrator \"mine\": its option \"h\" has the name of a key of the scene format; "
            "choose another one");
  EXPECT_EQ(refused_row([&] {
              registry.add_load({{"mine", "a load", {Option::text("set", "which")}}, {}});
            }),
            "plug-in libmine.so: load \"mine\": its option \"set\" has the name of a key of the scene format; choose "
            "another one");
  // The generator of named shapes is not in the table of generators itself.
  EXPECT_NE(refused_row([&] { registry.add_generator({{"named", "mine", {}}, {}}); }), "");
  MeshFormat format;
  format.name = "mine", format.summary = "my format", format.extensions = {".msh"};
  EXPECT_EQ(refused_row([&] { registry.add_mesh_format(format); }),
            "plug-in libmine.so: mesh format \"mine\": files that end with .msh are those of \"gmsh\"");
}

TEST(Registry, mesh_formats_are_found_by_their_extension) {
  EXPECT_THROW(find_mesh_format("body.mine"), Error);
  MeshFormat format;
  format.name = "mine", format.summary = "my format", format.extensions = {".mine"};
  Registry().add_mesh_format(format);
  EXPECT_EQ(find_mesh_format("body.MINE").name, "mine");
}

}  // namespace
}  // namespace brio
