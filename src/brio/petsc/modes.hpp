#pragma once
// Vibration modes over ranks, by SLEPc.

#include "brio/linalg/block_solver.hpp"
#include "brio/petsc/local_rows.hpp"

namespace brio {

/// See BlockSolver::modes(). `rows` are those of K's pattern and get the values of K + shift M.
FoundModes find_modes_over_ranks(LocalRows& rows, const SharedRows& shared, const BlockMatrix& K, const VectorXd& mass,
                                 int count, double shift);

}  // namespace brio
