#include "tissue.hpp"

namespace brio {

MaterialEntry tissue_entry() {
  return {{"tissue",
           "stiffens exponentially with the squared stretches (Demiray)",
           {Option::number("E", "Pa", "Young's modulus at small strain").above(0),
            Option::number("nu", "", "Poisson's ratio").with_default(0.45).at_least(0).below(0.5),
            Option::number("b", "", "how fast it stiffens").with_default(1.0).above(0).at_most(100)}},
          [](const Options& o) {
            const Lame lame = lame_from(o.number("E"), o.number("nu"));
            const double b = o.number("b"), k = lame.lambda - (2 * b - 1) * lame.mu;
            if (!(k > 0))
              throw Error("b = {}: must be below {:.3g} for this Poisson's ratio", b, (1 + lame.lambda / lame.mu) / 2);
            return make_isotropic(Tissue{lame.mu, k, b});
          }};
}

}  // namespace brio
