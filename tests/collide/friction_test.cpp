// The friction of one contact against differences of its potential.

#include "brio/collide/friction.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

/// What holds has the stiffness of a parabola that lies above the potential; what slides has the second derivative.
TEST(FrictionForce, derivatives_agree_with_differences) {
  constexpr double kHeld = 1e-4, kStep = 1e-9;
  ActiveContact touch{};
  touch.normal = Vec3(1, 2, -2) / 3;
  touch.force = 3;
  touch.friction = 0.5;
  const FrictionContact contact(touch, kHeld * Vec3(0.1, 0.2, 0));
  const Vec3 there = kHeld * Vec3(-0.2, 0.5, 0.1);
  for (double size : {0.05, 0.3, 0.6, 1.5, 4.0}) {
    const Vec3 way = size * kHeld * Vec3(2, -1, 0.5).normalized();
    const FrictionForce force(contact, way, kHeld);
    for (int k = 0; k < 3; ++k) {
      const FrictionForce more(contact, way + kStep * Vec3::Unit(k), kHeld);
      const FrictionForce less(contact, way - kStep * Vec3::Unit(k), kHeld);
      EXPECT_NEAR((more.value - less.value) / (2 * kStep), force.gradient[k], 1e-6 * touch.force) << size;
      const Vec3 column = (more.gradient - less.gradient) / (2 * kStep);
      if (size < 1) continue;
      EXPECT_LT((column - force.stiffness.col(k)).norm(), 1e-6 * touch.force / kHeld) << size;
    }
    if (size > 1) continue;
    for (const Vec3& apart : {there, Vec3(-there), Vec3(3 * there), Vec3(-3 * there)}) {
      const double parabola = force.value + force.gradient.dot(apart) + 0.5 * apart.dot(force.stiffness * apart);
      EXPECT_GE(parabola, FrictionForce(contact, way + apart, kHeld).value) << size;
    }
  }
}

}  // namespace
}  // namespace brio
