#include "brio/integrate/integrator.hpp"
#include "brio/integrate/methods/ere.hpp"
#include "brio/integrate/methods/explicit.hpp"
#include "brio/integrate/methods/implicit_scheme.hpp"
#include "brio/integrate/methods/ksiere.hpp"
#include "brio/integrate/methods/si.hpp"
#include "brio/integrate/methods/siere.hpp"
#include "brio/integrate/methods/stabilized.hpp"

namespace brio {

static std::vector<IntegratorEntry> built_in_integrators() {
  return {SemiImplicitEuler::entry(),
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
}

Table<IntegratorEntry>& integrator_table() {
  static Table<IntegratorEntry> table("integrator", built_in_integrators());
  return table;
}

const std::vector<IntegratorEntry>& integrators() { return integrator_table().rows(); }

}  // namespace brio
