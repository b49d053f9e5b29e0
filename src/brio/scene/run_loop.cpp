#include "brio/scene/run_loop.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/scene/growing_vibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

namespace brio {
namespace {

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
  // Where a vibration grows by itself, half a step may not be enough.
  if (const auto growing = growing_vibration(simulation, 0, simulation.system->rest()))
    return fmt::format(
        "step {} (t = {:.6g} s): {}. The fastest vibration of the mesh, {:.3g} Hz, grows with every step of "
        "{:g} s; {}",
        std::lround(simulation.state.t / simulation.h), simulation.state.t, what, growing->frequency, simulation.h,
        growing->remedy());
  return fmt::format(
      "step {} (t = {:.6g} s): {}. Try a smaller step (integrator.h = {:g}), {}or some damping; check the mesh with "
      "`brio check`",
      std::lround(simulation.state.t / simulation.h), simulation.state.t, what, simulation.h / 2,
      remedy(simulation.scene->integrator));
}

void archive_cut(Archive& archive, CutReport& cut) {
  archive(cut.path, cut.time, cut.changed, cut.pieces_before, cut.pieces, cut.subdivided, cut.new_vertices,
          cut.new_tets, cut.energy_change, cut.ms);
}

}  // namespace

RunawayCheck::RunawayCheck(const StepRecord& start, double least_supply)
    : start_(start),
      own_(start.kinetic + start.potentials.elastic + start.potentials.contact),
      supply_(least_supply) {}

void RunawayCheck::archive(Archive& archive) {
  archive(start_.kinetic, start_.potentials.elastic, start_.potentials.gravity, start_.potentials.contact, own_,
          supply_);
}

bool RunawayCheck::runaway(const StepRecord& now) {
  constexpr double kFactor = 10;
  if (!std::isfinite(now.total())) return true;
  // From rest, an explicit method gains speed in its first step before anything has moved.
  if (now.step == 1) supply_ += now.kinetic;
  // Friction of a moving obstacle gives what it does not take.
  supply_ = std::max(supply_, std::fabs(now.potentials.gravity - start_.potentials.gravity) +
                                  std::fabs(now.injected) + std::max(0.0, -now.dissipated));
  return now.total() - start_.total() - now.injected > kFactor * (own_ + supply_);
}

RunLoop::RunLoop(Simulation& simulation, const RunListener& listener)
    : simulation_(simulation),
      listener_(listener),
      start_(simulation.state.t),
      budget_(*simulation.system, simulation.state),
      now_(record(0, {}, 0)),
      check_(now_, least_supply(simulation)) {
  result_.initial_energy = result_.max_energy = now_.total();
}

RunResult RunLoop::go() {
  tell(true);
  return go_on();
}

RunResult RunLoop::go_on_from(std::string stored) {
  load(std::move(stored));
  return go_on();
}

void RunLoop::load(std::string stored) {
  Archive archive(std::move(stored));
  this->archive(archive);
  budget_.go_on(*simulation_.system, simulation_.state);  // with what the listener has loaded
  now_ = record(result_.steps, {}, 0);
}

std::string RunLoop::stored() {
  Archive archive;
  this->archive(archive);
  return archive.bytes();
}

StepReport RunLoop::step() {
  result_.status = RunStatus::finished;
  result_.message.clear();
  while (cut_is_due()) cut();
  const int step = result_.steps + 1;
  Stopwatch watch;
  StepReport report = simulation_.integrator->step(simulation_.state, simulation_.h);
  const double seconds = watch.lap();
  result_ += report;
  if (report.status == StepStatus::diverged) {
    fail(report.reason);
    return report;
  }
  simulation_.state.t = start_ + step * simulation_.h;  // sums of h would drift
  result_.steps = step;
  result_.step_ms.add(1e3 * seconds);
  budget_.book(simulation_.state, report.dissipated);
  now_ = record(step, report, 1e3 * seconds);
  tally_.add(report, now_.inverted);
  if (check_.runaway(now_)) {
    report.status = StepStatus::diverged;
    report.reason = "the energy ran away";
    fail(report.reason);
    return report;
  }
  result_.max_energy = std::max(result_.max_energy, now_.total());
  result_.bookkeeping_s += watch.lap();
  return report;
}

RunResult RunLoop::go_on() {
  Stopwatch wall;
  for (int step = result_.steps + 1; step <= simulation_.steps; ++step) {
    if (this->step().status == StepStatus::diverged) {
      if (result_.steps == step) tell(false);  // taken, and the energy ran away
      break;
    }
    Stopwatch watch;
    const bool stop = listener_.stop && listener_.stop() && step < simulation_.steps;
    tell(is_frame(step));
    result_.bookkeeping_s += watch.lap();
    if (listener_.checkpoint_due && (listener_.checkpoint_due(step) || stop || step == simulation_.steps)) {
      result_.wall_s += wall.lap();
      const std::string bytes = stored();
      if (listener_.on_checkpoint) listener_.on_checkpoint(now_, bytes);
    }
    result_.bookkeeping_s += watch.lap();
    if (stop) {
      result_.status = RunStatus::interrupted;
      result_.message = fmt::format("interrupted after step {} of {}", step, simulation_.steps);
      break;
    }
  }
  // Whoever goes on with the run does without this frame, which an unbroken run has not.
  if (result_.status != RunStatus::diverged && !is_frame(result_.steps)) tell_frame();
  result_.extras.take_means(result_.steps);
  result_.shares = tally_.shares();
  const std::string doubt = doubts(result_.shares);
  if (result_.status == RunStatus::finished && !doubt.empty()) {
    result_.status = RunStatus::doubtful;
    result_.message = doubt;
  }
  result_.final_energy = budget_.total();
  result_.wall_s += wall.lap();
  result_.peak_rss_mb = std::max(result_.peak_rss_mb, peak_rss_mb());
  return std::move(result_);
}

void RunLoop::archive(Archive& archive) {
  archive.mark("cuts");
  archive(next_cut_, before_cuts_);
  if (archive.loading()) cut_again();
  archive.mark("state");
  archive(start_, simulation_.state);
  archive.mark("books");
  archive(budget_, check_, tally_);
  archive.mark("result");
  archive(result_.steps, result_.wall_s, result_.step_ms, result_.bookkeeping_s, result_.initial_energy,
          result_.max_energy, result_.peak_rss_mb);
  archive_work(archive, result_);
  std::uint64_t cuts = result_.cuts.size();
  archive(cuts);
  result_.cuts.resize(cuts);
  for (CutReport& cut : result_.cuts) archive_cut(archive, cut);
  archive.mark("listener");
  if (listener_.archive) listener_.archive(archive);
}

/// The body as it was when it was stored: each cut from the state that it found.
void RunLoop::cut_again() {
  for (BeforeCut& before : before_cuts_) {
    simulation_.state = before.state;
    const CutReport report = perform_cut(simulation_, before.number);
    if (listener_.on_cut) listener_.on_cut(report);
  }
}

bool RunLoop::cut_is_due() const {
  return next_cut_ < simulation_.cuts.size() &&
         simulation_.cuts[next_cut_].time <= simulation_.state.t + kCutSlack * simulation_.h;
}

void RunLoop::cut() {
  BeforeCut before{next_cut_, simulation_.state};
  CutReport report = perform_cut(simulation_, next_cut_++);
  if (report.changed && listener_.checkpoint_due) before_cuts_.push_back(std::move(before));
  if (report.changed) {
    report.energy_change = budget_.set_system(*simulation_.system, simulation_.state);
    x_ = std::make_shared<MatrixX3d>(), u_ = std::make_shared<MatrixX3d>();
    look();
  }
  result_.cuts.push_back(report);
  if (listener_.on_cut) listener_.on_cut(report);
}

void RunLoop::look() {
  simulation_.system->positions(simulation_.state.t, simulation_.state.q, *x_);
  simulation_.system->velocities(simulation_.state.t, simulation_.state.v, *u_);
}

void RunLoop::on_state_set() {
  budget_.set_system(*simulation_.system, simulation_.state);
  now_ = record(result_.steps, now_.report, now_.step_ms);
}

StepRecord RunLoop::record(int step, const StepReport& report, double step_ms) {
  const State& state = simulation_.state;
  look();
  StepRecord now;
  now.step = step;
  now.time = state.t;
  now.kinetic = budget_.kinetic();
  now.potentials = budget_.potentials();
  now.injected = budget_.injected();
  now.dissipated = budget_.dissipated();
  now.momentum = momentum(simulation_.system->vertex_mass(), *x_, *u_);
  if (const auto found = simulation_.determinants(*x_)) {
    now.min_det_f = found->smallest;
    now.inverted = static_cast<double>(found->inverted) / simulation_.elements();
  }
  if (!simulation_.probe.empty()) now.probe = (*x_)(simulation_.probe, Eigen::all).colwise().mean();
  if (!simulation_.bodies.front().name.empty())
    now.bodies = body_budgets(*simulation_.system, state, simulation_.body_of_vertex, *x_, *u_);
  now.step_ms = step_ms;
  now.report = report;
  return now;
}

void RunLoop::tell(bool with_frame) {
  if (listener_.on_step) listener_.on_step(now_);
  if (with_frame) tell_frame();
}

void RunLoop::tell_frame() {
  if (listener_.on_frame) listener_.on_frame({now_.time, *x_, *u_});
}

void RunLoop::fail(const std::string& what) {
  result_.status = RunStatus::diverged;
  result_.message = advice(simulation_, what);
}

}  // namespace brio
