#include "brio/scene/stepper.hpp"

#include "brio/core/stopwatch.hpp"
#include "brio/scene/growing_vibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// What the integrator at hand offers against a run that blows up.
std::string remedy(const Item& integrator) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", integrator.name);
  const std::string text = row.remedy ? row.remedy(integrator.options) : "";
  return text.empty() ? "" : text + ", ";
}

std::string advice_on(const Simulation& simulation, const std::string& what) {
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

}  // namespace

RunawayCheck::RunawayCheck(const StepRecord& start, double least_supply)
    : start_(start), own_(start.kinetic + start.potentials.elastic + start.potentials.contact), supply_(least_supply) {}

void RunawayCheck::archive(Archive& archive) {
  archive(start_.kinetic, start_.potentials.elastic, start_.potentials.gravity, start_.potentials.contact, own_,
          supply_);
}

bool RunawayCheck::runaway(const StepRecord& now) {
  if (!std::isfinite(now.total())) return true;
  // From rest, an explicit method gains speed in its first step before anything has moved.
  if (now.step == 1) supply_ += now.kinetic;
  // Friction of a moving obstacle gives what it does not take.
  supply_ = std::max(supply_, std::fabs(now.potentials.gravity - start_.potentials.gravity) + std::fabs(now.injected) +
                                  std::max(0.0, -now.dissipated));
  return now.total() - start_.total() - now.injected > kFactor * (own_ + supply_);
}

Stepper::Stepper(Simulation& simulation)
    : simulation_(simulation),
      start_(simulation.state.t),
      budget_(*simulation.system, simulation.state),
      now_(record({}, 0)),
      check_(now_, least_supply(simulation)) {}

Stepper::Outcome Stepper::step() {
  Stopwatch watch;
  report_ = simulation_.integrator->step(simulation_.state, simulation_.h);
  const double seconds = watch.lap();
  if (const auto& engine = simulation_.system->engine()) add_engine_work(engine->take_work(), report_);
  if (report_.status == StepStatus::diverged) {
    wrong_ = report_.reason;
    return Outcome::failed;
  }
  ++steps_;
  simulation_.state.t = start_ + (steps_ - first_) * simulation_.h;  // sums of h would drift
  budget_.book(simulation_.state, report_.dissipated);
  now_ = record(report_, 1e3 * seconds);
  if (!check_.runaway(now_)) return Outcome::ok;
  wrong_ = "the energy ran away";
  return Outcome::runaway;
}

std::string Stepper::advice() const { return advice_on(simulation_, wrong_); }

double Stepper::set_system() {
  const double change = budget_.set_system(*simulation_.system, simulation_.state);
  x_ = std::make_shared<MatrixX3d>(), u_ = std::make_shared<MatrixX3d>();
  look();
  return change;
}

void Stepper::keep_in(std::shared_ptr<MatrixX3d> positions, std::shared_ptr<MatrixX3d> velocities) {
  x_ = std::move(positions), u_ = std::move(velocities);
  look();
}

void Stepper::on_state_set() {
  budget_.set_system(*simulation_.system, simulation_.state);
  now_ = record(now_.report, now_.step_ms);
}

void Stepper::set_step_length() {
  start_ = simulation_.state.t;
  first_ = steps_;
}

void Stepper::archive(Archive& archive) {
  archive(start_, first_, simulation_.state);
  archive.mark("books");
  archive(budget_, check_);
  archive.mark("engine");
  if (const auto& engine = simulation_.system->engine()) engine->archive(archive);
}

void Stepper::go_on(int steps) {
  steps_ = steps;
  budget_.go_on(*simulation_.system, simulation_.state);
  now_ = record({}, 0);
}

void Stepper::look() {
  simulation_.system->positions(simulation_.state.t, simulation_.state.q, *x_);
  simulation_.system->velocities(simulation_.state.t, simulation_.state.v, *u_);
}

StepRecord Stepper::record(const StepReport& report, double step_ms) {
  const State& state = simulation_.state;
  look();
  StepRecord now;
  now.step = steps_;
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

}  // namespace brio
