#pragma once
// An energy along one stretch-like quantity x as a polynomial around rest, c2 (x-1)^2 + c3 (x-1)^3 + ...

#include "brio/core/pack.hpp"

#include <string>
#include <vector>

namespace brio {

class PolynomialCurve {
 public:
  PolynomialCurve() = default;  ///< zero everywhere
  /// The coefficients from (x-1)^2 on [Pa]. Throws Error, naming the option, unless the highest power that occurs is
  /// even with a positive coefficient: anything else has no lowest energy.
  PolynomialCurve(std::vector<double> coefficients, const std::string& option);

  bool zero() const { return c_.empty(); }

  template <class T>
  BRIO_INLINE T energy(const T& x) const {
    const T d = x - 1.0;
    T sum = constant<T>(0);
    for (size_t k = c_.size(); k-- > 0;) sum = c_[k] + d * sum;
    return d * d * sum;
  }
  template <class T>
  BRIO_INLINE T stress(const T& x) const {
    const T d = x - 1.0;
    T sum = constant<T>(0);
    for (size_t k = c_.size(); k-- > 0;) sum = (k + 2.0) * c_[k] + d * sum;
    return d * sum;
  }
  template <class T>
  BRIO_INLINE T slope(const T& x) const {
    const T d = x - 1.0;
    T sum = constant<T>(0);
    for (size_t k = c_.size(); k-- > 0;) sum = (k + 2.0) * (k + 1.0) * c_[k] + d * sum;
    return sum;
  }

 private:
  std::vector<double> c_;
};

}  // namespace brio
