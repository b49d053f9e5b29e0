#pragma once
// Linear and angular momentum of all vertices.

#include "brio/core/types.hpp"

namespace brio {

struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< [kg m/s]
  Vec3 angular = Vec3::Zero();  ///< about the origin [kg m^2/s]
};

Momentum momentum(const VectorXd& vertex_mass, const MatrixX3d& x, const MatrixX3d& u);

}  // namespace brio
