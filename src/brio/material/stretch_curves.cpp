#include "brio/material/stretch_curves.hpp"

#include <limits>

namespace brio {
namespace {

struct Answer {
  double energy, along, aside;  ///< aside: the mean of the two lateral stresses
};

Answer answer(const Material& material, const Vec3& fiber, double along, double aside) {
  ElementBatch in{};
  for (int i = 0; i < 3; ++i) {
    in.F(i, i) = splat(i == 0 ? along : aside);
    in.fiber[i] = splat(fiber[i]);
  }
  Pack psi;
  M3<Pack> P;
  material.evaluate(in, {.psi = &psi, .P = &P});
  return {psi[0], P(0, 0)[0], 0.5 * (P(1, 1)[0] + P(2, 2)[0])};
}

}  // namespace

StretchPoint stretched(const Material& material, const Vec3& fiber, double stretch, Sides sides) {
  if (sides != Sides::free) {
    const Answer found = answer(material, fiber, stretch, sides == Sides::together ? stretch : 1);
    return {found.along, found.energy};
  }
  double low = 0.05, high = 5;
  if (!(answer(material, fiber, stretch, low).aside < 0 && answer(material, fiber, stretch, high).aside > 0)) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {kNone, kNone};
  }
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (answer(material, fiber, stretch, middle).aside < 0 ? low : high) = middle;
  }
  const Answer found = answer(material, fiber, stretch, 0.5 * (low + high));
  return {found.along, found.energy};
}

}  // namespace brio
