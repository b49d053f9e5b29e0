#pragma once
// Limited-memory BFGS (Nocedal and Wright 2006, section 7.2; [quasi-newton] algorithm 2): the last few steps s and
// changes of the gradient t correct a matrix that is only roughly the second derivative. The scalar products among the
// pairs are kept, so that each loop of the recursion is one pass over the memory instead of one per pair.

#include "brio/core/types.hpp"

#include <vector>

namespace brio {

class Lbfgs {
 public:
  explicit Lbfgs(int window) : window_(window) {}

  void clear() {
    pairs_ = 0;
    pending_ = false;
  }
  /// Remembers a step s and the change t of the gradient along it, in place of the oldest when the window is full. A
  /// pair without positive curvature is passed over: it would make the matrix indefinite.
  void remember(const VectorXd& s, const VectorXd& t);

  /// The first loop: what the rough matrix has to be solved with in place of q.
  void before_solve(VectorXd& q);
  /// The second loop: corrects the solution r.
  void after_solve(VectorXd& r) const;

  /// s.t / t.t of the newest pair, an estimate of the inverse curvature ([quasi-newton] eq. 13); 0 without any.
  double inverse_curvature() const { return pairs_ > 0 ? inverse_curvature_ : 0; }

 private:
  int column(int age) const { return (newest_ + window_ - age) % window_; }  ///< age 0 is the newest pair

  /// The first column of dots_ becomes S^T q, and st_ gets the column of the newest pair in the same pass.
  void multiply_steps(const VectorXd& q);

  int window_;
  int pairs_ = 0, newest_ = 0;
  bool pending_ = false;  ///< the newest pair's column of st_ is not there yet
  double inverse_curvature_ = 0;
  MatrixXd S_, T_;    ///< one pair per column, in a ring
  MatrixXd st_;       ///< s_i . t_j where pair i is no newer than pair j; the rest is not kept
  MatrixXd partial_;  ///< sums of multiply_steps() over each chunk of rows
  VectorXd zeta_;
  mutable VectorXd weights_;
  mutable MatrixXd dots_;
  mutable std::vector<double> scratch_;
};

}  // namespace brio
