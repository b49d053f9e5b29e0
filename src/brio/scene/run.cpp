#include "brio/scene/run.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/diagnose/energy_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sys/resource.h>

namespace brio {
namespace {

/// Tells when there is far more energy than anything in the scene can have supplied.
class RunawayCheck {
 public:
  RunawayCheck(const StepRecord& start, double least_supply)
      : start_(start),
        own_(start.kinetic + start.potentials.elastic + start.potentials.contact),
        supply_(least_supply) {}

  bool runaway(const StepRecord& now) {
    if (!std::isfinite(now.total())) return true;
    // From rest, an explicit method gains speed in its first step before anything has moved.
    if (now.step == 1) supply_ += now.kinetic;
    // Friction of a moving obstacle gives what it does not take.
    supply_ = std::max(supply_, std::fabs(now.potentials.gravity - start_.potentials.gravity) +
                                    std::fabs(now.injected) + std::max(0.0, -now.dissipated));
    return now.total() - start_.total() - now.injected > kFactor * (own_ + supply_);
  }

 private:
  static constexpr double kFactor = 10;
  StepRecord start_;
  double own_;     ///< energy of the body at the start that can turn into motion [J]
  double supply_;  ///< the most that weight and loads have moved so far [J]
};

/// What weight and loads do over the size of the body, and at the least a millimeter a second of all its mass [J]: an
/// explicit method may well gain that much in its first steps without running away.
double least_supply(const Simulation& simulation) {
  const NodalSystem& system = *simulation.system;
  const State& state = simulation.state;
  VectorXd gradient, load;
  system.gradient(state.t, state.q, gradient);
  system.load(state.t, state.q, state.v, load);
  const VectorXd force = load - gradient;
  const Vec3 net = Eigen::Map<const MatrixX3d>(force.data(), force.size() / 3, 3).colwise().sum();
  const MatrixX3d& X = system.rest_positions();
  const double extent = (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm();
  return net.norm() * extent + 5e-7 * system.vertex_mass().sum();
}

double peak_rss_mb() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// What the integrator at hand offers against a run that blows up.
std::string remedy(const Item& integrator) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", integrator.name);
  const std::string text = row.remedy ? row.remedy(integrator.options) : "";
  return text.empty() ? "" : text + ", ";
}

std::string advice(const Simulation& simulation, const std::string& what) {
  return fmt::format(
      "step {} (t = {:.6g} s): {}. Try a smaller step (integrator.h = {:g}), {}or some damping; check the mesh with "
      "`brio check`",
      std::lround(simulation.state.t / simulation.h), simulation.state.t, what, simulation.h / 2,
      remedy(simulation.scene->integrator));
}

class RunLoop {
 public:
  RunLoop(Simulation& simulation, const RunListener& listener)
      : simulation_(simulation), listener_(listener), budget_(*simulation.system, simulation.state) {}

  RunResult go() {
    Stopwatch wall;
    StepRecord start = record(0, {}, 0);
    RunawayCheck check(start, least_supply(simulation_));
    result_.initial_energy = result_.max_energy = start.total();
    tell(start, true);
    result_.step_ms.reserve(simulation_.steps);
    for (int step = 1; step <= simulation_.steps; ++step) {
      while (cut_is_due()) cut();
      Stopwatch watch;
      const StepReport report = simulation_.integrator->step(simulation_.state, simulation_.h);
      const double seconds = watch.lap();
      result_ += report;
      if (report.status == StepStatus::diverged) {
        fail(report.reason);
        break;
      }
      result_.steps = step;
      result_.step_ms.push_back(1e3 * seconds);
      budget_.book(simulation_.state, report.dissipated);
      const StepRecord now = record(step, report, 1e3 * seconds);
      tally_.add(report, now.inverted);
      if (check.runaway(now)) {
        tell(now, false);
        fail("the energy ran away");
        break;
      }
      result_.max_energy = std::max(result_.max_energy, now.total());
      const bool stop = listener_.stop && listener_.stop() && step < simulation_.steps;
      tell(now, step % simulation_.every == 0 || step == simulation_.steps || stop);
      result_.bookkeeping_s += watch.lap();
      if (stop) {
        result_.status = RunStatus::interrupted;
        result_.message = fmt::format("interrupted after step {} of {}", step, simulation_.steps);
        break;
      }
    }
    result_.extras.take_means(result_.steps);
    result_.shares = tally_.shares();
    const std::string doubt = doubts(result_.shares);
    if (result_.status == RunStatus::finished && !doubt.empty()) {
      result_.status = RunStatus::doubtful;
      result_.message = doubt;
    }
    result_.final_energy = budget_.total();
    result_.wall_s = wall.lap();
    result_.peak_rss_mb = peak_rss_mb();
    return std::move(result_);
  }

 private:
  bool cut_is_due() const {
    return next_cut_ < simulation_.cuts.size() &&
           simulation_.cuts[next_cut_].time <= simulation_.state.t + kCutSlack * simulation_.h;
  }

  void cut() {
    CutReport report = perform_cut(simulation_, next_cut_++);
    if (report.changed) report.energy_change = budget_.set_system(*simulation_.system, simulation_.state);
    result_.cuts.push_back(report);
    if (listener_.on_cut) listener_.on_cut(report);
  }

  StepRecord record(int step, const StepReport& report, double step_ms) {
    const State& state = simulation_.state;
    simulation_.system->positions(state.t, state.q, x_);
    simulation_.system->velocities(state.t, state.v, u_);
    StepRecord now;
    now.step = step;
    now.time = state.t;
    now.kinetic = budget_.kinetic();
    now.potentials = budget_.potentials();
    now.injected = budget_.injected();
    now.dissipated = budget_.dissipated();
    now.momentum = momentum(simulation_.system->vertex_mass(), x_, u_);
    if (const auto found = simulation_.determinants(x_)) {
      now.min_det_f = found->smallest;
      now.inverted = static_cast<double>(found->inverted) / simulation_.elements();
    }
    if (!simulation_.probe.empty()) now.probe = x_(simulation_.probe, Eigen::all).colwise().mean();
    if (!simulation_.bodies.front().name.empty())
      now.bodies = body_budgets(*simulation_.system, state, simulation_.body_of_vertex, x_, u_);
    now.step_ms = step_ms;
    now.report = report;
    return now;
  }

  void tell(const StepRecord& now, bool with_frame) {
    if (listener_.on_step) listener_.on_step(now);
    if (with_frame && listener_.on_frame) listener_.on_frame({now.time, x_, u_});
  }

  void fail(const std::string& what) {
    result_.status = RunStatus::diverged;
    result_.message = advice(simulation_, what);
  }

  Simulation& simulation_;
  const RunListener& listener_;
  EnergyBudget budget_;
  RunResult result_;
  StepTally tally_;
  MatrixX3d x_, u_;
  size_t next_cut_ = 0;  ///< of the simulation's
};

}  // namespace

std::string to_string(RunStatus status) {
  static constexpr std::array kNames = {"finished", "doubtful", "diverged", "interrupted"};
  return kNames[static_cast<size_t>(status)];
}

double RunResult::step_ms_quantile(double q) const {
  if (step_ms.empty()) return 0;
  std::vector<double> sorted = step_ms;
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<size_t>(q * static_cast<double>(sorted.size() - 1))];
}

double RunResult::cost(double h) const {
  return step_ms.empty() ? 0 : 1e-3 * std::accumulate(step_ms.begin(), step_ms.end(), 0.0) / (steps * h);
}

RunResult run(Simulation& simulation, const RunListener& listener) { return RunLoop(simulation, listener).go(); }

}  // namespace brio
