#pragma once
// Solves with the rows of all ranks by PETSc: conjugate gradients with the preconditioner of rigid_groups.hpp, or
// whatever options say. Right-hand sides and solutions are whole on every rank.

#include "brio/system/engine.hpp"

namespace brio {

std::unique_ptr<BlockSolver> make_petsc_solver(const EngineTask& task);

/// Throws Error, naming the option, for one that PETSc does not know or cannot do: they are tried on a small matrix.
void check_solver_options(const std::string& options);

}  // namespace brio
