#include "brio/material/stable_neo_hookean.hpp"

#include "brio/material/isotropic_material.hpp"

namespace brio {

MaterialEntry stable_neo_hookean_entry() {
  return {{"stable-neo-hookean", "stable neo-Hookean flesh: smooth for every deformation, inverted or collapsed",
           lame_options()},
          [](const Options& o) { return make_isotropic(StableNeoHookean(lame_constants(o))); }};
}

}  // namespace brio
