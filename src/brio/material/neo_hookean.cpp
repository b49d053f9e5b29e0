#include "brio/material/neo_hookean.hpp"

#include "brio/material/isotropic_material.hpp"

namespace brio {

MaterialEntry neo_hookean_entry() {
  // With lambda < 0 the term lambda/2 log^2 J would make collapse profitable.
  std::vector<Option> options = lame_options(0);
  options.push_back(Option::number("j_min", "", "volume ratio below which the logarithm goes on as a parabola")
                        .with_default(0.1)
                        .at_least(1e-3)
                        .at_most(0.9));
  return {{"neo-hookean", "neo-Hookean with log J, continued smoothly into inverted elements", options},
          [](const Options& o) {
            return make_isotropic(NeoHookean{lame_constants(o), o.number("j_min")});
          }};
}

}  // namespace brio
