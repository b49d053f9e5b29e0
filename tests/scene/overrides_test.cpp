// --set key.path=value: where it writes, what it refuses, and that the messages say where a value came from.

#include <gtest/gtest.h>

#include "scene/test_tables.hpp"

namespace brio::testing {
namespace {

TEST(Overrides, reach_every_place) {
  const Scene s = parse(kFullestScene, {"integrator.h=0.25", "materials[1].rho=7", "materials.2.E=8", "name=other",
                                        "gravity=[0,0,1]", "gravity[1]=2", "sets.left.side=max", "output.frames=[]"});
  EXPECT_EQ(s.h, 0.25);
  EXPECT_EQ(s.bodies[0].materials[1].rho, 7);
  EXPECT_EQ(s.bodies[0].materials[2].law.options.number("E"), 8);
  EXPECT_EQ(s.name, "other");
  EXPECT_EQ(s.gravity, Vec3(0, 2, 1));
  EXPECT_EQ(s.bodies[0].sets[1].selector.options.text("side"), "max");
  EXPECT_TRUE(s.output.frames.empty());
}

TEST(Overrides, make_sections_that_are_missing) {
  EXPECT_EQ(parse(kSmallestScene, {"damping.alpha=0.5"}).damping.alpha, 0.5);
  EXPECT_EQ(parse(kSmallestScene, {"mesh.transform.scale=3"}).bodies[0].mesh.transform->scale, 3);
}

TEST(Overrides, the_later_one_wins) { EXPECT_EQ(parse(kSmallestScene, {"steps=3", "steps=4"}).steps, 4); }

TEST(Overrides, steps_and_duration_replace_each_other) {
  EXPECT_EQ(parse(kFullestScene, {"steps=3"}).steps, 3);
  EXPECT_EQ(parse(kSmallestScene, {"duration=0.5"}).steps, 50);
}

TEST(Overrides, another_integrator_keeps_the_options_that_it_has) {
  EXPECT_EQ(parse(kClothScene, {"integrator.name=be"}).integrator.options.integer("iterations"), 20);
  EXPECT_EQ(
      parse(kClothScene, {"integrator.name=be", "integrator.iterations=3"}).integrator.options.integer("iterations"),
      3);
  EXPECT_EQ(complaint(kClothScene, {"integrator.itterations=3", "integrator.name=be"}),
            "scene.json: integrator.itterations: unknown key \"itterations\"; did you mean \"iterations\"? "
            "(known: name, h, engine, engine_tolerance, engine_options, iterations) (from --set integrator.itterations=3)");
}

TEST(Overrides, messages_say_where_the_value_came_from) {
  EXPECT_EQ(complaint(kSmallestScene, {"integrator.h=-1"}),
            "scene.json: integrator.h = -1: expected a number > 0 [s] (from --set integrator.h=-1)");
  EXPECT_EQ(complaint(kSmallestScene, {"integrator.h=fast"}),
            "scene.json: integrator.h = \"fast\": expected a number > 0 [s] (from --set integrator.h=fast)");
  EXPECT_EQ(complaint(kSmallestScene, {"integrator.h=1e999"}),
            "scene.json: integrator.h = \"1e999\": expected a number > 0 [s] (from --set integrator.h=1e999)");
  EXPECT_EQ(complaint(kSmallestScene, {"materials.0.rho=-1"}),
            "scene.json: materials[0].rho = -1: expected a number > 0 [kg/m^3] (from --set materials.0.rho=-1)");
  EXPECT_EQ(complaint(kSmallestScene, {"damping={\"alpha\": -1}"}),
            "scene.json: damping.alpha = -1: expected a number >= 0 [1/s] (from --set damping={\"alpha\": -1})");
  EXPECT_EQ(complaint(kSmallestScene, {"mesh.radious=2"}),
            "scene.json: mesh.radious: unknown key \"radious\"; did you mean \"radius\"? (known: generate, transform, "
            "skin, order, refine, radius) "
            "(from --set mesh.radious=2)");
}

TEST(Overrides, refusals_name_the_override) {
  EXPECT_EQ(complaint(kSmallestScene, {"steps"}), "scene.json: --set steps: expected key.path=value");
  for (const char* bad : {"=3", ".a=3", "a.=3", "a..b=3", "a[=3", "a[]=3", "a[0=3", "a[0]b=3", "[0]=3"})
    EXPECT_EQ(complaint(kSmallestScene, {bad}),
              "scene.json: --set " + std::string(bad) +
                  ": expected key.path=value, such as integrator.h=0.01 or materials[0].E=1e6");
  EXPECT_EQ(complaint(kSmallestScene, {"materials[1].E=3"}),
            "scene.json: --set materials[1].E=3: materials has 1 entries, counted from 0; there is no [1]");
  EXPECT_EQ(
      complaint(kSmallestScene, {"materials.E=3"}),
      "scene.json: --set materials.E=3: materials is a list; expected the number of one of its entries, not \"E\"");
  EXPECT_EQ(
      complaint(kSmallestScene, {"materials[99999999999999999999].E=3"}),
      "scene.json: --set materials[99999999999999999999].E=3: materials is a list; expected the number of one of its "
      "entries, not \"99999999999999999999\"");
  EXPECT_EQ(complaint(kSmallestScene, {"steps.x=3"}),
            "scene.json: --set steps.x=3: steps has no parts, so \"x\" cannot be set");
  std::string deep = "a";
  for (int i = 0; i < 1000; ++i) deep += ".a";
  EXPECT_TRUE(complaint(kSmallestScene, {deep + "=1"}).ends_with("the key has more than 32 parts"));
}

TEST(Overrides, bytes_that_are_no_text_do_not_hurt) {
  EXPECT_NE(complaint(kSmallestScene, {"integrator.h=\xFF\xFE"}), "");
  EXPECT_NE(complaint(kSmallestScene, {"\xC3=\xC3"}), "");
}

}  // namespace
}  // namespace brio::testing
