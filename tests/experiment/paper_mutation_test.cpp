// No statement of papers/ is vacuous: each holds where the paper is, and no longer when the result is scaled by the
// margin that the paper shows.

#include "brio/experiment/reproduce/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace brio {
namespace {

void for_each_check(const std::function<void(const PaperItem&, const ItemCheck&)>& visit) {
  for (const Paper& paper : load_papers(std::filesystem::path(BRIO_SOURCE_DIR) / "papers"))
    for (const PaperItem& item : paper.items)
      for (const ItemCheck& check : item.checks) visit(item, check);
}

/// The rule of the check on a number.
Outcome outcome(ItemCheck check, double x) {
  check.value = "run.x";
  Evidence evidence;
  evidence["run"].numbers["x"] = x;
  return judge(check, evidence).outcome;
}

/// A number that the rule accepts.
double accepted(const ItemCheck& check) {
  if (check.above && check.below) return (*check.above + *check.below) / 2;
  if (check.within) return *check.paper;
  const double bound = check.above ? *check.above : *check.below;
  const double away = std::max(1.0, std::fabs(bound));
  return check.above ? bound + away : bound - away;
}

TEST(PaperMutation, every_rule_can_hold_and_can_fail) {
  for_each_check([](const PaperItem& item, const ItemCheck& check) {
    const std::string what = item.name + ": " + check.say;
    EXPECT_EQ(outcome(check, accepted(check)), Outcome::holds) << what;
    EXPECT_EQ(outcome(check, NAN), Outcome::unknown) << what;
    for (const std::optional<double>& bound : {check.above, check.below})
      if (bound) {
        EXPECT_EQ(outcome(check, *bound), Outcome::fails) << what;
      }
  });
}

TEST(PaperMutation, a_printed_number_that_is_doubled_or_halved_fails) {
  int numbers = 0;
  for_each_check([&](const PaperItem& item, const ItemCheck& check) {
    if (!check.within) return;
    ++numbers;
    const std::string what = item.name + ": " + check.say;
    EXPECT_EQ(outcome(check, *check.paper), Outcome::holds) << what;
    for (const double factor : {2.0, 0.49}) EXPECT_EQ(outcome(check, factor * *check.paper), Outcome::fails) << what;
  });
  EXPECT_GE(numbers, 45) << "so many statements compare a number";
}

TEST(PaperMutation, a_difference_scaled_by_the_papers_margin_fails) {
  int margins = 0;
  for_each_check([&](const PaperItem& item, const ItemCheck& check) {
    if (!check.paper || check.within) return;
    ++margins;
    const std::string what = item.name + ": " + check.say;
    const double margin = std::max(std::fabs(*check.paper), 1 / std::fabs(*check.paper));
    EXPECT_GT(margin, 1.001) << what << ": a margin of none";
    EXPECT_EQ(outcome(check, *check.paper), Outcome::holds) << what;
    EXPECT_EQ(outcome(check, check.above ? *check.paper / margin : *check.paper * margin), Outcome::fails) << what;
  });
  EXPECT_GE(margins, 25);
}

}  // namespace
}  // namespace brio
