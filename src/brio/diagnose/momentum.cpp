#include "brio/diagnose/momentum.hpp"

#include <Eigen/Geometry>

namespace brio {

Momentum momentum(const VectorXd& vertex_mass, const MatrixX3d& x, const MatrixX3d& u) {
  Momentum sum;
  for (Index i = 0; i < vertex_mass.size(); ++i) {
    const Vec3 p = vertex_mass[i] * u.row(i).transpose();
    sum.linear += p;
    sum.angular += Vec3(x.row(i).transpose()).cross(p);
  }
  return sum;
}

}  // namespace brio
