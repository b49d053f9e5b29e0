#pragma once
// phi_1(z) = (exp(z) - 1) / z as a series of polynomials that suit an ellipse about the negative real axis: Chebyshev's
// with the ellipse's foci, which lie on the axis or beside each other above and below it.

#include "brio/core/types.hpp"

#include <vector>

namespace brio {

class EllipseSeries {
 public:
  /// For the numbers with real part in [-decay, 0] and imaginary part in [-swing, swing]: of the ellipses around that
  /// rectangle the one whose half axes have the least sum. As many terms as double precision can tell, or `most`.
  void expand(double decay, double swing, int most);

  /// S_0 = 1, S_1 = (z - center) / focus, S_k+1 = 2 (z - center) / focus S_k - sign S_k-1.
  double center() const { return center_; }
  double focus() const { return focus_; }
  double sign() const { return sign_; }
  int size() const { return static_cast<int>(terms_.size()); }
  double term(int k) const { return terms_[k]; }
  /// What the terms after k may add up to, where S_k and S_k-1 are at most 1 in size.
  double after(int k) const { return after_[k]; }
  const std::vector<double>& all_after() const { return after_; }
  /// The largest of the terms on the ellipse, where the function is at most 1: digits that are lost on the way.
  double cancellation() const { return cancellation_; }

 private:
  double center_ = 0, focus_ = 1, sign_ = 1, cancellation_ = 1;
  std::vector<double> terms_, after_;
};

}  // namespace brio
