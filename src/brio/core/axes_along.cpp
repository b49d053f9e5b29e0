#include "brio/core/axes_along.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace brio {

Mat3 axes_along(const Vec3& z) {
  const Vec3 to = z.normalized();
  if (to.z() < -1 + 1e-12) return Vec3(1, -1, -1).asDiagonal();  // half a turn; any axis across z would do
  // The unit quaternion of half the angle. (Eigen's FromTwoVectors is the same with a singular value decomposition for
  // the case above, which takes longer to compile than all the rest here.)
  const double s = std::sqrt(2 * (1 + to.z()));
  return Eigen::Quaterniond(s * 0.5, -to.y() / s, to.x() / s, 0).toRotationMatrix();
}

}  // namespace brio
