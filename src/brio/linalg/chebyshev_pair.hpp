#pragma once
// Chebyshev polynomials of M^-1 K times two vectors at once, and sums of them with given coefficients: one pass over K
// for each polynomial, in which all else is done as well. No basis is kept and no inner product is formed.

#include "brio/linalg/block_matrix.hpp"

namespace brio {

/// Two numbers that go through every product together.
using NumberPair = double __attribute__((vector_size(16)));

class ChebyshevPair {
 public:
  /// What a polynomial of the two vectors adds to the two sums.
  struct Shares {
    NumberPair first, second;  ///< of the first vector, of the second one: to the first sum and to the second
  };

  /// Keeps a copy of K, row by row and both triangles, that is read from one end to the other.
  void set_matrix(const BlockMatrix& K);
  /// T_0: the two vectors themselves; polynomials are those of the interval [low, high] of lambda, and the sums zero.
  void begin(const VectorXd& mass, double low, double high, const VectorXd& first, const VectorXd& second);
  /// Adds the present polynomials to the sums.
  void add(const Shares& shares);
  /// The next polynomials, and adds them.
  void next(const Shares& shares);

  /// Squares of the present polynomials' norms, x.M x ...
  NumberPair squares(const VectorXd& mass) const;
  /// ... and their products with what was before them.
  NumberPair products_with_last(const VectorXd& mass) const;
  /// One of the present polynomials, or of the sums; index 0 or 1.
  VectorXd polynomial(int index) const;
  void get_sums(VectorXd& first, VectorXd& second) const;

 private:
  double shift_ = 0;
  int degree_ = 0;
  VectorXd scale_;
  std::vector<int> row_begin_, column_;  ///< blocks of a row, and the block column of each
  std::vector<double> values_;           ///< nine a block, column by column within it
  std::vector<NumberPair> now_, before_, sums_;
};

}  // namespace brio
