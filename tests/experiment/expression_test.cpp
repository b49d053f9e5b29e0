// Expressions over findings: arithmetic against the compiler's, functions against curves with known answers.

#include "brio/experiment/reproduce/expression.hpp"

#include "brio/core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace brio {
namespace {

Evidence some_evidence() {
  Evidence evidence;
  evidence["si"].numbers = {{"step_ms", 4}, {"error", std::nan("")}};
  evidence["be"].numbers = {{"step_ms", 10}};
  SampledCurve ramp;  // y = 10 - x at x = 0 … 8
  for (int i = 0; i <= 8; ++i) ramp.x.push_back(i), ramp.y.push_back(10 - i);
  evidence["si"].curves["total"] = ramp;
  evidence["si"].curves["empty"] = {};
  return evidence;
}

double value(const std::string& text) { return evaluate(text, some_evidence()); }

TEST(Expression, arithmetic) {
  EXPECT_DOUBLE_EQ(value("1 + 2 * 3"), 7);
  EXPECT_DOUBLE_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_DOUBLE_EQ(value("8 / 4 / 2"), 1);
  EXPECT_DOUBLE_EQ(value("1 - 2 - 3"), -4);
  EXPECT_DOUBLE_EQ(value("-2*-1.5e1"), 30);
  EXPECT_DOUBLE_EQ(value("be.step_ms / si.step_ms"), 2.5);
  EXPECT_DOUBLE_EQ(value("max(si.step_ms, be.step_ms) - min(1, 2) + abs(0-3) + sqrt(9) + log10(100)"), 17);
  EXPECT_TRUE(std::isnan(value("si.error + 1")));
  EXPECT_TRUE(std::isnan(value("max(si.error, 1)")));
  EXPECT_TRUE(std::isnan(value("max(1, si.error)")));
  EXPECT_TRUE(std::isnan(value("min(si.error, 1)")));
  EXPECT_TRUE(std::isnan(value("min(1, si.error)")));
}

TEST(Expression, a_run_that_blew_up_has_no_mean_and_no_end) {
  Evidence evidence = some_evidence();
  evidence["si"].trouble = "step 7: lost";
  for (const char* text : {"late(si.total)", "mean(si.total)", "last(si.total)", "swing(si.total)"})
    EXPECT_TRUE(std::isnan(evaluate(text, evidence))) << text;
  EXPECT_DOUBLE_EQ(evaluate("most(si.total)", evidence), 10);
  EXPECT_DOUBLE_EQ(evaluate("below(si.total, 5.5)", evidence), 5);
}

TEST(Expression, functions_of_curves) {
  EXPECT_DOUBLE_EQ(value("at(si.total, 2.5)"), 7.5);
  EXPECT_DOUBLE_EQ(value("at(si.total, 0)"), 10);
  EXPECT_DOUBLE_EQ(value("at(si.total, 8)"), 2);
  EXPECT_TRUE(std::isnan(value("at(si.total, 8.1)")));
  EXPECT_DOUBLE_EQ(value("first(si.total) - last(si.total)"), 8);
  EXPECT_DOUBLE_EQ(value("least(si.total)"), 2);
  EXPECT_DOUBLE_EQ(value("most(si.total)"), 10);
  EXPECT_DOUBLE_EQ(value("mean(si.total)"), 6);
  EXPECT_DOUBLE_EQ(value("early(si.total)"), 9);  // x = 0, 1, 2
  EXPECT_DOUBLE_EQ(value("late(si.total)"), 3);   // x = 6, 7, 8
  EXPECT_DOUBLE_EQ(value("swing(si.total)"), 8);
  EXPECT_DOUBLE_EQ(value("early_swing(si.total)"), 2);
  EXPECT_DOUBLE_EQ(value("late_swing(si.total)"), 2);
  EXPECT_DOUBLE_EQ(value("below(si.total, 5.5)"), 5);
  EXPECT_DOUBLE_EQ(value("above(si.total, 5)"), 0);
  EXPECT_TRUE(std::isinf(value("below(si.total, 1)")));
  for (const char* function : {"first", "last", "least", "most", "mean", "early", "late", "swing", "late_swing"})
    EXPECT_TRUE(std::isnan(value(std::string(function) + "(si.empty)"))) << function;
  EXPECT_TRUE(std::isnan(value("below(si.empty, 1)")));
}

std::string refusal(const std::string& text) {
  try {
    value(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Expression, distance_of_two_curves) {
  EXPECT_DOUBLE_EQ(value("apart(si.total, si.total)"), 0);
  EXPECT_TRUE(std::isnan(value("apart(si.total, si.empty)")));
  EXPECT_NE(refusal("apart(si.total)"), "");
  Evidence evidence;
  evidence["a"].curves["y"] = {{0, 1, 2}, {0, 5, 9}};
  evidence["b"].curves["y"] = {{0, 2}, {1, 3}};
  EXPECT_DOUBLE_EQ(evaluate("apart(a.y, b.y)", evidence), 6);  // at x = 2; b is 1, 2, 3
  evidence["b"].trouble = "it ran away";
  EXPECT_TRUE(std::isnan(evaluate("apart(a.y, b.y)", evidence)));
}

TEST(Expression, refuses_what_makes_no_sense) {
  for (const char* text : {"", "1 +", "(1", "1 2", "si", "si.", ".", "at(si.total)", "at(si.total, 1", "mean(3)",
                           "1e999e", "si.total", "late(si.step_ms)", "nothing.step_ms", "min(1)", "si.step_ms.x"})
    EXPECT_NE(refusal(text), "") << text;
  EXPECT_NE(refusal("si.stepms").find("did you mean \"step_ms\"?"), std::string::npos) << refusal("si.stepms");
  EXPECT_NE(refusal("meen(si.total)").find("did you mean \"mean\"?"), std::string::npos);
  EXPECT_NE(refusal(std::string(10000, '(')).find("nested too deeply"), std::string::npos);
}

TEST(Expression, curves_by_name) {
  const Evidence evidence = some_evidence();
  EXPECT_EQ(find_curve("si.total", evidence).x.size(), 9u);
  EXPECT_THROW(find_curve("total", evidence), Error);
  EXPECT_THROW(find_curve("si.kinetic", evidence), Error);
}

}  // namespace
}  // namespace brio
