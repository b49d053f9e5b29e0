// Prescribed motions: velocities against differences of positions, end poses, and refusals.

#include "brio/energy/motion.hpp"

#include "brio/core/error.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace brio {
namespace {

std::unique_ptr<Motion> make(const std::string& name, const std::map<std::string, OptionValue>& options) {
  const MotionEntry& row = find_row(motions(), "motion", name);
  return row.make(Options(row.options, options, "constraints[0]"), "constraints[0]");
}

std::vector<std::pair<std::string, std::map<std::string, OptionValue>>> samples() {
  return {
      {"fixed", {}},
      {"translate", {{"velocity", Vec3(1, 2, 3)}, {"start", 0.2}, {"stop", 0.8}}},
      {"oscillate", {{"amplitude", Vec3(0.1, 0, 0.3)}, {"frequency", 2.0}}},
      {"rotate", {{"axis", Vec3(1, 1, 0)}, {"rate", 2.0}, {"center", Vec3(0, 1, 2)}, {"stop", 0.9}}},
      {"keyframes",
       {{"times", std::vector<double>{0, 0.4, 1}},
        {"translations", std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}}},
        {"rotations", std::vector<Vec3>{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}}},
        {"center", Vec3(0.5, 0.5, 0)}}},
  };
}

TEST(Motion, every_row_has_a_sample) { EXPECT_EQ(samples().size(), motions().size()); }

TEST(Motion, velocity_is_the_slope_of_the_position) {
  const Vec3 x(0.3, -0.2, 0.9);
  for (const auto& [name, options] : samples()) {
    const auto motion = make(name, options);
    for (double t : {0.1, 0.3, 0.55, 0.75, 0.95}) {
      constexpr double step = 1e-6;
      const Vec3 slope = (motion->pose(t + step).position(x) - motion->pose(t - step).position(x)) / (2 * step);
      EXPECT_LT((motion->pose(t).velocity(x) - slope).norm(), 1e-7) << name << " at " << t;
    }
  }
}

TEST(Motion, poses_are_rotations_and_start_from_rest_position) {
  for (const auto& [name, options] : samples()) {
    const auto motion = make(name, options);
    EXPECT_LT((motion->pose(0).position(Vec3(1, 2, 3)) - Vec3(1, 2, 3)).norm(), 1e-12) << name;
    const Mat3 R = motion->pose(0.7).R;
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), 1e-12) << name;
    EXPECT_EQ(motion->moves(), name != "fixed");
  }
}

TEST(Motion, ends_where_told) {
  const auto turn = make("rotate", {{"axis", Vec3(0, 0, 2)}, {"rate", std::numbers::pi}, {"stop", 0.5}});
  EXPECT_LT((turn->pose(7).position(Vec3(1, 0, 0)) - Vec3(0, 1, 0)).norm(), 1e-12);
  EXPECT_EQ(turn->pose(7).velocity(Vec3(1, 0, 0)).norm(), 0);
  const auto keys = make("keyframes", samples().back().second);
  EXPECT_LT((keys->pose(0.4).position(Vec3(0.5, 0.5, 0)) - Vec3(1.5, 0.5, 0)).norm(), 1e-12);
}

std::string refusal(const std::string& name, const std::map<std::string, OptionValue>& options) {
  try {
    make(name, options);
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Motion, refusals_say_where_and_why) {
  EXPECT_EQ(refusal("rotate", {{"axis", Vec3(0, 0, 0)}, {"rate", 1.0}}),
            "constraints[0].axis = [0, 0, 0]: a rotation needs a direction, for example [1, 0, 0]");
  EXPECT_EQ(refusal("keyframes", {{"times", std::vector<double>{0}}}),
            "constraints[0].times: 1 given, at least 2 are needed");
  EXPECT_EQ(refusal("keyframes", {{"times", std::vector<double>{0, 2, 1}}}),
            "constraints[0].times[2] = 1: must be later than the one before (2)");
  EXPECT_EQ(refusal("keyframes", {{"times", std::vector<double>{0, 1}}, {"rotations", std::vector<Vec3>{{0, 0, 1}}}}),
            "constraints[0].rotations: 1 given for 2 times");
}

}  // namespace
}  // namespace brio
