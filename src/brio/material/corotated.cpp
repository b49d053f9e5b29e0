#include "brio/material/corotated.hpp"

#include "brio/material/isotropic_material.hpp"

namespace brio {

MaterialEntry corotated_entry() {
  return {{"corotated", "co-rotated linear elasticity: linear in the stretches, follows rotations", lame_options()},
          [](const Options& o) { return make_isotropic(Corotated{lame_constants(o)}); }};
}

}  // namespace brio
