#include "brio/scene/restore_momentum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>

namespace brio {
namespace {

/// The free vertices of a piece as a rigid body.
struct RigidPart {
  double mass = 0;              ///< [kg]
  Vec3 center = Vec3::Zero();   ///< [m]
  Mat3 inertia = Mat3::Zero();  ///< about the center [kg m^2]

  /// The angular velocity for an angular momentum about the center; about an axis without inertia there is none.
  Vec3 spin(const Vec3& momentum) const {
    constexpr double kNoInertia = 1e-12;  // of the largest: points on a line, but for round-off
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(inertia);
    Vec3 omega = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      if (axes.eigenvalues()[k] > kNoInertia * axes.eigenvalues()[2])
        omega += axes.eigenvectors().col(k) * (axes.eigenvectors().col(k).dot(momentum) / axes.eigenvalues()[k]);
    return omega;
  }
};

std::vector<RigidPart> rigid_parts(size_t count, const VectorXi& piece, const VectorXd& mass,
                                   const std::vector<char>& free, const MatrixX3d& x) {
  std::vector<RigidPart> parts(count);
  const auto for_each = [&](const auto& action) {
    for (Index i = 0; i < piece.size(); ++i)
      if (piece[i] >= 0 && free[i]) action(parts[piece[i]], mass[i], Vec3(x.row(i)));
  };
  for_each([](RigidPart& part, double m, const Vec3& at) {
    part.mass += m;
    part.center += m * at;
  });
  for (RigidPart& part : parts)
    if (part.mass > 0) part.center /= part.mass;
  for_each([](RigidPart& part, double m, const Vec3& at) {
    const Vec3 r = at - part.center;
    part.inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  });
  return parts;
}

}  // namespace

PieceMomenta piece_momenta(const VectorXi& piece, const VectorXd& mass, const MatrixX3d& x, const MatrixX3d& u) {
  PieceMomenta momenta(piece.size() > 0 ? piece.maxCoeff() + 1 : 0);
  for (Index i = 0; i < piece.size(); ++i) {
    if (piece[i] < 0) continue;
    const Vec3 p = mass[i] * u.row(i).transpose();
    momenta[piece[i]].linear += p;
    momenta[piece[i]].angular += Vec3(x.row(i)).cross(p);
  }
  return momenta;
}

void restore_momenta(const PieceMomenta& wanted, const VectorXi& piece, const VectorXd& mass,
                     const std::vector<char>& free, const MatrixX3d& x, MatrixX3d& u) {
  const std::vector<RigidPart> parts = rigid_parts(wanted.size(), piece, mass, free, x);
  for (int pass = 0; pass < 2; ++pass) {  // the second takes away what the first has left by round-off
    const PieceMomenta now = piece_momenta(piece, mass, x, u);
    std::vector<Vec3> velocity(wanted.size(), Vec3::Zero()), spin = velocity;
    for (size_t k = 0; k < wanted.size(); ++k) {
      if (!(parts[k].mass > 0)) continue;
      const Vec3 linear = wanted[k].linear - now[k].linear;
      const Vec3 angular = wanted[k].angular - now[k].angular - parts[k].center.cross(linear);
      velocity[k] = linear / parts[k].mass;
      spin[k] = parts[k].spin(angular);
    }
    for (Index i = 0; i < piece.size(); ++i) {
      const int k = piece[i];
      if (k >= 0 && free[i]) u.row(i) += (velocity[k] + spin[k].cross(Vec3(x.row(i)) - parts[k].center)).transpose();
    }
  }
}

}  // namespace brio
