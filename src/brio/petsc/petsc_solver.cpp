#include "brio/petsc/petsc_solver.hpp"

#include "brio/core/error.hpp"
#include "brio/core/memory.hpp"
#include "brio/linalg/cholesky.hpp"
#include "brio/linalg/rigid_correction.hpp"
#include "brio/petsc/modes.hpp"
#include "brio/petsc/rigid_groups.hpp"
#include "brio/petsc/whole_matrix.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace brio {
namespace {

constexpr const char* kRigid = "rigid";  // the preconditioner's name among those of -pc_type
constexpr int kMostIterations = 1000;

class PetscSolver final : public BlockSolver {
 public:
  explicit PetscSolver(const EngineTask& task)
      : task_(task), rows_(*task.pattern, task.rows), rigid_(task.free_pieces), by_groups_(uses_groups()) {
    *b_.reset() = rows_.make_vector();
    *x_.reset() = rows_.make_vector();
    const PetscInt own = 3 * static_cast<PetscInt>(rows_.own()), all = 3 * static_cast<PetscInt>(rows_.all());
    check_petsc(MatCreateShell(PETSC_COMM_WORLD, own, own, all, all, &rows_, shell_.reset()));
    check_petsc(MatSetBlockSize(shell_, 3));
    check_petsc(MatSetOption(shell_, MAT_SPD, PETSC_TRUE));
    check_petsc(MatShellSetOperation(shell_, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
    if (!by_groups_) whole_ = std::make_unique<WholeMatrix>(rows_);
    set_up_ksp();
  }

  void set_positions(const VectorXd& q) override { q_ = q; }

  FactorStatus factor(const BlockMatrix& K, double scale, const VectorXd& shift) override {
    rows_.set(K, scale, shift);
    status_ = FactorStatus::ok;
    exact_ = rigid_set_ = false;
    const VectorXd& places = q_.size() == shift.size() ? q_ : (none_ = VectorXd::Zero(shift.size()));
    bool definite = true;
    if (by_groups_) {
      if (!groups_) {
        set_petsc_options(task_.options);  // others may have set theirs since
        groups_ = std::make_unique<RigidGroups>(rows_, couplings());
      }
      definite = groups_->set(places);
    } else {
      whole_->set(q_.size() == shift.size() ? q_ : VectorXd());
      if (failed_) {  // once, and it would stay so
        set_petsc_options(task_.options);
        set_up_ksp();
      }
      check_petsc(KSPSetOperators(ksp_, shell_, whole_->matrix()));
      definite = rows_.invert_diagonal(diagonal_) && set_up_whole();
    }
    return status_ = definite ? FactorStatus::ok : FactorStatus::not_positive_definite;
  }

  void solve(Eigen::Ref<MatrixXd> B) override {
    if (status_ != FactorStatus::ok) return;
    if (task_.free_pieces.empty()) return solve_columns(B, B);
    X_.resize(B.rows(), B.cols());
    solve_columns(B, X_);
    if (status_ == FactorStatus::ok && !exact_) {
      if (!rigid_set_) rigid_.set([this](const MatrixXd& Z, MatrixXd& AZ) { multiply_whole(Z, AZ); }, q_);
      rigid_set_ = true;
      rigid_.correct(B, X_);
    }
    B = X_;
  }

  FactorStatus status() const override { return status_; }
  SolverWork take_work() override { return std::exchange(work_, SolverWork{}); }

  std::optional<FoundModes> modes(const BlockMatrix& K, const VectorXd& mass, int count, double shift) override {
    return find_modes_over_ranks(rows_, task_.rows, K, mass, count, shift);
  }

 private:
  static PetscErrorCode multiply(Mat shell, Vec x, Vec y) {
    void* rows;
    if (const PetscErrorCode code = MatShellGetContext(shell, &rows)) return code;
    static_cast<LocalRows*>(rows)->multiply(x, y);
    return 0;
  }
  static PetscErrorCode apply(PC pc, Vec r, Vec z) {
    void* solver;
    if (const PetscErrorCode code = PCShellGetContext(pc, &solver)) return code;
    static_cast<PetscSolver*>(solver)->groups_->apply(r, z);
    return 0;
  }
  static PetscErrorCode make_rigid(PC pc) { return PCSetType(pc, PCSHELL); }

  bool uses_groups() const {
    set_petsc_options(task_.options);
    return petsc_option("-pc_type", kRigid) == kRigid;
  }

  void set_up_ksp() {
    check_petsc(PCRegister(kRigid, make_rigid));
    check_petsc(KSPCreate(PETSC_COMM_WORLD, ksp_.reset()));
    check_petsc(KSPSetType(ksp_, KSPCG));
    // The residual in the norm of the preconditioner is the error in that of the matrix, as for the engines of one
    // process (BlockGradients).
    if (petsc_option("-ksp_type", KSPCG) == KSPCG) check_petsc(KSPSetNormType(ksp_, KSP_NORM_NATURAL));
    check_petsc(KSPSetTolerances(ksp_, task_.tolerance > 0 ? task_.tolerance : 1e-6, 1e-300, 1e30, kMostIterations));
    check_petsc(KSPSetOperators(ksp_, shell_, by_groups_ ? static_cast<Mat>(shell_) : whole_->matrix()));
    PC pc;
    check_petsc(KSPGetPC(ksp_, &pc));
    check_petsc(PCSetType(pc, kRigid));
    check_petsc(KSPSetFromOptions(ksp_));
    if (!by_groups_) return;
    check_petsc(PCShellSetContext(pc, this));
    check_petsc(PCShellSetApply(pc, apply));
    check_petsc(PCShellSetName(pc, kRigid));
  }

  bool set_up_whole() {
    check_petsc(KSPSetUp(ksp_));
    PC pc;
    check_petsc(KSPGetPC(ksp_, &pc));
    PetscBool cholesky = PETSC_FALSE;
    check_petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCCHOLESKY, &cholesky));
    PCFailedReason failed;
    check_petsc(PCGetFailedReason(pc, &failed));
    failed_ = failed != PC_NOERROR;
    return !failed_ && (!cholesky || negative_pivots(pc) == 0);
  }

  VectorXd couplings() const {
    try {
      return task_.couplings ? task_.couplings() : VectorXd();
    } catch (const Error&) {  // then those of the first matrix
      return {};
    }
  }

  /// X may be B.
  void solve_columns(const Eigen::Ref<MatrixXd>& B, Eigen::Ref<MatrixXd> X) {
    for (Index c = 0; c < B.cols() && status_ == FactorStatus::ok; ++c) {
      put(B.col(c), b_);
      if (solve_column())
        take(x_, X.col(c));
      else
        X.col(c).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }

  /// False where the right-hand side is no number.
  bool solve_column() {
    if (!exact_) {
      KSPConvergedReason reason;
      PetscInt iterations = 0;
      check_petsc(KSPSolve(ksp_, b_, x_));
      check_petsc(KSPGetConvergedReason(ksp_, &reason));
      check_petsc(KSPGetIterationNumber(ksp_, &iterations));
      work_.iterations += static_cast<int>(iterations);
      if (reason > 0) {
        // PETSc notices directions of curvature with another sign than the first one; this is that of all of them.
        double work = 0;
        check_petsc(VecDot(b_, x_, &work));
        if (!(work >= 0)) status_ = FactorStatus::not_positive_definite;
        return true;
      }
      if (reason == KSP_DIVERGED_NANORINF) return false;
      if (reason == KSP_DIVERGED_INDEFINITE_MAT) {
        status_ = FactorStatus::not_positive_definite;
        return true;
      }
      ++work_.fallbacks;
      if (!can_factor()) {
        ++work_.unconverged;
        return true;
      }
      if (!factor_) factor_ = std::make_unique<WholeFactor>(rows_);
      ++work_.factorizations;
      exact_ = factor_->factor();
      if (!exact_) {
        status_ = FactorStatus::not_positive_definite;
        return true;
      }
    }
    factor_->solve(b_, x_);
    return true;
  }

  /// Every rank has its share of the factor, and all must come to the same answer.
  bool can_factor() const {
    double enough = 1;
    const double available = available_memory();
    if (available > 0 && !task_.rows.shared()) enough = factor_memory(*task_.pattern) < 0.5 * available;
    if (task_.rows.shared()) enough = rows_.all() < 200000;
    return enough > 0 && WholeFactor::available();
  }

  void put(const Eigen::Ref<const VectorXd>& from, Vec to) const {
    double* own;
    check_petsc(VecGetArrayWrite(to, &own));
    for (int i = 0; i < rows_.own(); ++i)
      Eigen::Map<Vec3>(own + 3 * static_cast<size_t>(i)) = from.segment<3>(3 * static_cast<Index>(rows_.point(i)));
    check_petsc(VecRestoreArrayWrite(to, &own));
  }

  void take(Vec from, Eigen::Ref<VectorXd> to) const {
    const double* own;
    check_petsc(VecGetArrayRead(from, &own));
    for (int i = 0; i < rows_.own(); ++i)
      to.segment<3>(3 * static_cast<Index>(rows_.point(i))) = Eigen::Map<const Vec3>(own + 3 * static_cast<size_t>(i));
    check_petsc(VecRestoreArrayRead(from, &own));
    task_.rows.exchange(to.data());
  }

  void multiply_whole(const MatrixXd& X, MatrixXd& Y) {
    for (Index c = 0; c < X.cols(); ++c) {
      put(X.col(c), b_);
      rows_.multiply(b_, x_);
      take(x_, Y.col(c));
    }
  }

  EngineTask task_;
  LocalRows rows_;
  RigidCorrection rigid_;
  bool by_groups_;
  MatHandle shell_;
  VecHandle b_, x_;
  KspHandle ksp_;
  std::unique_ptr<RigidGroups> groups_;
  std::unique_ptr<WholeMatrix> whole_;
  std::unique_ptr<WholeFactor> factor_;
  VectorXd q_, none_;
  std::vector<Mat3> diagonal_;  ///< inverted, to see whether it can be
  MatrixXd X_;
  FactorStatus status_ = FactorStatus::ok;
  bool exact_ = false, rigid_set_ = false, failed_ = false;
  SolverWork work_;
};

/// Springs along the edges of a grid, in slabs for the ranks: large enough that multigrid has several levels.
struct SmallProblem {
  static constexpr int kSide = 12, kPoints = kSide * kSide * kSide;

  SmallProblem() : q(3 * kPoints) {
    std::vector<std::pair<int, int>> pairs;
    std::vector<int> owner(kPoints);
    for (int i = 0; i < kPoints; ++i) {
      const int at[3] = {i / (kSide * kSide), i / kSide % kSide, i % kSide}, stride[3] = {kSide * kSide, kSide, 1};
      owner[i] = i * ranks().count() / kPoints;
      for (int c = 0; c < 3; ++c) {
        q[3 * i + c] = at[c];
        if (at[c] + 1 < kSide) pairs.emplace_back(i + stride[c], i);
      }
    }
    rows = SharedRows(owner);
    pattern = std::make_shared<BlockPattern>(kPoints, std::move(pairs));
  }

  BlockMatrix matrix() const {
    BlockMatrix K(pattern);
    for (int j = 0; j < kPoints; ++j)
      for (int s = pattern->column_begin[j] + 1; s < pattern->column_begin[j + 1]; ++s)
        for (int c = 0; c < 3; ++c) {
          K.block(s)[4 * c] = -1;
          K.block(pattern->column_begin[j])[4 * c] += 1;
          K.block(pattern->column_begin[pattern->row[s]])[4 * c] += 1;
        }
    return K;
  }

  VectorXd q;
  SharedRows rows;
  std::shared_ptr<const BlockPattern> pattern;
};

/// Levels that only larger matrices have, and what only a search for modes asks for.
bool may_be_asked_later(const std::string& option) {
  for (const char* begin : {"-mg_levels_", "-coarse_mg_levels_", "-eps_", "-st_", "-factor_"})
    if (option.starts_with(begin)) return true;
  return false;
}

}  // namespace

std::unique_ptr<BlockSolver> make_petsc_solver(const EngineTask& task) { return std::make_unique<PetscSolver>(task); }

void check_solver_options(const std::string& options) {
  const SmallProblem problem;
  const std::vector<std::vector<int>> none;
  std::vector<std::string> unknown;
  try {
    PetscSolver solver(EngineTask{problem.pattern, none, 1e-2, {}, problem.rows, options});
    solver.set_positions(problem.q);
    MatrixXd b = problem.q;
    if (solver.factor(problem.matrix(), 1, VectorXd::Constant(problem.q.size(), 0.1)) == FactorStatus::ok)
      solver.solve(b);
    unknown = unused_petsc_options();
  } catch (const Error& error) {
    throw Error("integrator.engine_options = \"{}\": {}", options, error.what());
  }
  std::erase_if(unknown, may_be_asked_later);
  if (!unknown.empty())
    throw Error("integrator.engine_options: PETSc has no use for {}; its name may be misspelled", unknown.front());
}

}  // namespace brio
