#pragma once
// Where a rough obstacle pushes a body, for friction.

#include "brio/core/types.hpp"

namespace brio {

struct Touch {
  int point;        ///< a vertex where an Energy speaks, a point with three degrees of freedom where a System does
  Vec3 normal;      ///< out of the obstacle
  double force;     ///< along the normal [N]
  Vec3 velocity;    ///< of the obstacle there [m/s]
  double friction;  ///< Coulomb's coefficient
};

}  // namespace brio
