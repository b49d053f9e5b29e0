#include "brio/integrate/ere.hpp"
#include "brio/integrate/explicit.hpp"
#include "brio/integrate/implicit_scheme.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/integrate/ksiere.hpp"
#include "brio/integrate/si.hpp"
#include "brio/integrate/siere.hpp"
#include "brio/integrate/stabilized.hpp"

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
                                                     generalised_alpha(),
                                                     Ere::entry(),
                                                     Siere::entry(),
                                                     Ksiere::entry(),
                                                     Stabilized::entry()};
  return table;
}

}  // namespace brio
