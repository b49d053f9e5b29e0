// Chebyshev series against Bessel's functions, polynomials of M^-1 K against a dense matrix, and the series of an
// ellipse against the function.

#include "brio/linalg/chebyshev_pair.hpp"
#include "brio/linalg/chebyshev_series.hpp"
#include "brio/linalg/ellipse_series.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace brio {
namespace {

using Values = ChebyshevSeries::Values;

ChebyshevSeries waves(double z, int terms, int most) {
  // cos(z sqrt(lambda)) on [0, 1] = J_0(z) + 2 sum (-1)^k J_2k(z) T_k(2 lambda - 1)
  ChebyshevSeries series;
  const auto f = [&](double lambda) {
    const double x = std::sqrt(std::max(0.0, lambda));
    return Values(std::cos(z * x), std::exp(-lambda), lambda, 1);
  };
  series.expand(f, 0, 1, Values(1, 1, 1, 1), 1e-13, terms, most);
  return series;
}

TEST(Chebyshev, coefficients_of_a_wave_are_bessel_functions) {
  for (const double z : {0.5, 7.0, 40.0, 300.0}) {
    const ChebyshevSeries series = waves(z, 16, 1000);
    EXPECT_NEAR(series.term(0)[0], std::cyl_bessel_j(0, z), 1e-13);
    for (int k = 1; k < series.size(); ++k) {
      const bool falls = 2 * k > z + 120;  // far beyond its argument, where the library's function gives up
      const double bessel = falls ? 0 : std::cyl_bessel_j(2.0 * k, z);
      EXPECT_NEAR(series.term(k)[0], (k % 2 ? -2 : 2) * bessel, 1e-13) << z << ", " << k;
    }
  }
}

TEST(Chebyshev, what_is_left_out_bounds_the_error) {
  const ChebyshevSeries series = waves(40, 8, 1000);
  for (const double error : {1e-2, 1e-6, 1e-10}) {
    const int terms = series.terms_for(Values(1, 0, 0, 0), error);
    EXPECT_LE(series.after(terms - 1)[0], error);
    EXPECT_GT(series.after(terms - 2)[0], error);
    EXPECT_GT(terms, 10);
    for (double lambda = 0; lambda <= 1; lambda += 0.01)
      EXPECT_NEAR(series.at(lambda, terms)[0], std::cos(40 * std::sqrt(lambda)), error + 1e-13);
  }
  EXPECT_LT(series.size(), 100);  // as many nodes as are needed, and no more than twice that
}

TEST(Chebyshev, nodes_end_where_they_must) {
  const ChebyshevSeries series = waves(300, 16, 64);
  EXPECT_EQ(series.size(), 64);
  EXPECT_EQ(series.terms_for(Values(1, 0, 0, 0), 1e-6), 64);  // which says that they are too few
}

TEST(Chebyshev, polynomials_of_a_matrix_are_those_of_its_eigenvalues) {
  const int n = 7;
  const std::vector<std::pair<int, int>> couplings = {{0, 1}, {1, 2}, {5, 2}, {3, 6}, {4, 0}};
  const auto pattern = std::make_shared<BlockPattern>(n, couplings);
  BlockMatrix K(pattern);
  for (int s = 0; s < pattern->slots(); ++s)
    for (int e = 0; e < 9; ++e) K.block(s)[e] = std::sin(1.0 + 3 * s + e);
  for (int i = 0; i < n; ++i) {
    double* d = K.block(pattern->column_begin[i]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < r; ++c) d[3 * r + c] = d[3 * c + r];
  }
  VectorXd mass(3 * n), v(3 * n), a(3 * n), y;
  for (Index i = 0; i < 3 * n; ++i) mass[i] = 1 + 0.1 * i, v[i] = std::cos(1.0 * i), a[i] = std::sin(2.0 * i);
  MatrixXd dense(3 * n, 3 * n);
  for (Index i = 0; i < 3 * n; ++i) {
    K.multiply(VectorXd::Unit(3 * n, i), y);
    dense.col(i) = y;
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(dense, MatrixXd(mass.asDiagonal()));
  const double low = -1, high = 2;  // some eigenvalues are outside: polynomials are what they are there, too
  const auto polynomial = [&](int k, const VectorXd& x) -> VectorXd {
    const auto T = [&](double lambda) {
      const double t = (2 * lambda - low - high) / (high - low);
      return std::fabs(t) <= 1 ? std::cos(k * std::acos(t))
                               : (t < 0 && k % 2 ? -1 : 1) * std::cosh(k * std::acosh(std::fabs(t)));
    };
    const MatrixXd& U = eigen.eigenvectors();
    return U * (eigen.eigenvalues().unaryExpr(T).asDiagonal() * (U.transpose() * mass.cwiseProduct(x)));
  };
  ChebyshevPair pair;
  pair.set_matrix(K);
  pair.begin(mass, low, high, v, a);
  VectorXd first = VectorXd::Zero(3 * n), second = first, got_first, got_second;
  const auto shares = [](int k) {
    return ChebyshevPair::Shares{NumberPair{1.0 / (k + 1), 0.5}, NumberPair{-0.3, 0.1 * k}};
  };
  for (int k = 0; k < 6; ++k) {
    const VectorXd Tv = polynomial(k, v), Ta = polynomial(k, a);
    if (k == 0)
      pair.add(shares(0));
    else
      pair.next(shares(k));
    first += Tv / (k + 1) - 0.3 * Ta;
    second += 0.5 * Tv + 0.1 * k * Ta;
    EXPECT_LT((pair.polynomial(0) - Tv).norm(), 1e-12 * Tv.norm());
    EXPECT_LT((pair.polynomial(1) - Ta).norm(), 1e-12 * Ta.norm());
    EXPECT_NEAR(pair.squares(mass)[1], Ta.dot(mass.cwiseProduct(Ta)), 1e-11 * Ta.squaredNorm());
  }
  pair.get_sums(got_first, got_second);
  EXPECT_LT((got_first - first).norm(), 1e-12 * first.norm());
  EXPECT_LT((got_second - second).norm(), 1e-12 * second.norm());
  EXPECT_GT(eigen.eigenvalues().maxCoeff(), high);  // as said above
}

std::complex<double> sum_of(const EllipseSeries& series, std::complex<double> z, int terms) {
  const std::complex<double> w = (z - series.center()) / series.focus();
  std::complex<double> before = 1, now = w, sum = series.term(0) + series.term(1) * w;
  for (int k = 2; k < terms; ++k) {
    const std::complex<double> next = 2.0 * w * now - series.sign() * before;
    before = now;
    now = next;
    sum += series.term(k) * now;
  }
  return sum;
}

TEST(Ellipse, its_series_is_phi_1_on_the_rectangle) {
  for (const auto& [decay, swing] : {std::pair{160.0, 16.0}, {3.0, 173.0}, {16.0, 10.0}, {0.0, 5.0}, {30.0, 0.0}}) {
    EllipseSeries series;
    series.expand(decay, swing, 2000);
    for (double re : {0.0, -0.01, -0.3, -0.5, -1.0})
      for (double im : {0.0, 0.2, 0.7, 1.0}) {
        const std::complex<double> z(re * decay, im * swing);
        const std::complex<double> exact = z == 0.0 ? 1.0 : (std::exp(z) - 1.0) / z;
        EXPECT_LT(std::abs(sum_of(series, z, series.size()) - exact), 1e-14 * (2 + 10 * series.cancellation()))
            << decay << ", " << swing << " at " << z;
      }
    EXPECT_LT(series.size(), 1.3 * (decay + swing) + 60);
  }
}

}  // namespace
}  // namespace brio
