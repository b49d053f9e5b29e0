// Which runs a comparison consists of, and what it refuses.

#include "brio/experiment/compare/compare_plan.hpp"

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

const std::string kScene = BRIO_SOURCE_DIR "/scenes/bar-1k.json";  // 200 steps of 0.01 s with si

ComparePlan planned(const std::string& integrators, const std::string& reference = "",
                    const std::vector<std::string>& overrides = {}) {
  return plan_comparison(kScene, scene_tables(), overrides, integrators, reference);
}

std::string refused_plan(const std::string& integrators, const std::string& reference = "",
                         const std::vector<std::string>& overrides = {}) {
  try {
    planned(integrators, reference, overrides);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_text(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(ComparePlan, keeps_the_order_and_tells_the_runs_apart) {
  const ComparePlan p = planned("si, newmark:gamma=0.6:beta=0.3,newmark,si,be");
  ASSERT_EQ(p.runs.size(), 5u);
  EXPECT_EQ(p.runs[0].label, "si");
  EXPECT_EQ(p.runs[1].label, "newmark gamma=0.6 beta=0.3");
  EXPECT_EQ(p.runs[1].scene.integrator.name, "newmark");
  EXPECT_EQ(p.runs[1].scene.integrator.options.number("gamma"), 0.6);
  EXPECT_EQ(p.runs[1].scene.integrator.options.number("beta"), 0.3);
  EXPECT_EQ(p.runs[2].label, "newmark");
  EXPECT_EQ(p.runs[2].scene.integrator.options.number("gamma"), 0.5);
  EXPECT_EQ(p.runs[3].label, "si (2)");
  EXPECT_FALSE(p.reference);
}

TEST(ComparePlan, own_steps_meet_at_the_output_times) {
  const ComparePlan p = planned("si,be:h=0.0025,im:h=0.04", "rk4@1e-4", {"output.every=4"});
  ASSERT_EQ(p.runs.size(), 3u);
  const int every[] = {4, 16, 1}, steps[] = {200, 800, 50};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(p.runs[i].scene.output.every, every[i]);
    EXPECT_EQ(p.runs[i].scene.steps, steps[i]);
  }
  ASSERT_TRUE(p.reference);
  EXPECT_EQ(p.reference->scene.integrator.name, "rk4");
  EXPECT_EQ(p.reference->scene.steps, 20000);
  EXPECT_EQ(p.reference->scene.output.every, 400);
}

TEST(ComparePlan, an_option_of_the_file_goes_only_where_it_means_the_same) {
  const ComparePlan p = planned("si,newmark", "", {"integrator.beta=0.5"});
  EXPECT_EQ(p.runs[0].scene.integrator.options.number("beta"), 0.5);
  EXPECT_EQ(p.runs[1].scene.integrator.options.number("beta"), 0.25);
}

TEST(ComparePlan, refuses_with_the_nearest_name) {
  expect_text(refused_plan("si,newmrk"), {"--integrators newmrk", "did you mean \"newmark\"?"});
  expect_text(refused_plan("newmark:gama=0.6"), {"--integrators newmark:gama=0.6", "did you mean \"gamma\"?"});
  expect_text(refused_plan("si", "rk5@0.001"), {"--reference rk5", "did you mean \"rk4\"?"});
}

TEST(ComparePlan, refuses_bad_values) {
  expect_text(refused_plan("newmark:gamma=0.2"), {"gamma", "0.2", "0.5"});
  expect_text(refused_plan("si:h=0"), {"h = 0", "> 0"});
  expect_text(refused_plan("si:h=-0.01"), {"-0.01", "> 0"});
  expect_text(refused_plan("si", "im@0"), {"--reference", "> 0"});
  expect_text(refused_plan("si", "im"), {"--reference im", "rk4@1e-4"});
  expect_text(refused_plan("si,,be"), {"expected the name of an integrator"});
  expect_text(refused_plan(""), {"expected the name of an integrator"});
  expect_text(refused_plan("si:beta"), {"\"beta\" is no option"});
  expect_text(refused_plan("si:name=be"), {"\"name=be\" is no option"});
  expect_text(refused_plan("si:h=0.003"), {"0.003", "does not divide the output interval of 0.01 s"});
  expect_text(refused_plan("si:h=0.02"), {"does not divide the output interval"});
  expect_text(refused_plan("si:h=0.02", "", {"output.every=2", "steps=3"}), {"does not divide the duration of 0.03 s"});
  expect_text(refused_plan("si", "rk4@1e-30"), {"steps"});
  std::string many = "si";
  for (int i = 0; i < 40; ++i) many += ",si";
  expect_text(refused_plan(many), {"41 methods"});
}

TEST(ComparePlan, names_every_problem_at_once) {
  const std::string text = refused_plan("sii,si:h=-1,be", "im@x");
  expect_text(text, {"--integrators sii", "--integrators si:h=-1", "--reference im:h=x"});
}

}  // namespace
}  // namespace brio
