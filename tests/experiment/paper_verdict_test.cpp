// Every rule both ways: a number that obeys it and one that does not.

#include "brio/experiment/reproduce/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace brio {
namespace {

Evidence with_number(double x) {
  Evidence evidence;
  evidence["run"].numbers["x"] = x;
  return evidence;
}

CheckResult judged(double x, std::optional<double> above, std::optional<double> below,
                   std::optional<double> within = {}, std::optional<double> paper = {}) {
  return judge({"a statement", "run.x", above, below, within, paper}, with_number(x));
}

TEST(Verdict, a_rule_holds_or_fails) {
  EXPECT_EQ(judged(2, 1.0, {}).outcome, Outcome::holds);
  EXPECT_EQ(judged(1, 1.0, {}).outcome, Outcome::fails);
  EXPECT_EQ(judged(0.5, {}, 1.0).outcome, Outcome::holds);
  EXPECT_EQ(judged(1, {}, 1.0).outcome, Outcome::fails);
  EXPECT_EQ(judged(1.5, 1.0, 2.0).outcome, Outcome::holds);
  EXPECT_EQ(judged(2.5, 1.0, 2.0).outcome, Outcome::fails);
  EXPECT_EQ(judged(4.39, {}, {}, 0.1, 4.0).outcome, Outcome::holds);
  EXPECT_EQ(judged(4.5, {}, {}, 0.1, 4.0).outcome, Outcome::fails);
  EXPECT_EQ(judged(-4.39, {}, {}, 0.1, -4.0).outcome, Outcome::holds);
  EXPECT_EQ(judged(3.5, {}, {}, 0.1, 4.0).outcome, Outcome::fails);
}

TEST(Verdict, what_never_happens_is_a_number_like_others_and_what_is_unknown_is_not) {
  EXPECT_EQ(judged(INFINITY, 100.0, {}).outcome, Outcome::holds);
  EXPECT_EQ(judged(INFINITY, {}, 100.0).outcome, Outcome::fails);
  EXPECT_EQ(judged(NAN, 0.0, {}).outcome, Outcome::unknown);
  EXPECT_EQ(judged(NAN, {}, {}, 0.5, 1.0).outcome, Outcome::unknown);
}

TEST(Verdict, the_rule_is_printed) {
  EXPECT_EQ(judged(1, 0.5, {}).rule, "> 0.5");
  EXPECT_EQ(judged(1, 0.5, 2.0).rule, "> 0.5 and < 2");
  EXPECT_EQ(judged(1, {}, {}, 0.2, 3.5).rule, "within 20 % of 3.5");
}

TEST(Verdict, rounds_show_their_spread_and_only_where_the_value_changes_with_them) {
  Evidence evidence;
  evidence["a"].numbers = {{"step_ms", 2}, {"steps", 5}};
  evidence["b"].numbers = {{"step_ms", 1}, {"steps", 4}};
  const std::vector<TimesAgain> rounds = {{{"a", {{"step_ms", 2}}}, {"b", {{"step_ms", 1.25}}}},
                                          {{"a", {{"step_ms", 3}}}, {"b", {{"step_ms", 1}}}}};
  const auto spread = [&](const std::string& value) {
    const ItemCheck check{"a statement", value, 1.0, {}, {}, {}};
    CheckResult result = judge(check, evidence);
    find_spread(check, evidence, rounds, result);
    return result;
  };
  EXPECT_EQ(spread("a.step_ms / b.step_ms").value, 2) << "the least of each";
  EXPECT_EQ(spread("a.step_ms / b.step_ms").least, 1.6);
  EXPECT_EQ(spread("a.step_ms / b.step_ms").most, 3);
  EXPECT_EQ(spread("a.steps / b.steps").least, std::nullopt);
}

TEST(Verdict, todays_method_is_put_in_place_of_the_papers) {
  Evidence evidence;
  evidence["siere"].numbers["x"] = 6;
  evidence["si"].numbers["x"] = 2;
  evidence["glim_siere"].numbers["x"] = 8;
  const ItemCheck check{"a statement", "siere.x / si.x", 1.0, {}, {}, {}};
  EXPECT_EQ(judge(check, evidence, {"siere"}).value, 3);
  EXPECT_EQ(judge(check, evidence, {"siere"}).today, 4);
  EXPECT_EQ(judge(check, evidence).today, std::nullopt);
  EXPECT_EQ(judge({"another", "si.x", 1.0, {}, {}, {}}, evidence, {"siere"}).today, std::nullopt);
}

std::string verdict(const std::vector<Outcome>& outcomes, const std::string& incomparable = "") {
  std::vector<CheckResult> checks;
  for (Outcome outcome : outcomes) checks.push_back({"", "", 0, "", {}, outcome, {}});
  return verdict_on(checks, incomparable).text;
}

TEST(Verdict, follows_from_the_statements) {
  using enum Outcome;
  EXPECT_EQ(verdict({holds}), "agrees");
  EXPECT_EQ(verdict({holds, holds, holds}), "agrees");
  EXPECT_EQ(verdict({holds, fails}), "agrees in part");
  EXPECT_EQ(verdict({holds, unknown}), "agrees in part");
  EXPECT_EQ(verdict({fails, fails}), "does not agree");
  EXPECT_EQ(verdict({unknown}), "does not agree");
  EXPECT_EQ(verdict({}, "a sketch"), "cannot be compared");
  EXPECT_EQ(verdict_on({}, "a sketch").reason, "a sketch");
}

}  // namespace
}  // namespace brio
