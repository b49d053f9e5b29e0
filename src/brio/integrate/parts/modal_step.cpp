#include "brio/integrate/parts/modal_step.hpp"

#include <cmath>

namespace brio {
namespace {

/// With p = b + d a the equation is x'' + d x' + lambda x = p. G solves it for p = 1 from rest, and G' is the answer to
/// a unit velocity: x = a G' + p G, x' = a G'' + p G', G'' = 1 - d G' - lambda G. `sum` is the integral of G.
struct Response {
  double G, dG, sum;
};

/// Power series in h; for steps that are short against both time scales of the mode.
Response by_series(double lambda, double d, double h) {
  // c_k = G^(k)(0) h^k / k!, from G'' = 1 - d G' - lambda G.
  Response r;
  double before = 0, last = h * h / 2;  // c_1, c_2
  r.G = last;
  r.dG = 2 * last / h;
  r.sum = last * h / 3;
  for (int k = 3; k < 30; ++k) {
    const double next = -(d * h / k) * last - (lambda * h * h / (k * (k - 1.0))) * before;
    r.G += next;
    r.dG += k * next / h;
    r.sum += next * h / (k + 1);
    before = last;
    last = next;
  }
  return r;
}

/// The response over twice the time h: what is displaced by x1 feels 1 - lambda x1 in place of 1.
Response doubled(const Response& r, double lambda, double d, double h) {
  const double p = 1 - lambda * r.G, curvature = 1 - d * r.dG - lambda * r.G;
  return {r.G + r.dG * r.dG + p * r.G, r.dG * curvature + p * r.dG, r.sum + h * r.G + r.dG * r.G + p * r.sum};
}

Response response(double lambda, double d, double h) {
  if (h == 0) return {0, 0, 0};
  int halvings = 0;
  while ((std::fabs(lambda) * h * h > 0.25 || std::fabs(d) * h > 0.5) && halvings < 60) h /= 2, ++halvings;
  Response r = by_series(lambda, d, h);
  for (; halvings > 0; --halvings, h *= 2) r = doubled(r, lambda, d, h);
  return r;
}

}  // namespace

ModePath exponential_step(const Mode& m, double h) {
  const Response r = response(m.lambda, m.d, h);
  const double p = m.b + m.d * m.a;
  // v1 - a = a (G'' - 1) + p G', with G'' - 1 = -d G' - lambda G.
  return {{m.a * r.dG + p * r.G, -m.a * (m.d * r.dG + m.lambda * r.G) + p * r.dG}, m.a * r.G + p * r.sum};
}

ModeStep backward_euler_step(const Mode& m, double h) {
  const double dv = h * (m.b - h * m.lambda * m.a) / (1 + h * m.d + h * h * m.lambda);
  return {h * (m.a + dv), dv};
}

}  // namespace brio
