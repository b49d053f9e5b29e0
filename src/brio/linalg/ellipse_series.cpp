#include "brio/linalg/ellipse_series.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace brio {
namespace {

using Complex = std::complex<double>;

Complex phi_1(Complex z) {
  if (std::abs(z) > 0.5) return (std::exp(z) - 1.0) / z;
  Complex sum = 1, power = 1;
  for (int k = 2; k < 20; ++k) sum += power *= z / static_cast<double>(k);
  return sum;
}

}  // namespace

void EllipseSeries::expand(double decay, double swing, int most) {
  // x^2/a^2 + y^2/b^2 = 1 through the rectangle's corners, a + b least: a^3 : b^3 = p^2 : q^2.
  const double p = std::max(0.5 * decay, 1e-3), q = std::max(swing, 1e-3);
  const double cube_p = std::cbrt(p * p), cube_q = std::cbrt(q * q), both = std::sqrt(cube_p + cube_q);
  const double a = cube_p * both, b = cube_q * both;
  center_ = -0.5 * decay;
  sign_ = a >= b ? 1 : -1;
  focus_ = std::sqrt(std::max(std::fabs(a * a - b * b), 0.01 * a * b));  // a circle has no polynomials of this kind
  const double growth = (a + b) / focus_;
  // On the ellipse z = center + focus (w + 1/w) / 2 with |w| = growth, T_k is (w^k + w^-k) / 2: terms are Fourier
  // coefficients, known there to rounding. (Found between the foci they would not be good enough outside.)
  const Complex axis = sign_ > 0 ? Complex(focus_, 0) : Complex(0, focus_);
  const int points = 2 * std::min(most, static_cast<int>(1.5 * (a + b)) + 60);
  std::vector<Complex> unit(points), values(points);
  for (int j = 0; j < points; ++j) {
    unit[j] = std::polar(1.0, 2 * std::numbers::pi * j / points);
    const Complex w = growth * unit[j];
    values[j] = phi_1(center_ + 0.5 * axis * (w + 1.0 / w));
  }
  terms_.clear();
  cancellation_ = 0;
  double power = 1;
  for (int k = 0; k < points / 2; ++k, power *= growth) {
    Complex sum = 0;
    for (int j = 0, at = 0; j < points; ++j, at = (at + k) % points) sum += values[j] * std::conj(unit[at]);
    // Of a vertical ellipse the polynomials are i^k T_k, and the terms i^-k times theirs: real.
    constexpr Complex kTurns[4] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    if (sign_ < 0) sum *= kTurns[k % 4];
    const double size = sum.real() * (k == 0 ? 1.0 : 2.0) / points;
    terms_.push_back(size / power);
    cancellation_ = std::max(cancellation_, std::fabs(size));
    if (k > 3 && std::fabs(size) < 2 * std::numeric_limits<double>::epsilon() * cancellation_) break;  // all is rounding
  }
  after_.resize(terms_.size());
  double left = 0;
  for (int k = size() - 1; k >= 0; --k) {
    after_[k] = left;
    left = growth * (std::fabs(terms_[k]) + left);
  }
}

}  // namespace brio
