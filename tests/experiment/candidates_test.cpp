// Which methods are tried, how long, and what a scene looks like with one of them in it.

#include "brio/experiment/advise/candidates.hpp"

#include "brio/experiment/advise/trial_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace brio {
namespace {

/// A small soft body that swings once a second.
SceneFacts small_body() {
  SceneFacts f;
  f.vertices = 500, f.elements = 2000;
  f.h = 0.01, f.duration = 10;
  f.integrator = "si";
  f.solid = true;
  f.slow = {6.28, 20, 40};
  f.initial_share = {0.95, 0.04, 0.01};
  f.fastest = 3000;
  f.step_s = 1e-3, f.force_s = 1e-4, f.build_s = 0.01;
  return f;
}

bool tries(const SceneFacts& facts, const std::string& label) {
  const auto all = candidates_for(facts, {{"name", facts.integrator}, {"h", facts.h}});
  return std::any_of(all.begin(), all.end(), [&](const Candidate& c) { return c.label == label; });
}

TEST(AdviseCandidates, the_scene_s_own_method_comes_first_and_only_once) {
  const auto all = candidates_for(small_body(), {{"name", "si"}, {"h", 0.01}});
  EXPECT_TRUE(all[0].own);
  EXPECT_EQ(all[0].label, "si, as it is");
  for (size_t i = 1; i < all.size(); ++i) {
    EXPECT_FALSE(all[i].own);
    EXPECT_NE(all[i].label, "si");
    EXPECT_NE(all[i].why, "");
  }
  // With options of its own it is another method than the plain one.
  const auto other = candidates_for(small_body(), {{"name", "si"}, {"beta", 0.7}, {"h", 0.01}});
  EXPECT_EQ(other[1].label, "si");
}

TEST(AdviseCandidates, each_rule_is_for_the_scenes_it_is_for) {
  SceneFacts f = small_body();
  EXPECT_TRUE(tries(f, "ksiere"));
  EXPECT_TRUE(tries(f, "siere modes=3"));  // one mode carries it; never fewer than three are asked for
  EXPECT_TRUE(tries(f, "ere"));            // h omega = 30
  EXPECT_FALSE(tries(f, "se"));
  EXPECT_FALSE(tries(f, "be"));
  EXPECT_FALSE(tries(f, "be solver=quasi-newton"));

  f.contact = true;
  EXPECT_TRUE(tries(f, "be"));
  f.fastest = 1e6;
  EXPECT_FALSE(tries(f, "ere"));
  f.fastest = 150;  // h omega = 1.5, where symplectic Euler goes up to 2
  EXPECT_TRUE(tries(f, "se"));

  f = small_body();
  f.slow = {200};  // faster than ksiere's cut
  f.initial_share = {0};
  EXPECT_FALSE(tries(f, "ksiere"));
  EXPECT_TRUE(tries(f, "siere modes=3"));

  f = small_body();
  f.vertices = 20000;
  EXPECT_TRUE(tries(f, "be solver=quasi-newton"));
  EXPECT_TRUE(tries(f, "si beta=0.6, 4 dynamic nodes"));
  EXPECT_FALSE(tries(f, "im"));
  f.solid = false;  // a net is not condensed
  EXPECT_FALSE(tries(f, "si beta=0.6, 4 dynamic nodes"));
}

TEST(AdvisePlan, a_small_body_gets_everything_it_wishes_for) {
  const SceneFacts f = small_body();
  const auto all = candidates_for(f, {{"name", "si"}, {"h", 0.01}});
  const TrialPlan plan = plan_trials(f, all, 600);
  EXPECT_EQ(plan.tried, all.size());
  EXPECT_TRUE(plan.reference);
  EXPECT_TRUE(plan.other_steps);
  EXPECT_NEAR(plan.steps, 800, 2);  // eight swings of 100 steps
  EXPECT_TRUE(plan.notes.empty()) << plan.notes.front();
}

TEST(AdvisePlan, a_large_body_gets_less_and_says_so) {
  SceneFacts f = small_body();
  f.step_s = 0.2, f.force_s = 0.01, f.build_s = 1;
  const auto all = candidates_for(f, {{"name", "si"}, {"h", 0.01}});
  const TrialPlan plan = plan_trials(f, all, 20);
  EXPECT_EQ(plan.tried, 4u);
  EXPECT_FALSE(plan.reference);
  EXPECT_FALSE(plan.other_steps);
  EXPECT_GE(plan.steps, 2);
  EXPECT_EQ(plan.steps % 2, 0);
  EXPECT_GE(plan.notes.size(), 3u);
  // What it plans fits into the time, by its own guesses.
  double units = 0;
  for (size_t i = 0; i < plan.tried; ++i) units += all[i].relative_cost;
  EXPECT_LE(plan.steps * units * f.step_s + 4 * f.build_s, 20);
}

TEST(AdvisePlan, hostile_numbers_make_a_plan_all_the_same) {
  SceneFacts f = small_body();
  f.step_s = 1e5;
  const auto all = candidates_for(f, {{"name", "si"}, {"h", 0.01}});
  EXPECT_EQ(plan_trials(f, all, 1).steps, 2);
  f.step_s = 1e-12, f.force_s = 0, f.duration = 1e12;
  f.initial_share = {0, 0, 0};
  const TrialPlan plan = plan_trials(f, all, 86400);
  EXPECT_GE(plan.steps, 2);
  EXPECT_LE(plan.steps, 1000);
}

TEST(AdviseCandidates, a_scene_with_a_candidate_differs_where_it_should) {
  const Json scene = Json::parse(R"({"name": "x", "integrator": {"name": "si", "beta": 0.7, "h": 0.01},
    "condensation": {"nodes": {"choose": "farthest", "count": 5}}, "steps": 100, "output": {"every": 4}})");
  Candidate siere;
  siere.integrator = {{"name", "siere"}, {"modes", 4}};
  const Json same_step = with_candidate(scene, siere, 0.01);
  EXPECT_EQ(same_step, Json::parse(R"({"name": "x", "integrator": {"name": "siere", "modes": 4, "h": 0.01},
    "steps": 100, "output": {"every": 4}})"));
  const Json twice = with_candidate(scene, siere, 0.02);
  EXPECT_EQ(twice["steps"], 50);
  EXPECT_EQ(twice["output"]["every"], 2);
  Candidate own;
  own.own = true;
  EXPECT_EQ(with_candidate(scene, own, 0.01), scene);
  const Json half = with_candidate(scene, own, 0.005);
  EXPECT_EQ(half["integrator"], Json::parse(R"({"name": "si", "beta": 0.7, "h": 0.005})"));
  EXPECT_EQ(half["condensation"], scene["condensation"]);
  EXPECT_EQ(half["steps"], 200);
  Candidate nodes = siere;
  nodes.dynamic_nodes = 6;
  EXPECT_EQ(with_candidate(scene, nodes, 0.01)["condensation"]["nodes"]["count"], 6);
}

}  // namespace
}  // namespace brio
