// The rule on numbers made up for it: each bar both ways, ties, and nothing to choose from.

#include "brio/experiment/advise/verdict.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

Trial trial(const std::string& label, double cost, double drift, std::optional<double> error = {}) {
  Trial t;
  t.label = label;
  t.h = 0.01;
  t.finished = true;
  t.cost = cost;
  t.drift = drift;
  t.gain = std::max(0.0, drift);
  t.error = error;
  return t;
}

TEST(AdviseVerdict, the_cheapest_that_keeps_its_energy_is_chosen) {
  const Verdict v = choose_method({trial("si", 1, -0.8), trial("ksiere", 1.5, -0.05), trial("im", 4, 0)}, 1);
  EXPECT_EQ(v.chosen, 1u);
  EXPECT_NE(v.objections[0].find("loses 80 %"), std::string::npos) << v.objections[0];
  EXPECT_EQ(v.objections[1], "");
  EXPECT_EQ(v.objections[2], "");
  EXPECT_NE(v.reason.find("cheapest"), std::string::npos);
}

TEST(AdviseVerdict, what_may_be_lost_grows_with_the_swings_up_to_five) {
  const std::vector<Trial> trials = {trial("a", 1, -0.25), trial("b", 5, 0)};
  EXPECT_EQ(choose_method(trials, 1).chosen, 1u);                                      // 10 % allowed
  EXPECT_EQ(choose_method(trials, 3).chosen, 0u);                                      // 1 - 0.9^3 = 27 %
  EXPECT_EQ(choose_method(trials, 0).chosen, 1u);                                      // unknown: 10 %
  EXPECT_EQ(choose_method(trials, 0.1).chosen, 1u);                                    // 2 %
  EXPECT_EQ(choose_method({trial("a", 1, -0.5), trial("b", 5, 0)}, 1000).chosen, 1u);  // 1 - 0.9^5 = 41 %
}

TEST(AdviseVerdict, one_that_makes_energy_is_not_chosen_even_when_it_ends_well) {
  Trial wild = trial("wild", 1, 0);
  wild.gain = 0.3;
  const Verdict v = choose_method({wild, trial("tame", 3, 0)}, 1);
  EXPECT_EQ(v.chosen, 1u);
  EXPECT_NE(v.objections[0].find("makes 30 %"), std::string::npos);
  wild.gain = 0.05;
  EXPECT_EQ(choose_method({wild, trial("tame", 3, 0)}, 1).chosen, 0u);
}

TEST(AdviseVerdict, the_error_bar_is_a_tenth_or_twice_the_nearest) {
  const auto with_error = [](double cheap, double dear) {
    return std::vector<Trial>{trial("cheap", 1, 0, cheap), trial("dear", 3, 0, dear)};
  };
  EXPECT_EQ(choose_method(with_error(0.09, 0.001), 1).chosen, 0u);
  EXPECT_EQ(choose_method(with_error(0.11, 0.001), 1).chosen, 1u);
  EXPECT_EQ(choose_method(with_error(0.50, 0.30), 1).chosen, 0u);
  EXPECT_EQ(choose_method(with_error(0.61, 0.30), 1).chosen, 1u);
}

TEST(AdviseVerdict, one_that_lost_its_energy_does_not_set_the_error_bar) {
  // A dead body may be near the reference; the lively ones are judged among themselves.
  const Verdict v = choose_method({trial("dead", 1, -0.9, 0.05), trial("lively", 2, 0, 0.4)}, 1);
  EXPECT_EQ(v.chosen, 1u);
}

TEST(AdviseVerdict, equal_costs_go_to_the_scene_s_own_method_and_then_to_the_nearest) {
  std::vector<Trial> trials = {trial("a", 1.2, -0.05, 0.05), trial("b", 1, -0.05, 0.06), trial("c", 1.1, 0, 0.01)};
  EXPECT_EQ(choose_method(trials, 1).chosen, 2u);
  trials[0].own = true;
  EXPECT_EQ(choose_method(trials, 1).chosen, 0u);
  trials[0].cost = 1.3;  // now clearly dearer
  EXPECT_EQ(choose_method(trials, 1).chosen, 2u);
}

TEST(AdviseVerdict, what_did_not_get_through_is_never_chosen) {
  Trial diverged = trial("diverged", 0.1, 0);
  diverged.finished = false;
  diverged.failure = "diverged: the energy ran away";
  const Verdict v = choose_method({diverged, trial("lossy", 9, -0.99)}, 1);
  EXPECT_EQ(v.chosen, 1u) << "nothing passes, but this one got through";
  EXPECT_EQ(v.objections[0], diverged.failure);
  EXPECT_NE(v.reason.find("none passes"), std::string::npos);
  EXPECT_FALSE(choose_method({diverged}, 1).chosen);
  EXPECT_FALSE(choose_method({}, 1).chosen);
}

TEST(AdviseVerdict, a_body_at_rest_is_judged_by_its_cost_alone) {
  Trial still = trial("still", 1, 0);
  still.drift.reset();
  EXPECT_EQ(choose_method({trial("dear", 3, 0), still}, 0).chosen, 1u);
}

TEST(AdviseVerdict, the_longest_step_that_passes_is_chosen) {
  std::vector<Trial> trials = {trial("m", 1, -0.05, 0.02), trial("m 2h", 0.5, -0.08, 0.05), trial("m h/2", 2, 0, 0.01)};
  trials[1].h = 0.02, trials[2].h = 0.005;
  EXPECT_EQ(choose_step(trials, 0, {0, 1, 2}, 1).chosen, 1u);
  trials[1].error = 0.2;
  EXPECT_EQ(choose_step(trials, 0, {0, 1, 2}, 1).chosen, 0u);
  trials[0].drift = -0.5;
  const Verdict shorter = choose_step(trials, 0, {0, 1, 2}, 1);
  EXPECT_EQ(shorter.chosen, 2u);
  EXPECT_NE(shorter.reason.find("shorter step passes"), std::string::npos);
  trials[2].finished = false;
  trials[1].finished = false;
  EXPECT_EQ(choose_step(trials, 0, {0, 1, 2}, 1).chosen, 0u) << "stays where nothing else got through";
}

}  // namespace
}  // namespace brio
