#pragma once
// An energy along one stretch-like quantity x as a polynomial around rest, c2 (x-1)^2 + c3 (x-1)^3 + ... The quantity
// may be a matrix that has the stretches as eigenvalues.

#include "brio/core/pack.hpp"

#include <string>
#include <vector>

namespace brio {

class PolynomialCurve {
 public:
  static constexpr bool of_matrices = true;

  PolynomialCurve() = default;  ///< zero everywhere
  /// The coefficients from (x-1)^2 on [Pa]. Throws Error, naming the option, unless the highest power that occurs is
  /// even with a positive coefficient: anything else has no lowest energy.
  PolynomialCurve(std::vector<double> coefficients, const std::string& option);

  bool zero() const { return c_.empty(); }

  template <class T>
  BRIO_INLINE T energy(const T& x) const {
    const T d = x - 1.0;
    return d * (d * horner(d, [](double) { return 1.0; }));
  }
  template <class T>
  BRIO_INLINE T stress(const T& x) const {
    const T d = x - 1.0;
    return d * horner(d, [](double power) { return power; });
  }
  template <class T>
  BRIO_INLINE T slope(const T& x) const {
    return horner(T(x - 1.0), [](double power) { return power * (power - 1); });
  }

 private:
  /// The sum of factor(k) c_k d^(k-2) over the powers k = 2, 3, ...
  template <class T, class Factor>
  BRIO_INLINE T horner(const T& d, Factor factor) const {
    if (c_.empty()) return constant<T>(0);
    T sum = constant<T>(factor(c_.size() + 1.0) * c_.back());
    for (size_t k = c_.size() - 1; k-- > 0;) sum = factor(k + 2.0) * c_[k] + d * sum;
    return sum;
  }

  std::vector<double> c_;
};

}  // namespace brio
