#pragma once
// How the matrices of a system are solved with: factored every time, with the factor of an earlier step, or without
// any. Linearizations take their solvers from here, so that no integrator can tell one engine from another; what the
// solvers did is added up here, step by step, for the books of a run.

#include "brio/core/options.hpp"
#include "brio/core/table.hpp"
#include "brio/linalg/block_solver.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace brio {

class SharedRows;  // core/ranks.hpp

/// What a solver is made for.
struct EngineTask {
  std::shared_ptr<const BlockPattern> pattern;
  /// Pieces that nothing holds, as lists of points: their momentum must not depend on where iterations end.
  const std::vector<std::vector<int>>& free_pieces;
  double tolerance = 0;  ///< of a solution, in the norm of the matrix; 0: the engine's own
  /// How strongly points are coupled at rest, by slot of the pattern [N/m]; throws Error where nobody knows.
  std::function<VectorXd()> couplings;
  /// Which rows each rank has, where several compute together; of others the matrices have parts only.
  const SharedRows& rows;
  std::string options = {};  ///< of the engine's own language
};

/// What an engine needs for a matrix.
struct EngineNeeds {
  double memory = 0;   ///< besides the system itself [B]
  double seconds = 0;  ///< of a step with one solve, about, on one core
};

struct EngineEntry : Entry {
  /// Null in the row that chooses one of the others.
  std::function<std::unique_ptr<BlockSolver>(const EngineTask&)> make;
  /// Without looking at numbers: by the pattern alone.
  std::function<EngineNeeds(const BlockPattern&)> needs;
  /// Throws Error for options that it does not know; null where it takes none.
  std::function<void(const std::string& options)> check_options = {};
  bool over_ranks = false;   ///< whether several ranks can compute together with it
  bool finds_modes = false;  ///< whether its solvers do (BlockSolver::modes())
  std::string missing = {};  ///< of a row that only announces an engine: how to get it
};

/// Puts an engine in the place of the row that announced it, or at the end of the table.
void provide_engine(EngineEntry row);

/// Who loads the library of an engine that only announces itself, by its name; it may find none.
void set_engine_loader(std::function<void(const std::string&)> loader);
/// Asks for it where the engine is not here yet.
void bring_engine(const std::string& name);

/// Every engine, in the order in which `brio list` shows them.
const std::vector<EngineEntry>& engines();
Table<EngineEntry>& engine_table();  ///< the same, to add rows to

/// The name of the row that chooses one of the others.
inline const std::string kChosenEngine = "auto";

/// What that row takes for a body, and why, for people to read.
struct EngineChoice {
  std::string name, reason;
};
EngineChoice choose_engine(const BlockPattern& pattern);

class Engine {
 public:
  /// Throws Error for a name that no row has.
  explicit Engine(const std::string& name, double tolerance = 0, std::string options = {});

  const std::string& name() const { return name_; }
  double tolerance() const { return tolerance_; }
  bool finds_modes() const;
  /// The task's tolerance is the engine's.
  std::unique_ptr<BlockSolver> make_solver(EngineTask task);
  /// Of all its solvers, since the last call.
  SolverWork take_work();
  void add_work(const SolverWork& work);
  /// Stores what its solvers owe to earlier matrices, in the order in which they were made; or, when the archive loads,
  /// goes on with that, in those that are there and in those that are made from now on.
  void archive(Archive& archive);

 private:
  friend class CountedSolver;

  std::string name_;
  double tolerance_;
  std::string options_;
  std::mutex mutex_;
  SolverWork work_;
  std::vector<BlockSolver*> solvers_;  ///< those that live
  std::vector<std::string> waiting_;   ///< what solvers have stored that are not made yet, the last one first
};

}  // namespace brio
