// Described options: every complaint says what was expected, and suggestions are near.

#include "brio/core/options.hpp"

#include "brio/core/error.hpp"
#include "brio/core/suggest.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

const std::vector<Option> kOptions = {
    Option::number("E", "Pa", "Young's modulus").above(0),
    Option::number("nu", "", "Poisson's ratio").with_default(0.3).above(-1).below(0.5),
    Option::integer("count", "how many").with_default(4.0).at_least(1).at_most(9),
    Option::choice("psd", {"auto", "clamp", "none"}, "projection").with_default("auto"),
    Option::vec3("axis", "m", "direction").optional(),
};

std::string refused_options(const std::map<std::string, OptionValue>& given) {
  try {
    Options(kOptions, given, "materials[0]");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Options, defaults_fill_what_is_not_given) {
  const Options options(kOptions, {{"E", 1e5}}, "m");
  EXPECT_EQ(options.number("E"), 1e5);
  EXPECT_EQ(options.number("nu"), 0.3);
  EXPECT_EQ(options.integer("count"), 4);
  EXPECT_EQ(options.text("psd"), "auto");
  EXPECT_FALSE(options.has("axis"));
}

TEST(Options, complaints_name_place_and_expectation) {
  EXPECT_EQ(refused_options({}), "materials[0]: \"E\" is missing: expected a number > 0 [Pa] (Young's modulus)");
  EXPECT_EQ(refused_options({{"E", -1.0}}), "materials[0].E: expected a number > 0 [Pa]");
  EXPECT_EQ(refused_options({{"E", std::nan("")}}), "materials[0].E: expected a number > 0 [Pa]");
  EXPECT_EQ(refused_options({{"E", "soft"}}), "materials[0].E: expected a number > 0 [Pa]");
  EXPECT_EQ(refused_options({{"E", 1.0}, {"nu", 0.5}}), "materials[0].nu: expected a number > -1 and < 0.5");
  EXPECT_EQ(refused_options({{"E", 1.0}, {"count", 2.5}}), "materials[0].count: expected a whole number >= 1 and <= 9");
  EXPECT_EQ(refused_options({{"E", 1.0}, {"psd", "clmap"}}),
            "materials[0].psd: expected one of auto, clamp, none; did you mean \"clamp\"?");
  EXPECT_EQ(refused_options({{"E", 1.0}, {"Nu", 0.1}}),
            "materials[0]: unknown key \"Nu\"; did you mean \"nu\"? (known: E, nu, count, psd, axis)");
}

TEST(Suggest, only_what_is_near) {
  const std::vector<std::string> names = {"stable-neo-hookean", "neo-hookean", "stvk"};
  EXPECT_EQ(nearest("neo-hokean", names), "neo-hookean");
  EXPECT_EQ(nearest("STVK", names), "stvk");
  EXPECT_EQ(nearest("banana", names), "");
  EXPECT_EQ(nearest(std::string(1 << 20, 'x'), names), "");
}

}  // namespace
}  // namespace brio
