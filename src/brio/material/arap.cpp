#include "brio/material/arap.hpp"

#include "brio/material/isotropic_material.hpp"
#include "brio/material/lame.hpp"

namespace brio {

MaterialEntry arap_entry() {
  return {{"arap",
           "as rigid as possible: mu |F - R|^2, no resistance of its own to a change of volume (lambda = 0)",
           {Option::number("E", "Pa", "Young's modulus").optional().above(0),
            Option::number("nu", "", "enters only through mu = E / (2 + 2 nu)").with_default(0.0).above(-1).below(0.5),
            Option::number("mu", "Pa", "shear modulus, instead of E").optional().above(0)}},
          [](const Options& o) {
            const bool from_young = uses_first_set(o, {"E"}, {"mu"});
            return make_isotropic(Arap{from_young ? lame_from(o.number("E"), o.number("nu")).mu : o.number("mu")});
          }};
}

}  // namespace brio
