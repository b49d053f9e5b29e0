#include "brio/integrate/integrator.hpp"
#include "brio/integrate/methods/ere.hpp"
#include "brio/integrate/methods/explicit.hpp"
#include "brio/integrate/methods/implicit_scheme.hpp"
#include "brio/integrate/methods/ksiere.hpp"
#include "brio/integrate/methods/si.hpp"
#include "brio/integrate/methods/siere.hpp"
#include "brio/integrate/methods/stabilized.hpp"

namespace brio {

const std::vector<IntegratorEntry>& integrators() {
  static const std::vector<IntegratorEntry> table = {SemiImplicitEuler::entry(),
                                                     forward_euler(),
                                                     symplectic_euler(),
                                                     runge_kutta_4(),
                                                     backward_euler(),
                                                     implicit_midpoint(),
                                                     bdf2(),
                                                     newmark(),
                                                     generalized_alpha(),
                                                     Ere::entry(),
                                                     Siere::entry(),
                                                     Ksiere::entry(),
                                                     Stabilized::entry()};
  return table;
}

}  // namespace brio
