#include "brio/material/mooney_rivlin.hpp"

#include "brio/core/error.hpp"
#include "brio/material/isotropic_material.hpp"
#include "brio/material/lame.hpp"

namespace brio {
namespace {

MooneyRivlin law_from(const Options& o) {
  if (uses_first_set(o, {"E", "nu"}, {"mu10", "mu01", "kappa"})) {
    const Lame k = lame_from(o.number("E"), o.number("nu"));
    const double mu01 = o.number("share") * k.mu / 2, mu10 = k.mu / 2 - mu01;
    return {mu10, mu01, k.lambda + 2 * mu10};
  }
  const double mu10 = o.number("mu10"), mu01 = o.number("mu01"), mu = 2 * (mu10 + mu01);
  const double k = o.number("kappa") - 2 * mu / 3 + 2 * mu10;
  if (!(k > 0)) {
    throw Error("kappa = {}: must be > 4/3 mu01 - 2/3 mu10 = {}, or large stretches would gain energy",
                o.number("kappa"), (4 * mu01 - 2 * mu10) / 3);
  }
  return {mu10, mu01, k};
}

}  // namespace

MaterialEntry mooney_rivlin_entry() {
  return {{"mooney-rivlin",
           "Mooney-Rivlin rubber with a polynomial volume term, finite for inverted elements",
           {Option::number("E", "Pa", "Young's modulus").optional().above(0),
            Option::number("nu", "", "Poisson's ratio, with E").optional().at_least(0).below(0.5),
            Option::number("share", "", "with E and nu: mu01 / (mu10 + mu01)").with_default(0.25).at_least(0).below(1),
            Option::number("mu10", "Pa", "first Mooney constant, instead of E and nu").optional().above(0),
            Option::number("mu01", "Pa", "second Mooney constant").optional().at_least(0),
            Option::number("kappa", "Pa", "bulk modulus, with mu10 and mu01").optional().above(0)}},
          [](const Options& o) { return make_isotropic(law_from(o)); }};
}

}  // namespace brio
