#pragma once
// The whole matrix in PETSc's own format, for preconditioners that read its entries (GAMG, hypre, factorizations), and
// its factor by MUMPS, for what iterations cannot solve.

#include "brio/petsc/local_rows.hpp"

namespace brio {

class WholeMatrix {
 public:
  /// On the rows' pattern; kept by reference.
  explicit WholeMatrix(const LocalRows& rows);

  /// Takes the values that the rows have now in. With positions q (stacked over the system), their rigid motions become
  /// the near null space, which algebraic multigrid reads.
  void set(const VectorXd& q);
  Mat matrix() const { return A_; }

 private:
  const LocalRows& rows_;
  MatHandle A_;
};

/// Pivots of the factor that a preconditioner has made which are negative, and 1 where it could not be made.
PetscInt negative_pivots(PC pc);

/// A factor of the whole matrix by MUMPS.
class WholeFactor {
 public:
  explicit WholeFactor(const LocalRows& rows);
  static bool available() { return petsc_has_factor(MATSOLVERMUMPS); }
  bool factor();  ///< false where the matrix is not positive definite
  void solve(Vec b, Vec x);

 private:
  WholeMatrix matrix_;
  KspHandle ksp_;
};

}  // namespace brio
