#pragma once
// Polynomials of J = [0 I; -M^-1 K -M^-1 D] times a vector (x, v), by a three-term recurrence, and their sum: one pass
// over K and over D's own stiffness for each, in which all else is done as well.

#include "brio/linalg/block_matrix.hpp"
#include "brio/linalg/chebyshev_pair.hpp"
#include "brio/linalg/ellipse_series.hpp"

namespace brio {

class DampedPolynomials {
 public:
  /// J of K, and of D = alpha M + beta K_D on the same pattern. Positions are measured in units of v / omega.
  void set_matrices(const VectorXd& mass, const BlockMatrix& K, const BlockMatrix& K_damping, double alpha,
                    double beta, double omega);
  /// S_0 of tau J times (x, v), and the sum zero.
  void begin(const VectorXd& x, const VectorXd& v, double tau);
  /// Adds the present polynomial.
  void add(double share);
  /// The next polynomial of the series, and adds its share.
  void next(const EllipseSeries& series);
  /// Square of the present polynomial's norm: omega^2 x.M x + v.M v.
  double square(const VectorXd& mass) const;
  void get_sum(VectorXd& x, VectorXd& v) const;

 private:
  double omega_ = 1, tau_ = 0, alpha_ = 0;
  int degree_ = 0;
  VectorXd inverse_mass_;
  std::vector<int> row_begin_, column_;  ///< blocks of a row, of both triangles, and the block column of each
  /// Nine a block, column by column within it: of K / omega and of beta K_D.
  std::vector<NumberPair> blocks_;
  std::vector<NumberPair> now_, before_, sum_;  ///< (omega x, v) of each degree of freedom
};

}  // namespace brio
