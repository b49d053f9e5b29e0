#pragma once
// A contact point with friction: where an obstacle pushes a body, and how.

#include "brio/core/types.hpp"

namespace brio {

struct Touch {
  int point;        ///< a vertex number from an Energy; the index of three degrees of freedom from a System
  Vec3 normal;      ///< out of the obstacle
  double force;     ///< along the normal [N]
  Vec3 velocity;    ///< of the obstacle there [m/s]
  double friction;  ///< Coulomb's coefficient
};

}  // namespace brio
