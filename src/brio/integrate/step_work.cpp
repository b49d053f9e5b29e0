#include "brio/integrate/integrator.hpp"

namespace brio {

PhaseTimes& PhaseTimes::operator+=(const PhaseTimes& more) {
  assembly += more.assembly;
  factor += more.factor;
  solve += more.solve;
  other += more.other;
  return *this;
}

StepWork& StepWork::operator+=(const StepWork& more) {
  factorizations += more.factorizations;
  solves += more.solves;
  projections += more.projections;
  shifts += more.shifts;
  iterations += more.iterations;
  halvings += more.halvings;
  unconverged += more.unconverged;
  substeps += more.substeps;
  matvecs += more.matvecs;
  mode_iterations += more.mode_iterations;
  woodbury_updates += more.woodbury_updates;
  switches += more.switches;
  time += more.time;
  return *this;
}

}  // namespace brio
