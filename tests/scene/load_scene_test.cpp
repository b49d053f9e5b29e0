// That what stands in the file arrives in the Scene, and the defaults where nothing stands.

#include "brio/scene/json_text.hpp"

#include <gtest/gtest.h>

#include "scene/test_tables.hpp"
#include "support/temporary_folder.hpp"
#include <cmath>
#include <fstream>

namespace brio::testing {
namespace {

TEST(LoadScene, every_key_arrives) {
  const Scene s = parse(kFullestScene);
  EXPECT_EQ(s.name, "everything");
  EXPECT_EQ(s.description, "all at once");

  EXPECT_EQ(s.bodies[0].mesh.source, MeshSpec::Source::generate);
  EXPECT_EQ(s.bodies[0].mesh.generator.name, "box");
  EXPECT_EQ(s.bodies[0].mesh.generator.path, "mesh");
  EXPECT_EQ(s.bodies[0].mesh.generator.options.vec3("size"), Vec3(1, 2, 3));
  EXPECT_EQ(s.bodies[0].mesh.generator.options.numbers("cells"), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(s.bodies[0].mesh.generator.options.text("split"), "five");
  EXPECT_FALSE(s.bodies[0].mesh.generator.options.has("transform"));
  EXPECT_EQ(s.bodies[0].mesh.transform->scale, 2);
  EXPECT_EQ(s.bodies[0].mesh.transform->rotate_axis, Vec3(1, 0, 0));
  EXPECT_EQ(s.bodies[0].mesh.transform->rotate_degrees, 90);
  EXPECT_EQ(s.bodies[0].mesh.transform->translate, Vec3(0, 1, 0));

  ASSERT_EQ(s.bodies[0].materials.size(), 4u);
  EXPECT_EQ(s.bodies[0].materials[0].region_name, "all");
  EXPECT_TRUE(s.bodies[0].materials[0].regions.empty());
  EXPECT_EQ(s.bodies[0].materials[0].law.name, "neo-hookean");
  EXPECT_EQ(s.bodies[0].materials[0].law.path, "materials[0]");
  EXPECT_EQ(s.bodies[0].materials[0].law.options.number("E"), 5e5);
  EXPECT_EQ(s.bodies[0].materials[0].rho, 1000);
  EXPECT_FALSE(s.bodies[0].materials[0].law.options.has("rho"));
  EXPECT_FALSE(s.bodies[0].materials[0].fiber);
  EXPECT_EQ(s.bodies[0].materials[1].regions, (std::vector<int>{1, 2}));
  EXPECT_EQ(s.bodies[0].materials[1].law.options.pairs("points"), (std::vector<Pair>{{1, 0}, {2, 1e5}}));
  EXPECT_EQ(s.bodies[0].materials[1].fiber->law.name, "muscle");
  EXPECT_EQ(s.bodies[0].materials[1].fiber->law.options.number("kappa"), 1e4);
  EXPECT_EQ(s.bodies[0].materials[1].fiber->direction, Vec3(0, 0, 2));
  EXPECT_EQ(s.bodies[0].materials[2].regions, std::vector<int>{3});
  EXPECT_FALSE(s.bodies[0].materials[2].fiber->direction);
  EXPECT_EQ(s.bodies[0].materials[3].region_name, "core");
  EXPECT_FALSE(s.bodies[0].springs);

  ASSERT_EQ(s.bodies[0].sets.size(), 3u);
  EXPECT_EQ(s.bodies[0].sets[0].name, "ends");
  EXPECT_EQ(s.bodies[0].sets[0].selector.options.names("sets"), (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(s.bodies[0].sets[1].name, "left");
  EXPECT_EQ(s.bodies[0].sets[1].selector.name, "extreme");
  EXPECT_EQ(s.bodies[0].sets[1].selector.path, "sets.left");
  EXPECT_EQ(s.bodies[0].sets[2].selector.options.numbers("indices"), (std::vector<double>{0, 1, 2}));

  ASSERT_EQ(s.constraints.size(), 2u);
  EXPECT_EQ(s.constraints[0].set, "left");
  EXPECT_EQ(s.constraints[0].motion.name, "fixed");
  EXPECT_EQ(s.constraints[1].motion.name, "translate");
  EXPECT_EQ(s.constraints[1].motion.options.vec3("velocity"), Vec3(0, 0, 1));
  ASSERT_EQ(s.attachments.size(), 1u);
  EXPECT_EQ(s.attachments[0].set, "ends");
  EXPECT_EQ(s.attachments[0].stiffness, 10);
  EXPECT_EQ(s.attachments[0].motion.options.vec3s("translations"), (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}));

  EXPECT_EQ(s.gravity, Vec3(0, 0, -1.6));
  ASSERT_EQ(s.obstacles.size(), 2u);
  EXPECT_EQ(s.obstacles[0].shape.name, "sphere");
  EXPECT_EQ(s.obstacles[0].shape.options.number("radius"), 0.5);
  EXPECT_EQ(s.obstacles[0].stiffness, 1e4);
  EXPECT_EQ(s.obstacles[0].motion->name, "translate");
  EXPECT_EQ(s.obstacles[0].motion->path, "obstacles[0].motion");
  EXPECT_FALSE(s.obstacles[1].motion);
  ASSERT_EQ(s.loads.size(), 2u);
  EXPECT_EQ(s.loads[0].load.options.vec3("force"), Vec3(1, 2, 3));
  EXPECT_EQ(s.loads[0].set, "right");
  EXPECT_TRUE(s.loads[1].load.options.boolean("steady"));
  EXPECT_FALSE(s.loads[1].set);
  ASSERT_EQ(s.energies.size(), 2u);
  EXPECT_EQ(s.energies[0].energy.options.number("frequency"), 2);
  EXPECT_EQ(s.energies[0].set, "left");
  EXPECT_FALSE(s.energies[1].set);

  ASSERT_EQ(s.cuts.size(), 1u);
  EXPECT_EQ(s.cuts[0].surface.options.vec3("normal"), Vec3(0, 0, 1));
  EXPECT_EQ(s.cuts[0].surface.path, "cuts[0]");
  EXPECT_EQ(s.cuts[0].time, 0.2);
  EXPECT_TRUE(s.cuts[0].faces && s.cuts[0].current);
  EXPECT_EQ(s.cuts[0].snap, 0.2);

  EXPECT_EQ(s.damping.alpha, 0.01);
  EXPECT_EQ(s.damping.beta, 0.02);
  EXPECT_TRUE(s.damping.current_stiffness);
  EXPECT_EQ(s.bodies[0].initial.velocity, Vec3(1, 0, 0));
  EXPECT_EQ(s.bodies[0].initial.angular_velocity, Vec3(0, 2, 0));
  EXPECT_EQ(s.bodies[0].initial.stretch, Vec3(1, 1.5, 1));
  EXPECT_EQ(s.bodies[0].initial.twist_degrees, 45);
  EXPECT_EQ(s.bodies[0].initial.twist_axis, 2);
  EXPECT_EQ(s.bodies[0].initial.jitter, 1e-3);
  EXPECT_EQ(s.bodies[0].initial.seed, 7);
  ASSERT_TRUE(s.condensation);
  EXPECT_EQ(s.condensation->nodes.name, "first");
  EXPECT_EQ(s.condensation->nodes.options.integer("count"), 4);
  EXPECT_EQ(s.condensation->gamma, 0.25);
  EXPECT_TRUE(s.condensation->newton);
  EXPECT_FALSE(s.condensation->initial);
  ASSERT_TRUE(s.condensation->adaptive);
  EXPECT_EQ(s.condensation->adaptive->threshold, 0.1);
  EXPECT_EQ(s.condensation->adaptive->window, 5);
  EXPECT_EQ(s.condensation->adaptive->hysteresis, 0.5);
  EXPECT_EQ(s.integrator.name, "be");
  EXPECT_EQ(s.integrator.options.integer("iterations"), 5);
  EXPECT_EQ(s.h, 0.005);
  EXPECT_EQ(s.steps, 100);
  EXPECT_EQ(s.output.every, 3);
  EXPECT_EQ(s.output.frames, (std::vector<std::string>{"obj", "vtu"}));
  EXPECT_EQ(std::get<std::string>(*s.output.probe), "ends");
}

TEST(LoadScene, defaults_where_nothing_stands) {
  const Scene s = parse(kSmallestScene);
  EXPECT_EQ(s.name, "scene");
  EXPECT_EQ(s.description, "");
  EXPECT_FALSE(s.bodies[0].mesh.transform);
  EXPECT_EQ(s.bodies[0].materials[0].region_name, "all");
  EXPECT_EQ(s.gravity, Vec3(0, -9.81, 0));
  EXPECT_EQ(s.damping.alpha, 0);
  EXPECT_EQ(s.damping.beta, 0);
  EXPECT_FALSE(s.damping.current_stiffness);
  EXPECT_EQ(s.bodies[0].initial.velocity, Vec3(0, 0, 0));
  EXPECT_EQ(s.bodies[0].initial.stretch, Vec3(1, 1, 1));
  EXPECT_EQ(s.bodies[0].initial.twist_axis, 0);
  EXPECT_EQ(s.integrator.options.number("beta"), 1);
  EXPECT_EQ(s.steps, 10);
  EXPECT_EQ(s.output.frames, std::vector<std::string>{"vtu"});
  EXPECT_FALSE(s.output.probe);
  EXPECT_TRUE(s.bodies[0].sets.empty() && s.constraints.empty() && s.attachments.empty() && s.obstacles.empty() &&
              s.loads.empty());
}

TEST(LoadScene, spring_nets) {
  const Scene s = parse(kClothScene);
  EXPECT_EQ(s.bodies[0].mesh.source, MeshSpec::Source::springs);
  EXPECT_EQ(s.bodies[0].mesh.generator.name, "cloth");
  EXPECT_EQ(s.bodies[0].springs->stiffness, 100);
  EXPECT_EQ(s.bodies[0].springs->shear_stiffness, 100);
  EXPECT_EQ(s.bodies[0].springs->bend_stiffness, 1);
  EXPECT_EQ(s.bodies[0].springs->total_mass, 0.2);
  EXPECT_FALSE(s.bodies[0].springs->vertex_mass);
  EXPECT_TRUE(s.output.frames.empty());
  EXPECT_EQ(std::get<int>(*s.output.probe), 12);
}

TEST(LoadScene, frames_at_most_sixty_per_second) {
  const auto stride = [](const std::string& h) { return parse(kSmallestScene, {"integrator.h=" + h}).output.every; };
  EXPECT_EQ(stride("0.1"), 1);
  EXPECT_EQ(stride("0.016666666666666666"), 1);
  EXPECT_EQ(stride("0.01"), 2);
  EXPECT_EQ(stride("0.001"), 17);
  EXPECT_EQ(stride("1e-30"), 2147483647);
}

TEST(LoadScene, duration_is_rounded_to_steps) {
  EXPECT_EQ(parse(kSmallestScene, {"duration=0.3"}).steps, 30);  // 0.3 / 0.01 is a little below 30
  EXPECT_EQ(parse(kSmallestScene, {"duration=0.014"}).steps, 1);
}

TEST(LoadScene, files_are_sought_beside_the_scene) {
  const TemporaryFolder temporary;
  const auto folder = temporary.path();
  std::filesystem::create_directories(folder / "meshes");
  std::ofstream(folder / "meshes" / "body.msh") << "nothing yet";
  std::ofstream(folder / "falling.json") << R"({"mesh": {"file": "meshes/body.msh"},
    "materials": [{"law": "neo-hookean", "E": 1, "nu": 0, "rho": 1}], "integrator": {"name": "si", "h": 1}, "steps": 1})";
  const Scene s = load_scene(folder / "falling.json", test_tables());
  EXPECT_EQ(s.name, "falling");
  EXPECT_EQ(s.bodies[0].mesh.source, MeshSpec::Source::file);
  EXPECT_EQ(s.bodies[0].mesh.file, folder / "meshes" / "body.msh");
}

}  // namespace
}  // namespace brio::testing
