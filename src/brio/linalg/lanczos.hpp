#pragma once
// Lanczos' process for M^-1 K in the inner product x.M y of a diagonal M: the space of start, M^-1 K start, … grows by
// one vector per product with K, and only the last two vectors enter the next.

#include "brio/core/types.hpp"

namespace brio {

class Lanczos {
 public:
  /// A space of one vector, or of none when the start is zero; room for `most` vectors.
  void begin(const VectorXd& mass, const VectorXd& start, int most);
  /// One more row of T, and the vector after it, from `image` = K next(), which is overwritten. The caller multiplies,
  /// so that several processes may share a pass over K. False when the space is invariant: T is complete.
  bool extend(const VectorXd& mass, Eigen::Ref<VectorXd> image);

  int size() const { return size_; }                           ///< rows of T
  double length() const { return length_; }                    ///< of the start, in the norm of M
  auto diagonal() const { return alpha_.head(size_); }         ///< of T
  auto off_diagonal() const { return beta_.head(size_ - 1); }  ///< of T
  /// K V = M (V T + residual * next * e_last^T), 0 when the space is invariant.
  double residual() const { return size_ > 0 ? beta_[size_ - 1] : 0; }
  auto basis() const { return V_.leftCols(size_); }  ///< V, M-orthonormal up to rounding
  auto next() const { return V_.col(size_); }        ///< the start, before the first extend()

 private:
  MatrixXd V_;
  VectorXd alpha_, beta_;
  double length_ = 0;
  int size_ = 0;
};

}  // namespace brio
