#include "brio/system/engine.hpp"

#include "brio/linalg/cholesky.hpp"
#include "brio/linalg/reused_factor.hpp"
#include "brio/linalg/two_level_gradients.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brio {

/// Tells the engine what its solver does.
class CountedSolver final : public BlockSolver {
 public:
  CountedSolver(Engine& engine, std::unique_ptr<BlockSolver> solver) : engine_(engine), solver_(std::move(solver)) {
    const std::lock_guard guard(engine_.mutex_);
    engine_.solvers_.push_back(this);
    if (engine_.waiting_.empty()) return;
    Archive stored(std::move(engine_.waiting_.back()));
    engine_.waiting_.pop_back();
    solver_->archive(stored);
  }
  ~CountedSolver() override {
    const std::lock_guard guard(engine_.mutex_);
    std::erase(engine_.solvers_, this);
  }

  void set_positions(const VectorXd& q) override { solver_->set_positions(q); }
  FactorStatus factor(const BlockMatrix& K, double scale, const VectorXd& shift) override {
    const FactorStatus status = solver_->factor(K, scale, shift);
    engine_.add_work(solver_->take_work());
    return status;
  }
  void solve(Eigen::Ref<MatrixXd> B) override {
    solver_->solve(B);
    engine_.add_work(solver_->take_work());
  }
  void improve(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, Index exact) override {
    solver_->improve(B, X, exact);
    engine_.add_work(solver_->take_work());
  }
  void solve_single_precision(Eigen::Ref<MatrixXd> B) override {
    solver_->solve_single_precision(B);
    engine_.add_work(solver_->take_work());
  }
  FactorStatus status() const override { return solver_->status(); }
  void archive(Archive& archive) override { solver_->archive(archive); }
  std::optional<FoundModes> modes(const BlockMatrix& K, const VectorXd& mass, int count, double shift) override {
    std::optional<FoundModes> found = solver_->modes(K, mass, count, shift);
    engine_.add_work(solver_->take_work());
    return found;
  }

 private:
  Engine& engine_;
  std::unique_ptr<BlockSolver> solver_;
};

namespace {

// Seconds on one core, measured on bars of 5k to 98k tetrahedra without other work on the machine; assembly is the
// first term of each.
double assembly_seconds(const BlockPattern& pattern) { return 2.5e-6 * pattern.blocks_per_side; }

EngineNeeds direct_needs(const BlockPattern& pattern) {
  return {factor_memory(pattern), assembly_seconds(pattern) + factor_operations(pattern) / 2e10};
}

EngineNeeds reuse_needs(const BlockPattern& pattern) {
  // The factor is there in double and in single precision; the matrix that it is of stays beside that of the step.
  const double matrices = 2 * 72.0 * pattern.slots(), vectors = 24.0 * 12 * pattern.blocks_per_side;
  return {1.5 * factor_memory(pattern) + matrices + vectors,
          assembly_seconds(pattern) + factor_operations(pattern) / 2e10 / 4};
}

EngineNeeds iterative_needs(const BlockPattern& pattern) {
  constexpr double kCoarse = 1500;  // a group, in its sparse factor, about [B/point of the fine level times 80]
  const int group = usual_aggregate(pattern.blocks_per_side);
  const double matrix = 72.0 * pattern.slots(), vectors = 24.0 * 14 * pattern.blocks_per_side;
  return {matrix + vectors + kCoarse * 80.0 / group * pattern.blocks_per_side,
          assembly_seconds(pattern) + 1.5e-6 * pattern.slots()};
}

EngineEntry announced(std::string name, std::string summary, std::string missing) {
  EngineEntry row{{std::move(name), std::move(summary), {}}, {}, {}};
  row.missing = std::move(missing);
  return row;
}

std::vector<EngineEntry> built_in_engines() {
  return {
      {{"direct", "a new factor for every matrix: exact, and the fastest for small bodies", {}},
       [](const EngineTask& task) { return make_cholesky(task.pattern); },
       direct_needs},
      {{"reuse",
        "the factor of an earlier step, turned along with the body, as preconditioner of conjugate gradients; a new "
        "one where that pays",
        {}},
       [](const EngineTask& task) {
         constexpr int kTiny = 150;  // points whose factor takes no longer than what surrounds an iteration
         if (task.pattern->blocks_per_side < kTiny) return std::unique_ptr<BlockSolver>(make_cholesky(task.pattern));
         ReuseOptions options;
         if (task.tolerance > 0) options.tolerance = task.tolerance;
         return make_reused_factor(task.pattern, task.free_pieces, options);
       },
       reuse_needs},
      {{"iterative",
        "conjugate gradients with a preconditioner of two levels, and no factor: for the largest bodies",
        {}},
       [](const EngineTask& task) {
         TwoLevelOptions options;
         if (task.tolerance > 0) options.tolerance = task.tolerance;
         try {
           options.couplings = task.couplings();
         } catch (const Error&) {  // then those of the first matrix
         }
         return make_two_level_gradients(task.pattern, task.free_pieces, options);
       },
       iterative_needs,
       /*check_options=*/{},
       /*over_ranks=*/false,
       /*finds_modes=*/true},
      {{kChosenEngine, "one of the others, by the size of the body", {}}, {}, {}},
      announced("petsc", "conjugate gradients over the processes of a cluster, by PETSc; `mpirun -n 64 brio run …`",
                "is not built here; `make petsc` installs PETSc and builds it (docs/petsc.md)")};
}

}  // namespace

Table<EngineEntry>& engine_table() {
  static Table<EngineEntry> table("engine", built_in_engines());
  return table;
}

const std::vector<EngineEntry>& engines() { return engine_table().rows(); }

void provide_engine(EngineEntry row) {
  const auto has_name = [&](const EngineEntry& other) { return other.name == row.name && !other.missing.empty(); };
  if (std::any_of(engines().begin(), engines().end(), has_name))
    engine_table().replace(std::move(row));
  else
    engine_table().add(std::move(row));
}

namespace {
std::function<void(const std::string&)>& engine_loader() {
  static std::function<void(const std::string&)> loader;
  return loader;
}
}  // namespace

void set_engine_loader(std::function<void(const std::string&)> loader) { engine_loader() = std::move(loader); }

void bring_engine(const std::string& name) {
  if (!find_row(engines(), "engine", name).missing.empty() && engine_loader()) engine_loader()(name);
}

EngineChoice choose_engine(const BlockPattern& pattern) {
  // Below, a factor takes hardly longer than a few solves with it; above, it grows faster than all else.
  constexpr int kSmall = 3000, kLarge = 40000;
  if (pattern.blocks_per_side < kSmall) return {"direct", fmt::format("fewer than {} free vertices", kSmall)};
  if (pattern.blocks_per_side > kLarge) return {"iterative", fmt::format("more than {} free vertices", kLarge)};
  return {"reuse", fmt::format("between {} and {} free vertices", kSmall, kLarge)};
}

Engine::Engine(const std::string& name, double tolerance, std::string options)
    : name_(name), tolerance_(tolerance), options_(std::move(options)) {
  find_row(engines(), "engine", name);
}

bool Engine::finds_modes() const { return find_row(engines(), "engine", name_).finds_modes; }

std::unique_ptr<BlockSolver> Engine::make_solver(EngineTask task) {
  task.tolerance = tolerance_;
  task.options = options_;
  const std::string name = name_ == kChosenEngine ? choose_engine(*task.pattern).name : name_;
  return std::make_unique<CountedSolver>(*this, find_row(engines(), "engine", name).make(task));
}

void Engine::archive(Archive& archive) {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> stored(solvers_.size());
  for (size_t k = 0; k < solvers_.size() && !archive.loading(); ++k) {
    Archive one;
    solvers_[k]->archive(one);
    stored[k] = one.bytes();
  }
  archive(stored);
  if (!archive.loading()) return;
  const size_t here = std::min(stored.size(), solvers_.size());
  for (size_t k = 0; k < here; ++k) {
    Archive one(stored[k]);
    solvers_[k]->archive(one);
  }
  waiting_.assign(stored.rbegin(), stored.rend() - static_cast<std::ptrdiff_t>(here));
}

SolverWork Engine::take_work() {
  const std::lock_guard guard(mutex_);
  const SolverWork work = work_;
  work_ = {};
  return work;
}

void Engine::add_work(const SolverWork& work) {
  const std::lock_guard guard(mutex_);
  work_ += work;
}

}  // namespace brio
