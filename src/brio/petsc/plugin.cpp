// The engine "petsc" as a plug-in that brings itself: `brio` loads it when it is asked for the engine, or when it was
// started on several ranks.

#include "brio/extend/plugin.hpp"
#include "brio/petsc/petsc_solver.hpp"
#include "brio/petsc/session.hpp"

namespace brio {
namespace {

EngineEntry petsc_row() {
  EngineEntry row = find_row(engines(), "engine", "petsc");
  row.missing.clear();
  row.make = make_petsc_solver;
  row.check_options = check_solver_options;
  row.over_ranks = row.finds_modes = true;
  row.needs = [](const BlockPattern& pattern) {
    // Of this rank: its rows twice, K and A, and a dozen vectors; measured in docs/petsc.md.
    return EngineNeeds{72.0 * pattern.slots() + 24.0 * 14 * pattern.blocks_per_side,
                       2.5e-6 * pattern.blocks_per_side + 1.5e-6 * pattern.slots()};
  };
  return row;
}

}  // namespace
}  // namespace brio

BRIO_PLUGIN(registry) {
  (void)registry;
  brio::begin_petsc();
  brio::provide_engine(brio::petsc_row());
}
