#include "brio/petsc/modes.hpp"

#include "brio/core/error.hpp"
#include "brio/petsc/whole_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#ifdef BRIO_SLEPC
#include <slepceps.h>
#endif

namespace brio {

#ifdef BRIO_SLEPC
namespace {

using EpsHandle = Handle<EPS, EPSDestroy>;

/// Found pairs of S = M^1/2 (K + shift M)^-1 M^1/2, whose largest eigenvalues 1 / (lambda + shift) belong to the
/// slowest modes.
class ModeHunt {
 public:
  ModeHunt(LocalRows& rows, const VectorXd& mass, WholeFactor& factor) : rows_(rows), factor_(factor) {
    *root_.reset() = rows.make_vector();
    *work_.reset() = rows.make_vector();
    double* out;
    check_petsc(VecGetArrayWrite(root_, &out));
    for (int i = 0; i < rows.own(); ++i)
      for (int c = 0; c < 3; ++c) out[3 * i + c] = std::sqrt(mass[3 * static_cast<Index>(rows.point(i)) + c]);
    check_petsc(VecRestoreArrayWrite(root_, &out));
    const PetscInt own = 3 * static_cast<PetscInt>(rows.own()), all = 3 * static_cast<PetscInt>(rows.all());
    check_petsc(MatCreateShell(PETSC_COMM_WORLD, own, own, all, all, this, operator_.reset()));
    check_petsc(MatShellSetOperation(operator_, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
    check_petsc(MatSetOption(operator_, MAT_SYMMETRIC, PETSC_TRUE));
  }

  ~ModeHunt() {
    for (Vec& v : vectors_) VecDestroy(&v);
  }

  /// The largest eigenvalues beside those that were found; how many it found of the `count` asked for.
  int look(int count) {
    EpsHandle eps;
    check_petsc(EPSCreate(PETSC_COMM_WORLD, eps.reset()));
    check_petsc(EPSSetOperators(eps, operator_, nullptr));
    check_petsc(EPSSetProblemType(eps, EPS_HEP));
    check_petsc(EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL));
    check_petsc(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT));
    check_petsc(EPSSetTolerances(eps, 1e-12, 1000));
    if (!vectors_.empty())
      check_petsc(EPSSetDeflationSpace(eps, static_cast<PetscInt>(vectors_.size()), vectors_.data()));
    check_petsc(EPSSetFromOptions(eps));
    check_petsc(EPSSolve(eps));
    PetscInt converged = 0;
    check_petsc(EPSGetConverged(eps, &converged));
    const int found = static_cast<int>(std::min<PetscInt>(converged, count));
    for (int i = 0; i < found; ++i) {
      double value;
      Vec v = rows_.make_vector();
      check_petsc(EPSGetEigenpair(eps, i, &value, nullptr, v, nullptr));
      values_.push_back(value);
      vectors_.push_back(v);
    }
    return found;
  }

  const std::vector<double>& values() const { return values_; }
  /// Of each mode M^1/2 u.
  const std::vector<Vec>& vectors() const { return vectors_; }
  Vec root() const { return root_; }

 private:
  static PetscErrorCode multiply(Mat shell, Vec x, Vec y) {
    void* self;
    if (const PetscErrorCode code = MatShellGetContext(shell, &self)) return code;
    ModeHunt& hunt = *static_cast<ModeHunt*>(self);
    check_petsc(VecPointwiseMult(hunt.work_, hunt.root_, x));
    hunt.factor_.solve(hunt.work_, y);
    return VecPointwiseMult(y, y, hunt.root_);
  }

  LocalRows& rows_;
  WholeFactor& factor_;
  MatHandle operator_;
  VecHandle root_, work_;
  std::vector<Vec> vectors_;
  std::vector<double> values_;
};

/// Factors K + shift M with the least of a few shifts for which it is positive definite; 0 where there is none.
double factor_shifted(LocalRows& rows, const BlockMatrix& K, const VectorXd& mass, double shift, WholeFactor& factor) {
  for (int attempt = 0; attempt < 13; ++attempt, shift *= 10) {
    rows.set(K, 1, shift * mass);
    if (factor.factor()) return shift;
  }
  return 0;
}

}  // namespace

FoundModes find_modes_over_ranks(LocalRows& rows, const SharedRows& shared, const BlockMatrix& K, const VectorXd& mass,
                                 int count, double shift) {
  FoundModes found;
  if (!WholeFactor::available()) {
    found.trouble = "PETSc here was built without MUMPS, which the search for modes factors with; take ksiere";
    return found;
  }
  PetscBool begun = PETSC_FALSE;
  check_petsc(SlepcInitialized(&begun));
  if (!begun) check_petsc(SlepcInitializeNoArguments());
  WholeFactor factor(rows);
  shift = factor_shifted(rows, K, mass, shift, factor);
  if (!(shift > 0)) {
    found.trouble = "the stiffness cannot be factored: it is not finite, or the shape is far from stable";
    return found;
  }
  ModeHunt hunt(rows, mass, factor);
  const int first = hunt.look(count);
  if (first < count) {
    found.trouble =
        fmt::format("only {} of {} modes converged; ask for fewer, or check the mesh for loose pieces", first, count);
    return found;
  }
  // A Krylov space from one vector may miss vectors of eigenvalues that repeat. What it missed is the largest of what
  // is left over.
  for (double least = *std::min_element(hunt.values().begin(), hunt.values().end());;) {
    if (static_cast<Index>(hunt.values().size()) >= mass.size() || hunt.look(1) == 0) break;
    if (hunt.values().back() <= least * (1 + 1e-9)) break;
    std::vector<double> sorted = hunt.values();
    std::nth_element(sorted.begin(), sorted.begin() + count - 1, sorted.end(), std::greater<>());
    least = sorted[count - 1];
  }
  std::vector<int> order(hunt.values().size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return hunt.values()[a] > hunt.values()[b]; });
  found.modes.U = MatrixXd::Zero(mass.size(), count);
  found.modes.lambda.resize(count);
  for (int i = 0; i < count; ++i) {
    const Vec v = hunt.vectors()[order[i]];
    check_petsc(VecPointwiseDivide(v, v, hunt.root()));
    const double* own;
    check_petsc(VecGetArrayRead(v, &own));
    for (int p = 0; p < rows.own(); ++p)
      found.modes.U.col(i).segment<3>(3 * static_cast<Index>(rows.point(p))) =
          Eigen::Map<const Vec3>(own + 3 * static_cast<size_t>(p));
    check_petsc(VecRestoreArrayRead(v, &own));
    shared.exchange(found.modes.U.col(i).data());
    found.modes.lambda[i] = 1 / hunt.values()[order[i]] - shift;
  }
  return found;
}

#else

FoundModes find_modes_over_ranks(LocalRows&, const SharedRows&, const BlockMatrix&, const VectorXd&, int, double) {
  FoundModes found;
  found.trouble = "brio's engine petsc was built without SLEPc, which finds modes; take ksiere, or install slepc-dev";
  return found;
}

#endif

}  // namespace brio
