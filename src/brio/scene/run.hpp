#pragma once
// The run loop: steps a simulation, keeps the energy budget, and calls listeners.

#include "brio/diagnose/body_budget.hpp"
#include "brio/scene/cut.hpp"
#include "brio/scene/simulation.hpp"
#include "brio/scene/step_shares.hpp"
#include "brio/scene/step_times.hpp"

#include <functional>
#include <limits>

namespace brio {

/// Energies, momenta and counters after one step; step 0 is the start.
struct StepRecord {
  int step = 0;
  double time = 0;     ///< [s]
  double kinetic = 0;  ///< of the free vertices [J]
  Potentials potentials;
  double injected = 0, dissipated = 0;  ///< since the start [J]
  Momentum momentum;
  double min_det_f = std::numeric_limits<double>::quiet_NaN();  ///< not a number for a spring net
  double inverted = 0;                                          ///< share of the elements that are flat or inside out
  Vec3 probe = Vec3::Zero();       ///< mean position of the simulation's probe, where there is one [m]
  std::vector<BodyBudget> bodies;  ///< of each body, in a scene with "bodies"; empty otherwise
  double step_ms = 0;
  StepReport report;

  double total() const { return kinetic + potentials.total(); }  ///< [J]
};

/// The body at the end of a step; only valid during the call.
struct RunFrame {
  double time;         ///< [s]
  const MatrixX3d& x;  ///< [m]
  const MatrixX3d& u;  ///< [m/s]
  const ContactForces* contact_forces = nullptr;  ///< null where nothing can touch, and at the start
};

/// The callbacks of a run; any of them may be empty.
struct RunListener {
  std::function<void(const StepRecord&)> on_step;
  std::function<void(const RunFrame&)> on_frame;  ///< at the start, every `every` steps and at the end
  std::function<void(const CutReport&)> on_cut;   ///< between two steps; the simulation is that of the cut body already
  std::function<bool()> stop;                     ///< asked after each step; true ends the run

  /// Asked after each step whether to store the run. It is stored at its end as well, where this is given.
  std::function<bool(int step)> checkpoint_due;
  /// Stores what the listener carries from step to step; or, when the archive loads, goes on with that.
  std::function<void(Archive&)> archive;
  /// The whole run after a step, with what the listener has added.
  std::function<void(const StepRecord&, const std::string& stored)> on_checkpoint;
  /// Asked after each step of which no checkpoint is made, whether to give the same to on_kept.
  std::function<bool(int step)> keep_due;
  std::function<void(const StepRecord&, std::string stored)> on_kept;
};

enum class RunStatus {
  finished,
  doubtful,  ///< finished as well, but so many steps went wrong that one should not believe it
  diverged,
  interrupted
};
std::string to_string(RunStatus status);

/// With the work of all its steps.
struct RunResult : StepWork {
  RunStatus status = RunStatus::finished;
  std::string message;            ///< when not finished, or doubtful: at which step, why, and what to try
  std::vector<StepShare> shares;  ///< of its steps in which something happened that nobody asked for
  int steps = 0;                  ///< taken
  double wall_s = 0;
  StepTimes step_ms;
  std::vector<CutReport> cuts;
  double bookkeeping_s = 0;                                     ///< energies, momenta and frames [s]
  double initial_energy = 0, final_energy = 0, max_energy = 0;  ///< total [J]
  double peak_rss_mb = 0;

  /// Time spent in steps per simulated second, bookkeeping left out; 0 before the first step.
  double cost(double h) const;
};

RunResult run(Simulation& simulation, const RunListener& listener);

/// Goes on with a run that was stored, to the same bits as if it had not been broken off. The simulation is the one
/// that it began with, freshly built. Cuts that were made are made again, so that listeners hear of them; they do not
/// hear of steps and frames that they have heard of.
RunResult resume(Simulation& simulation, const RunListener& listener, std::string stored);

}  // namespace brio
