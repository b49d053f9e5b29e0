#pragma once
// Triangular solves with a supernodal factor, family by family.

#include "brio/linalg/supernodal_symbolic.hpp"
#include "brio/linalg/supernodal_tree.hpp"

namespace brio {

class SupernodalSolver {
 public:
  explicit SupernodalSolver(const Symbolic& symbolic) : symbolic_(symbolic), tree_(symbolic) {}

  /// Overwrites B with (L L^T)^-1 B.
  void solve(const double* factor, Eigen::Ref<MatrixXd> B);

 private:
  void forward(const Family& family, const double* factor, Eigen::Ref<MatrixXd> B);
  void backward(const Family& family, const double* factor, Eigen::Ref<MatrixXd> B);

  const Symbolic& symbolic_;
  FamilyTree tree_;
  /// Per family its columns, the rows below its top and scratch; the numbers of one row are next to each other.
  std::vector<double> work_;
};

}  // namespace brio
