#include "brio/linalg/mass_orthonormal.hpp"

#include <cmath>

namespace brio {

bool append_orthonormal(const VectorXd& mass, MatrixXd& Q, Index count, VectorXd& column) {
  constexpr double kDependent = 1e-10;
  const auto norm = [&] { return std::sqrt(column.dot(mass.cwiseProduct(column))); };
  const double before = norm();
  if (!(before > 0)) return false;
  column /= before;
  for (int pass = 0; pass < 2; ++pass) {  // the second pass removes what rounding left of the first
    for (Index k = 0; k < count; ++k) column -= Q.col(k).dot(mass.cwiseProduct(column)) * Q.col(k);
  }
  const double left = norm();
  if (!(left > kDependent)) return false;
  Q.col(count) = column / left;
  return true;
}

}  // namespace brio
