#include "brio/linalg/chebyshev_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace brio {

void ChebyshevSeries::expand(const std::function<Values(double)>& f, double low, double high, const Values& weight,
                             double small, int terms, int most) {
  low_ = low;
  high_ = high;
  for (int n = std::min(terms, most);; n = std::min(2 * n, most)) {
    cosine_.resize(4 * n);  // of all multiples of half the distance of nodes
    for (int m = 0; m < 4 * n; ++m) cosine_[m] = std::cos(std::numbers::pi * m / (2 * n));
    values_.resize(4, n);
    for (int j = 0; j < n; ++j) values_.col(j) = f(0.5 * (low + high) + 0.5 * (high - low) * cosine_[2 * j + 1]);
    const Values rounding = std::numeric_limits<double>::epsilon() * values_.abs().rowwise().mean();
    c_.resize(4, n);
    for (int k = 0; k < n; ++k) {
      Values sum = Values::Zero();
      for (int j = 0, m = k; j < n; ++j) {
        sum += cosine_[m] * values_.col(j);
        m += 2 * k;
        if (m >= 4 * n) m -= 4 * n;
      }
      sum *= (k == 0 ? 1.0 : 2.0) / n;
      c_.col(k) = (sum.abs() > rounding).select(sum, 0.0);
    }
    // Terms past the n-th fold back onto the last ones, so these tell whether there were enough.
    if (n == most || (weight * after(n - 1 - n / 8)).sum() <= small) return;
  }
}

ChebyshevSeries::Values ChebyshevSeries::after(int k, double growth) const {
  Values sum = Values::Zero();
  for (int j = size() - 1; j > k; --j) sum += c_.col(j).abs() * (growth > 0 ? std::cosh(j * growth) : 1.0);
  return sum;
}

int ChebyshevSeries::terms_for(const Values& weight, double error) const {
  double left = 0;
  for (int k = size() - 1; k >= 0; --k) {
    left += (weight * c_.col(k).abs()).sum();
    if (left > error) return k + 1;
  }
  return 0;
}

ChebyshevSeries::Values ChebyshevSeries::at(double lambda, int terms) const {
  const double y = (2 * lambda - low_ - high_) / (high_ - low_);
  Values sum = Values::Zero();
  double before = y, now = 1;  // T_-1 and T_0
  for (int k = 0; k < terms; ++k) {
    sum += now * c_.col(k);
    const double next = 2 * y * now - before;
    before = now;
    now = next;
  }
  return sum;
}

}  // namespace brio
