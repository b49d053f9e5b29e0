#pragma once
// Chebyshev series of four functions on one interval: found at Chebyshev's nodes, twice as many until the last terms
// are small enough, and with the sums of what is left out after each term.

#include "brio/core/types.hpp"

#include <functional>
#include <vector>

namespace brio {

class ChebyshevSeries {
 public:
  using Values = Eigen::Array4d;

  /// Expands `f` on [low, high] in at least `terms` terms, and in up to `most` until those at the end, each function's
  /// in units of `weight`, add up to less than `small`. Terms that are but rounding are 0.
  void expand(const std::function<Values(double)>& f, double low, double high, const Values& weight, double small,
              int terms, int most);

  int size() const { return static_cast<int>(c_.cols()); }
  Values term(int k) const { return c_.col(k); }
  /// Sum of what follows the terms up to k: |c_j| for j > k, times cosh(j growth), which is what polynomials grow to
  /// where an eigenvalue lies outside the interval.
  Values after(int k, double growth = 0) const;
  /// How many terms are needed until what is left, in units of `weight`, is below `error`; all where none is enough.
  int terms_for(const Values& weight, double error) const;
  /// The sum of the first `terms` at a point of the interval.
  Values at(double lambda, int terms) const;

 private:
  double low_ = 0, high_ = 1;
  Eigen::Array4Xd c_;
  Eigen::Array4Xd values_;
  std::vector<double> cosine_;
};

}  // namespace brio
