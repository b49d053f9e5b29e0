#include "brio/diagnose/strain.hpp"

#include "brio/mesh/quadratic.hpp"

#include <Eigen/LU>

#include <cmath>

namespace brio {
namespace {

Mat3 edges(const MatrixX3d& x, const MatrixX4i& T, Index tet) {
  Mat3 D;
  for (int a = 0; a < 3; ++a) D.col(a) = (x.row(T(tet, a + 1)) - x.row(T(tet, 0))).transpose();
  return D;
}

VectorXd averaged(const VectorXd& sum, const VectorXd& weight) {
  return (weight.array() > 0).select(sum.array() / weight.array().max(1e-300), 0.0);
}

}  // namespace

VectorXd vertex_strain(const TetMesh& rest, const MatrixX3d& x) {
  if (rest.order() == 2) return vertex_strain(split_tets(rest), x);
  VectorXd sum = VectorXd::Zero(rest.vertices()), weight = sum;
  for (Index e = 0; e < rest.T.rows(); ++e) {
    const Mat3 Dm = edges(rest.X, rest.T, e), F = edges(x, rest.T, e) * Dm.inverse();
    const double volume = std::fabs(Dm.determinant()) / 6;
    const double strain = (0.5 * (F.transpose() * F - Mat3::Identity())).norm();
    for (int a = 0; a < 4; ++a) {
      sum[rest.T(e, a)] += volume * strain;
      weight[rest.T(e, a)] += volume;
    }
  }
  return averaged(sum, weight);
}

VectorXd vertex_strain(const SpringNet& rest, const MatrixX3d& x) {
  VectorXd sum = VectorXd::Zero(rest.vertices()), weight = sum;
  for (Index s = 0; s < rest.springs.rows(); ++s) {
    const int i = rest.springs(s, 0), j = rest.springs(s, 1);
    const double strain = std::fabs((x.row(i) - x.row(j)).norm() / (rest.X.row(i) - rest.X.row(j)).norm() - 1);
    for (int v : {i, j}) sum[v] += strain, weight[v] += 1;
  }
  return averaged(sum, weight);
}

}  // namespace brio
