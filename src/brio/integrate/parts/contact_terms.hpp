#pragma once
// The second derivative of contact: a 3x3 stiffness between the two sides of each contact, which couples points that no
// matrix of the bodies does.

#include "brio/core/types.hpp"

#include <array>
#include <vector>

namespace brio {

struct ContactTerm {
  std::array<int, 4> point;      ///< -1 where there are fewer, or where the vertex does not move freely
  std::array<double, 4> weight;  ///< in the way between the two sides
  Mat3 stiffness;
};

/// y += C x
inline void add_product(const std::vector<ContactTerm>& terms, const VectorXd& x, VectorXd& y) {
  for (const ContactTerm& term : terms) {
    Vec3 apart = Vec3::Zero();
    for (int i = 0; i < 4; ++i)
      if (term.point[i] >= 0) apart += term.weight[i] * x.segment<3>(3 * term.point[i]);
    const Vec3 force = term.stiffness * apart;
    for (int i = 0; i < 4; ++i)
      if (term.point[i] >= 0) y.segment<3>(3 * term.point[i]) += term.weight[i] * force;
  }
}

}  // namespace brio
