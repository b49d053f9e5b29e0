#include "brio/material/stvk.hpp"

#include "brio/material/isotropic_material.hpp"

namespace brio {

MaterialEntry stvk_entry() {
  return {{"stvk", "St. Venant-Kirchhoff: linear in the Green strain; softens under compression", lame_options()},
          [](const Options& o) { return make_isotropic(Stvk{lame_constants(o)}); }};
}

}  // namespace brio
