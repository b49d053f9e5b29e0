#include "brio/integrate/integrator.hpp"
#include "brio/integrate/si.hpp"

namespace brio {

const std::vector<IntegratorEntry>& integrators() {
  static const std::vector<IntegratorEntry> table = {SemiImplicitEuler::entry()};
  return table;
}

}  // namespace brio
