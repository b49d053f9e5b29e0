#include "brio/linalg/small_symmetric.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace brio {
namespace {

// Sums are written as loops: Eigen's order of adding depends on an array's alignment.
double dot(const double* x, const double* y, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

void add(double a, const double* x, double* y, Index n) {
  for (Index i = 0; i < n; ++i) y[i] += a * x[i];
}

/// Q^T A Q tridiagonal: its diagonal goes to d, the entries beside it to e, and Q to Y.
void tridiagonalize(Eigen::Ref<MatrixXd>& A, Eigen::Ref<MatrixXd>& Y, double* d, double* e) {
  const Index n = A.rows();
  for (Index k = 0; k + 1 < n; ++k) {
    // The reflection that turns the column below the diagonal into (alpha, 0, ...); its vector v stays there.
    double* v = &A(k + 1, k);
    const Index m = n - k - 1;
    const double length = std::sqrt(dot(v, v, m)), alpha = v[0] > 0 ? -length : length;
    d[k] = A(k, k);
    e[k] = alpha;
    v[0] -= alpha;
    const double vv = dot(v, v, m);
    const double beta = vv > 0 ? 2 / vv : 0;
    A(k, k) = beta;
    if (beta == 0) continue;
    double* w = d + k + 1;  // not in use yet
    for (Index i = 0; i < m; ++i) w[i] = beta * dot(&A(k + 1, k + 1 + i), v, m);
    add(-0.5 * beta * dot(w, v, m), v, w, m);
    for (Index j = 0; j < m; ++j) {
      add(-w[j], v, &A(k + 1, k + 1 + j), m);
      add(-v[j], w, &A(k + 1, k + 1 + j), m);
    }
  }
  d[n - 1] = A(n - 1, n - 1);
  Y.setIdentity();
  for (Index k = n - 2; k >= 0; --k) {
    const double* v = &A(k + 1, k);
    const Index m = n - k - 1;
    for (Index j = k + 1; j < n; ++j) add(-A(k, k) * dot(v, &Y(k + 1, j), m), v, &Y(k + 1, j), m);
  }
}

/// One sweep over the rows first..last with Wilkinson's shift.
void chase(double* d, double* e, Index first, Index last, Eigen::Ref<MatrixXd>& Y) {
  const double half = (d[last - 1] - d[last]) / 2, b = e[last - 1], far = std::hypot(half, b);
  double x = d[first] - (d[last] - b * b / (half + (half < 0 ? -far : far))), z = e[first];
  for (Index k = first; k < last; ++k) {
    const double r = std::hypot(x, z), c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
    if (k > first) e[k - 1] = r;
    const double p = d[k], q = d[k + 1], o = e[k];
    d[k] = c * c * p + 2 * c * s * o + s * s * q;
    d[k + 1] = s * s * p - 2 * c * s * o + c * c * q;
    e[k] = c * s * (q - p) + (c * c - s * s) * o;
    if (k + 1 < last) {
      x = e[k];
      z = s * e[k + 1];
      e[k + 1] *= c;
    }
    double *u = &Y(0, k), *v = &Y(0, k + 1);
    for (Index i = 0; i < Y.rows(); ++i) {
      const double old = u[i];
      u[i] = c * old + s * v[i];
      v[i] = c * v[i] - s * old;
    }
  }
}

}  // namespace

void symmetric_eigen(Eigen::Ref<MatrixXd> A, Eigen::Ref<MatrixXd> Y, Eigen::Ref<VectorXd> lambda,
                     Eigen::Ref<VectorXd> work) {
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  const Index n = A.rows();
  if (n == 0) return;
  double *d = lambda.data(), *e = work.data();
  tridiagonalize(A, Y, d, e);
  Index last = n - 1;
  for (Index sweep = 0; last > 0 && sweep < 40 * n; ++sweep) {  // two or three each are usual; NaN never ends
    for (Index i = 0; i < last; ++i)
      if (std::fabs(e[i]) <= kRounding * (std::fabs(d[i]) + std::fabs(d[i + 1]))) e[i] = 0;
    while (last > 0 && e[last - 1] == 0) --last;
    if (last == 0) break;
    Index first = last - 1;
    while (first > 0 && e[first - 1] != 0) --first;
    chase(d, e, first, last, Y);
  }
  for (Index i = 0; i < n; ++i) {
    Index least = i;
    for (Index j = i + 1; j < n; ++j)
      if (d[j] < d[least]) least = j;
    if (least == i) continue;
    std::swap(d[i], d[least]);
    for (Index k = 0; k < n; ++k) std::swap(Y(k, i), Y(k, least));
  }
}

}  // namespace brio
