#include "brio/petsc/whole_matrix.hpp"

namespace brio {

WholeMatrix::WholeMatrix(const LocalRows& rows) : rows_(rows) {
  std::vector<PetscInt> inside(rows.own(), 0), outside(rows.own(), 0);
  for (int i = 0; i < rows.own(); ++i)
    rows.for_row(i, [&](int j, const double*, bool) { ++(j < rows.own() ? inside : outside)[i]; });
  Mat& A = *A_.reset();
  const PetscInt own = 3 * static_cast<PetscInt>(rows.own()), all = 3 * static_cast<PetscInt>(rows.all());
  check_petsc(MatCreate(PETSC_COMM_WORLD, &A));
  check_petsc(MatSetSizes(A, own, own, all, all));
  check_petsc(MatSetType(A, MATAIJ));
  check_petsc(MatSetBlockSize(A, 3));
  check_petsc(MatXAIJSetPreallocation(A, 3, inside.data(), outside.data(), nullptr, nullptr));
  check_petsc(MatSetOption(A, MAT_SPD, PETSC_TRUE));
}

void WholeMatrix::set(const VectorXd& q) {
  std::vector<PetscInt> columns;
  std::vector<double> values;
  for (int i = 0; i < rows_.own(); ++i) {
    columns.clear();
    rows_.for_row(i, [&](int j, const double*, bool) { columns.push_back(rows_.row(j)); });
    const size_t width = 3 * columns.size();
    values.resize(3 * width);
    size_t at = 0;
    rows_.for_row(i, [&](int, const double* block, bool transposed) {
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) values[r * width + at + c] = transposed ? block[3 * c + r] : block[3 * r + c];
      at += 3;
    });
    const PetscInt row = rows_.row(i);
    check_petsc(MatSetValuesBlocked(A_, 1, &row, static_cast<PetscInt>(columns.size()), columns.data(), values.data(),
                                    INSERT_VALUES));
  }
  check_petsc(MatAssemblyBegin(A_, MAT_FINAL_ASSEMBLY));
  check_petsc(MatAssemblyEnd(A_, MAT_FINAL_ASSEMBLY));
  if (q.size() == 0) return;
  VecHandle places;
  *places.reset() = rows_.make_vector();
  double* out;
  check_petsc(VecGetArrayWrite(places, &out));
  for (int i = 0; i < rows_.own(); ++i)
    Eigen::Map<Vec3>(out + 3 * static_cast<size_t>(i)) = q.segment<3>(3 * static_cast<Index>(rows_.point(i)));
  check_petsc(VecRestoreArrayWrite(places, &out));
  MatNullSpace motions;
  check_petsc(MatNullSpaceCreateRigidBody(places, &motions));
  check_petsc(MatSetNearNullSpace(A_, motions));
  check_petsc(MatNullSpaceDestroy(&motions));
}

PetscInt negative_pivots(PC pc) {
  PCFailedReason failed;
  check_petsc(PCGetFailedReason(pc, &failed));
  if (failed != PC_NOERROR) return 1;
  Mat factor;
  check_petsc(PCFactorGetMatrix(pc, &factor));
  MatSolverType package;
  check_petsc(MatFactorGetSolverType(factor, &package));
  PetscInt negative = 0;
#ifdef PETSC_HAVE_MUMPS
  if (std::string(package) == MATSOLVERMUMPS) check_petsc(MatMumpsGetInfog(factor, 12, &negative));
#endif
  return negative;
}

WholeFactor::WholeFactor(const LocalRows& rows) : matrix_(rows) {
  check_petsc(KSPCreate(PETSC_COMM_WORLD, ksp_.reset()));
  check_petsc(KSPSetOptionsPrefix(ksp_, "factor_"));
  check_petsc(KSPSetType(ksp_, KSPPREONLY));
  PC pc;
  check_petsc(KSPGetPC(ksp_, &pc));
  check_petsc(PCSetType(pc, PCCHOLESKY));
  check_petsc(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  check_petsc(KSPSetFromOptions(ksp_));
}

bool WholeFactor::factor() {
  matrix_.set({});
  check_petsc(KSPSetOperators(ksp_, matrix_.matrix(), matrix_.matrix()));
  check_petsc(KSPSetUp(ksp_));
  PC pc;
  check_petsc(KSPGetPC(ksp_, &pc));
  return negative_pivots(pc) == 0;
}

void WholeFactor::solve(Vec b, Vec x) { check_petsc(KSPSolve(ksp_, b, x)); }

}  // namespace brio
