#include "brio/mesh/transform.hpp"

#include "brio/core/error.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace brio {
namespace {

void require_factors(const Vec3& factors) {
  if (!factors.allFinite() || !(factors.minCoeff() > 0)) {
    throw Error("scale = [{}, {}, {}]: must be finite factors > 0", factors[0], factors[1], factors[2]);
  }
}

Mat3 rotation(const Vec3& axis, double degrees) {
  const Vec3 unit = axis.stableNormalized();
  if (!(std::fabs(unit.norm() - 1) < 1e-6)) {
    throw Error("rotation axis = [{}, {}, {}]: must have a length above 0", axis[0], axis[1], axis[2]);
  }
  if (!std::isfinite(degrees)) throw Error("rotation angle = {}: must be finite [degrees]", degrees);
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, unit).toRotationMatrix();
}

void shift(MatrixX3d& X, const Vec3& by) {
  if (!by.allFinite()) throw Error("translation = [{}, {}, {}]: must be finite [m]", by[0], by[1], by[2]);
  X.rowwise() += by.transpose();
}

void require_finite(const MatrixX3d& X) {
  if (!X.allFinite()) throw Error("the transformed mesh has coordinates that are not finite; use smaller numbers");
}

}  // namespace

void scale(TetMesh& mesh, const Vec3& factors) {
  require_factors(factors);
  mesh.X *= factors.asDiagonal();
  mesh.fiber *= factors.asDiagonal();
  for (Index t = 0; t < mesh.fiber.rows(); ++t) mesh.fiber.row(t).stableNormalize();
  require_finite(mesh.X);
}

void scale(SpringNet& net, const Vec3& factors) {
  require_factors(factors);
  net.X *= factors.asDiagonal();
  require_finite(net.X);
}

void rotate(TetMesh& mesh, const Vec3& axis, double degrees) {
  const Mat3 R = rotation(axis, degrees);
  mesh.X *= R.transpose();
  mesh.fiber *= R.transpose();
}

void rotate(SpringNet& net, const Vec3& axis, double degrees) { net.X *= rotation(axis, degrees).transpose(); }

void translate(TetMesh& mesh, const Vec3& by) {
  shift(mesh.X, by);
  require_finite(mesh.X);
}

void translate(SpringNet& net, const Vec3& by) {
  shift(net.X, by);
  require_finite(net.X);
}

}  // namespace brio
