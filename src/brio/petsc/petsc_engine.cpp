#include "brio/petsc/petsc_engine.hpp"

#include "brio/petsc/petsc_solver.hpp"

namespace brio {

EngineEntry petsc_engine() {
  EngineEntry row = find_row(engines(), "engine", "petsc");
  row.missing.clear();
  row.make = make_petsc_solver;
  row.check_options = check_solver_options;
  row.over_ranks = row.finds_modes = true;
  row.needs = [](const BlockPattern& pattern) {
    // Of this rank: its rows once more, the coarse matrix and its factor, and a dozen vectors (docs/petsc.md).
    return EngineNeeds{(72.0 + 45.0) * pattern.slots() + (24.0 * 14 + 700) * pattern.blocks_per_side,
                       2.5e-6 * pattern.blocks_per_side + 1.5e-6 * pattern.slots()};
  };
  return row;
}

}  // namespace brio
