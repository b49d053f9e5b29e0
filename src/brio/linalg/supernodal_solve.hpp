#pragma once
// Triangular solves with a supernodal factor, family by family: forwards from the leaves to the roots, then back.

#include "brio/linalg/supernodal_symbolic.hpp"
#include "brio/linalg/supernodal_tree.hpp"

namespace brio {

class SupernodalSolver {
 public:
  explicit SupernodalSolver(const Symbolic& symbolic) : symbolic_(symbolic), tree_(symbolic) {}

  /// Overwrites B with (L L^T)^-1 B.
  void solve(double* factor, Eigen::Ref<MatrixXd> B);

 private:
  void forward(const Family& family, double* factor, const Eigen::Ref<MatrixXd>& B, int width);
  void backward(const Family& family, double* factor, Eigen::Ref<MatrixXd>& B, int width);
  void load(const Family& family, const Eigen::Ref<MatrixXd>& B, int width, double* X) const;
  void store(const Family& family, const double* X, int width, Eigen::Ref<MatrixXd>& B) const;
  double* right_hand_side(const Family& family, int width) { return work_.data() + family.right_hand_side * width; }

  const Symbolic& symbolic_;
  FamilyTree tree_;
  std::vector<double> work_;  ///< of all families; the numbers of one row are next to each other
};

}  // namespace brio
