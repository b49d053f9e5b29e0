#pragma once
// Triangular solves with a supernodal factor, family by family: forwards from the leaves to the roots, then back.

#include "brio/linalg/supernodal_panel_solve.hpp"
#include "brio/linalg/supernodal_symbolic.hpp"
#include "brio/linalg/supernodal_tree.hpp"

namespace brio {

class SupernodalSolver {
 public:
  explicit SupernodalSolver(const Symbolic& symbolic) : symbolic_(symbolic), tree_(symbolic) {}

  /// Overwrites B with (L L^T)^-1 B, L in double or in single precision.
  template <class Number>
  void solve(const Number* factor, Eigen::Ref<MatrixXd> B);

  /// The first half of it, for up to kMostPlanes right-hand sides: of B only the rows of the front that is kept are
  /// overwritten, by what all others leave to it.
  template <class Number>
  void forward(const Number* factor, Eigen::Ref<MatrixXd> B);
  /// The second half, with the solution in the rows of the front that is kept.
  template <class Number>
  void backward(const Number* factor, Eigen::Ref<MatrixXd> B);

 private:
  /// Room for so many right-hand sides.
  RightHandSides prepare(Index columns);
  /// visit(row, column, number) for what the right-hand sides have in the front that is kept.
  template <class Visit>
  void for_each_kept(const RightHandSides& columns, const Visit& visit);
  template <class Number>
  void forward(const Family& family, const Number* factor, const Eigen::Ref<MatrixXd>& B,
               const RightHandSides& columns);
  template <class Number>
  void backward(const Family& family, const Number* factor, Eigen::Ref<MatrixXd>& B, const RightHandSides& columns);
  void load(const Family& family, const Eigen::Ref<MatrixXd>& B, const RightHandSides& columns, double* X) const;
  void store(const Family& family, const double* X, const RightHandSides& columns, Eigen::Ref<MatrixXd>& B) const;

  /// Numbers from one plane of a family's right-hand sides to the next: its columns, the rows below, and scratch.
  Index plane(const Family& family) const {
    return family.columns + symbolic_.fronts[family.top].below + family.scratch;
  }
  double* right_hand_side(const Family& family, const RightHandSides& columns) {
    return work_.data() + family.right_hand_side * columns.count();
  }

  const Symbolic& symbolic_;
  FamilyTree tree_;
  std::vector<double> work_;  ///< of all families
};

}  // namespace brio
