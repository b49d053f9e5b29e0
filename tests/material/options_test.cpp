// What the laws refuse, and whether the message says why.
#include "brio/core/error.hpp"

#include <gtest/gtest.h>

#include "material_samples.hpp"

namespace brio {
namespace {

std::string refusal(const std::string& name, const Given& given) {
  try {
    const bool fiber = name.starts_with("fiber");
    make_material(find_row(fiber ? fiber_laws() : isotropic_laws(), "law", name), given);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refused(const std::string& name, const Given& given, const std::string& part) {
  const std::string text = refusal(name, given);
  EXPECT_NE(text.find(part), std::string::npos) << name << ": " << text;
}

using Numbers = std::vector<double>;
using Points = std::vector<Pair>;

TEST(LawOptions, elastic_constants_have_bounds) {
  for (const char* name : {"corotated", "stvk", "neo-hookean", "stable-neo-hookean", "mooney-rivlin"}) {
    expect_refused(name, {{"E", -1.0}, {"nu", 0.3}}, "E: expected a number > 0 [Pa]");
    expect_refused(name, {{"E", 0.0}, {"nu", 0.3}}, "E: expected");
    expect_refused(name, {{"E", NAN}, {"nu", 0.3}}, "E: expected");
    expect_refused(name, {{"E", 1e4}, {"nu", 0.5}}, "nu: expected");
    expect_refused(name, {{"E", 1e4}, {"nu", -1.0}}, "nu: expected");
    expect_refused(name, {{"E", 1e4}, {"nu", 0.3}, {"rho", 1e3}}, "unknown key \"rho\"");
    EXPECT_EQ(refusal(name, {{"E", 1e4}, {"nu", 0.0}}), "accepted") << name;
    EXPECT_EQ(refusal(name, {{"E", 1e4}, {"nu", 0.4999}}), "accepted") << name;
  }
  expect_refused("neo-hookean", {{"E", 1e4}, {"nu", -0.1}}, "nu: expected a number >= 0");
  expect_refused("neo-hookean", {{"E", 1e4}, {"nu", 0.1}, {"j_min", 0.0}}, "j_min: expected");
  EXPECT_EQ(refusal("corotated", {{"E", 1e4}, {"nu", -0.9}}), "accepted");
}

TEST(LawOptions, one_set_of_constants_and_all_of_it) {
  for (const char* name : {"corotated", "stvk", "neo-hookean", "stable-neo-hookean"}) {
    expect_refused(name, {}, "give either E, nu or mu, lambda");
    expect_refused(name, {{"E", 1e4}}, "give either E, nu or mu, lambda");
    expect_refused(name, {{"E", 1e4}, {"nu", 0.3}, {"mu", 1.0}}, "give either E, nu or mu, lambda");
    EXPECT_EQ(refusal(name, {{"mu", 1e4}, {"lambda", 1e4}}), "accepted");
  }
  expect_refused("stvk", {{"mu", 3.0}, {"lambda", -2.0}}, "must be > -2/3 mu");
  expect_refused("arap", {}, "give either E or mu");
  expect_refused("arap", {{"E", 1.0}, {"mu", 1.0}}, "give either E or mu");
  expect_refused("mooney-rivlin", {{"mu10", 1.0}, {"mu01", 1.0}}, "give either E, nu or mu10, mu01, kappa");
  expect_refused("mooney-rivlin", {{"mu10", 1.0}, {"mu01", 2.0}, {"kappa", 2.0}}, "kappa = 2: must be >");
}

TEST(LawOptions, polynomials_need_a_lowest_energy) {
  const std::string name = "valanis-landel-polynomial";
  expect_refused(name, {}, "\"a\" is missing");
  expect_refused(name, {{"a", Numbers{}}}, "nothing resists");
  expect_refused(name, {{"a", Numbers{0, 0}}}, "nothing resists");
  expect_refused(name, {{"a", Numbers{1, 1}}}, "a: the highest power is 1 (x-1)^3");
  expect_refused(name, {{"a", Numbers{1, 0, -2}}}, "a: the highest power is -2 (x-1)^4");
  expect_refused(name, {{"a", Numbers{1}}, {"c", Numbers{-1}}}, "c: the highest power is -1 (x-1)^2");
  EXPECT_EQ(refusal(name, {{"a", Numbers{1, 0}}}), "accepted");
}

TEST(LawOptions, splines_are_ordered_monotone_and_at_rest) {
  const std::string name = "valanis-landel-spline";
  const Points good{{0.5, -1}, {1, 0}, {2, 1}};
  EXPECT_EQ(refusal(name, {{"a", good}}), "accepted");
  expect_refused(name, {{"a", Points{{0.5, -1}, {1, 0}}}}, "a: 2 control points given, at least 3");
  expect_refused(name, {{"a", Points{}}}, "a: 0 control points given");
  expect_refused(name, {{"a", Points{{0.5, -1}, {0.5, -0.5}, {2, 1}}}}, "a: the stretches of the control points must");
  expect_refused(name, {{"a", Points{{0.5, -1}, {1, 0}, {2, -1}}}}, "a: the stress must increase");
  expect_refused(name, {{"a", Points{{0.5, -1}, {1, 0.5}, {2, 1}}}}, "= 0.5 Pa: must be 0");
  expect_refused(name, {{"a", good}, {"c", Points{{0.5, 1}, {1, 0}, {2, 1}}}}, "c: the stress must increase from the");
  expect_refused(name, {{"a", Points{{0.5, -1}, {1, 0}, {1 + 1e-15, 1e300}}}}, "too steep");
  // Neither curve rests at 1 alone, but together they do.
  EXPECT_EQ(refusal(name, {{"a", Points{{0.5, 0.5}, {1, 1}, {2, 2}}}, {"c", Points{{0.5, -2}, {1, -1}, {2, 1}}}}),
            "accepted");
}

TEST(LawOptions, fibers_need_a_positive_stiffness) {
  for (const MaterialEntry& row : fiber_laws()) {
    expect_refused(row.name, {}, "\"kappa\" is missing");
    expect_refused(row.name, {{"kappa", 0.0}}, "kappa: expected a number > 0 [Pa]");
    expect_refused(row.name, {{"kappa", 1.0}, {"tension_only", 1.0}}, "tension_only: expected true or false");
  }
  expect_refused("fiber-fung", {{"kappa", 1.0}, {"b", 0.0}}, "b: expected");
}

TEST(LawOptions, every_option_is_described) {
  for (const auto* table : {&isotropic_laws(), &fiber_laws()}) {
    for (const MaterialEntry& row : *table) {
      EXPECT_FALSE(row.summary.empty()) << row.name;
      for (const Option& option : row.options) EXPECT_FALSE(option.doc.empty()) << row.name << "." << option.key;
    }
  }
  EXPECT_THROW(MaterialSum({}), Error);
}

}  // namespace
}  // namespace brio
