// The decomposition of 3x3 matrices as the library compiles it. The test programs have other flags, and templates of
// the same name are merged by the linker, so that this is a program of its own: once with fused multiply-adds and once
// without. It returns the count of failures.

#include "brio/linalg/svd3.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace {

using namespace brio;

template <class T>
M3<T> filled(const double (&a)[8][9]) {
  M3<T> F;
  for (int k = 0; k < 9; ++k) {
    if constexpr (std::is_same_v<T, double>)
      F(k / 3, k % 3) = a[0][k];
    else
      for (int lane = 0; lane < kLanes; ++lane) F(k / 3, k % 3)[lane] = a[lane][k];
  }
  return F;
}

double at(double value, int) { return value; }
double at(const Pack& value, int lane) { return value[lane]; }

/// The largest entry of U^T U - I, V^T V - I and (U S V^T - F) / |F|.
template <class T>
double error_of(const double (&a)[8][9], int lane) {
  const Svd3<T> f = svd3(filled<T>(a));
  if (at(f.s[1], lane) < 0) return 1e300;
  double worst = 0, size = 0;
  for (double entry : a[lane]) size = std::max(size, std::fabs(entry));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double u = i == j ? -1 : 0, v = u, back = -a[lane][3 * i + j];
      for (int k = 0; k < 3; ++k) {
        u += at(f.U(k, i), lane) * at(f.U(k, j), lane);
        v += at(f.V(k, i), lane) * at(f.V(k, j), lane);
        back += at(f.U(i, k), lane) * at(f.s[k], lane) * at(f.V(j, k), lane);
      }
      const double all = std::max({std::fabs(u), std::fabs(v), size > 0 ? std::fabs(back) / size : 0});
      worst = std::isfinite(all) ? std::max(worst, all) : 1e300;
    }
  return worst;
}

}  // namespace

int main() {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> small(-4, 4);
  std::uniform_real_distribution<double> any(-1, 1);
  // Each of some ten rotations loses a few units of round-off, and a direction across may have lost a digit before.
  constexpr double kTolerance = 5e-14;
  int failures = 0, tried = 0;
  double worst = 0;
  for (int round = 0; round < 30'000; ++round) {
    double a[8][9];
    for (auto& matrix : a) {
      double x[3], y[3], z[3], w[3];
      for (int i = 0; i < 3; ++i) x[i] = small(random), y[i] = small(random), z[i] = any(random), w[i] = any(random);
      const int kind = round % 4;  // rank one of integers and of reals, rank two, ones with noise
      const double noise = std::pow(10.0, -20 * any(random) * any(random) - 10);
      for (int i = 0; i < 9; ++i)
        matrix[i] = kind == 0   ? x[i / 3] * y[i % 3]
                    : kind == 1 ? z[i / 3] * w[i % 3]
                    : kind == 2 ? z[i / 3] * w[i % 3] + x[i / 3] * y[i % 3]
                                : 1 + noise * any(random);
    }
    for (int lane = 0; lane < 8; ++lane) {
      const double error = error_of<Pack>(a, lane);
      failures += !(error < kTolerance);
      worst = std::max(worst, error);
      ++tried;
    }
    const double error = error_of<double>(a, 0);
    failures += !(error < kTolerance);
    worst = std::max(worst, error);
  }
  std::printf("%d of %d matrices fail; the largest error is %.2g\n", failures, tried, worst);
  return failures > 0;
}
