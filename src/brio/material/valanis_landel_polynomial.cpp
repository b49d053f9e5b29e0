#include "brio/core/error.hpp"
#include "brio/material/isotropic_material.hpp"
#include "brio/material/polynomial_curve.hpp"
#include "brio/material/valanis_landel.hpp"

namespace brio {

PolynomialCurve::PolynomialCurve(std::vector<double> coefficients, const std::string& option)
    : c_(std::move(coefficients)) {
  while (!c_.empty() && c_.back() == 0) c_.pop_back();
  if (c_.empty()) return;
  const size_t power = c_.size() + 1;
  if (power % 2 != 0 || c_.back() < 0) {
    throw Error(
        "{}: the highest power is {} (x-1)^{}, so the energy falls without end; it must be even, with a "
        "coefficient > 0",
        option, c_.back(), power);
  }
}

MaterialEntry valanis_landel_polynomial_entry() {
  const std::string tail = ", the coefficients of (x-1)^2, (x-1)^3, ...; the highest power must be even and > 0";
  return {{"valanis-landel-polynomial",
           "sum a(s_i) + sum b(s_i s_j) + c(s_0 s_1 s_2) with polynomials a, b, c",
           {Option::numbers("a", "Pa", "energy of each stretch" + tail),
            Option::numbers("b", "Pa", "energy of the products of two stretches" + tail).optional(),
            Option::numbers("c", "Pa", "energy of the volume ratio" + tail).optional()}},
          [](const Options& o) {
            const auto curve = [&](const std::string& key) {
              return o.has(key) ? PolynomialCurve(o.numbers(key), key) : PolynomialCurve();
            };
            const ValanisLandel<PolynomialCurve> law{curve("a"), curve("b"), curve("c")};
            if (law.a.zero()) throw Error("a: no coefficient differs from 0, so nothing resists a change of shape");
            return make_isotropic(law);
          }};
}

}  // namespace brio
