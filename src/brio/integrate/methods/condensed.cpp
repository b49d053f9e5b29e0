#include "brio/integrate/methods/condensed.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/optimize/relax.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

void add(const CondensationReport& from, StepReport& to) {
  to.factorizations += from.factorizations;
  to.projections += from.projections;
  to.shifts += from.shifts;
  to.solves += from.solves;
  to.time.assembly += from.assembly_s;
  to.time.factor += from.factor_s;
  to.time.solve += from.solve_s;
}

void add(const RelaxReport& from, StepReport& to) {
  to.iterations += from.iterations;
  to.factorizations += from.factorizations;
  to.projections += from.projections;
  to.shifts += from.shifts;
  to.solves += from.iterations;
  to.unconverged += from.converged ? 0 : 1;
  to.time.assembly += from.assembly_s;
  to.time.factor += from.factor_s;
  to.time.solve += from.solve_s;
}

// What an adaptive run remembers: the numbers of the nodes that are dynamic, the rates of the steps in the window, and
// how fast the quasistatic points came to rest.
constexpr std::string_view kAwakeNodes = "dynamic nodes", kRates = "rates of stretching",
                           kSettling = "velocity of settling";

void diverge(StepReport& report, const std::string& reason) {
  report.status = StepStatus::diverged;
  report.reason = reason;
}

}  // namespace

CondensedIntegrator::CondensedIntegrator(MakeIntegrator make_inner, CondensationOptions options, DynamicNodes nodes,
                                         std::shared_ptr<const StretchRate> regions)
    : make_inner_(std::move(make_inner)),
      options_(std::move(options)),
      nodes_(std::move(nodes)),
      regions_(std::move(regions)),
      awake_(nodes_.chosen.size(), 1) {
  if (options_.adaptive && (!regions_ || regions_->regions() != static_cast<int>(nodes_.chosen.size())))
    throw Error("adaptive condensation needs a region for each of its {} nodes", nodes_.chosen.size());
}

void CondensedIntegrator::prepare(const System& system) {
  condensed_ = std::make_unique<CondensedSystem>(system, std::vector<int>());
  const bool framed = options_.stepping.frames && !system.free_pieces().empty();
  frames_ = framed ? std::make_unique<MovingFrames>(system) : nullptr;
  awake_.assign(nodes_.chosen.size(), 1);
  h_ = 0;
  set_boundary();
}

StepReport CondensedIntegrator::step(State& state, double h) {
  Stopwatch watch;
  StepReport report;
  if (options_.adaptive) choose_nodes(state, report);
  if (bound_awake_ != awake_) set_boundary();
  report.extras.set(kDynamicNodes, static_cast<double>(condensed_->boundary_points().size()));
  attempt(state, h, options_.stepping.clamp, report);
  if (!condensed_->projected() && (report.status != StepStatus::ok || gained_energy(state))) {
    ++report.projections;
    report.status = StepStatus::ok;
    report.reason.clear();
    report.dissipated = 0;
    attempt(state, h, true, report);
  }
  if (report.status == StepStatus::ok) {
    if (options_.adaptive) remember(h);
    std::swap(state, next_);
    h_ = h;
  }
  report.time.other += watch.lap() - report.time.total();
  return report;
}

void CondensedIntegrator::on_velocity_impulse(State& state, const VectorXd&) {
  if (h_ == 0 || condensed_->dofs() == 0) return;
  if (condensed_->framed()) return;  // the body has turned away from its J, and the next step takes what it can
  VectorXd xi;
  constexpr double kBeta = 0.5;  // as in the paper
  condensed_->project(state.v, kBeta * h_ * h_, xi);
  condensed_->lift(xi, state.v);
}

void CondensedIntegrator::attempt(const State& state, double h, bool clamp, StepReport& report) {
  // Supports and obstacles where they are at the end of the step, as the linearly implicit methods have them.
  velocity_ = state.v;
  FrameForces frames;
  if (frames_)
    frames = [&](const OutsideForces& outside, const VectorXd& load, VectorXd& force) {
      return enter_frames(state, h, outside, load, force);
    };
  const CondensationReport condensing = condensed_->rebase(state.t + h, state.q, state.v, h, clamp, frames);
  add(condensing, report);
  if (!condensing.ok) {
    diverge(report, "the stiffness of the quasistatic points cannot be factored: the state is not finite");
    return;
  }
  advance(state, h, report);
  if (report.status == StepStatus::ok) correct(state.t, report);
  if (report.status == StepStatus::ok && condensed_->framed()) leave_frames(state, h);
}

/// As for the whole body (docs/free-bodies.md), but for contact: what a piece then feels from outside is known only to
/// the method that takes it implicitly, in coordinates that are no points.
bool CondensedIntegrator::enter_frames(const State& state, double h, const OutsideForces& outside, const VectorXd& load,
                                       VectorXd& force) {
  for (const Points& piece : condensed_->full().free_pieces())
    for (int i : piece)
      if (!outside.stiffness[i].isZero(0)) return false;
  frames_->enter(state, outside, h, velocity_);
  frames_->add_forces(state, outside, load, h, force);
  return true;
}

void CondensedIntegrator::leave_frames(const State& state, double h) {
  step_ = next_.q - state.q;
  const VectorXd change = next_.v - velocity_;
  frames_->leave(state, condensed_->full_linearization(), h, h, step_, change, next_);
  frames_->turn(correction_);
  after_ = condensed_->full().potentials(next_.t, next_.q);
}

/// Whether the step made energy from nothing: a nearly singular K_qq, as of a bar about to buckle, throws the
/// quasistatic points far. As in linearly_implicit.cpp, contact is left out.
bool CondensedIntegrator::gained_energy(const State& state) const {
  constexpr double kTolerated = 0.05;  // of the energy in motion and strain
  const VectorXd& mass = condensed_->full().mass();
  const auto kinetic = [&](const VectorXd& v) { return 0.5 * v.dot(mass.cwiseProduct(v)); };
  const Potentials before = condensed_->potentials(next_.t, VectorXd::Zero(condensed_->dofs()));
  const double moving = kinetic(next_.v) + after_.elastic, work = load_.dot(next_.q - state.q);
  const double gain = moving + after_.gravity - kinetic(state.v) - before.elastic - before.gravity - work;
  const double round_off =
      condensed_->energy_round_off() + 1e-13 * (std::fabs(before.gravity) + std::fabs(before.elastic) + std::fabs(work));
  return !(gain <= kTolerated * moving + round_off);
}

/// Switches in place: the pattern and its analysis stay, the integrator starts anew in its new coordinates.
void CondensedIntegrator::set_boundary() {
  const PinnableLinearization& lin = condensed_->full_linearization();
  std::vector<int> points;
  for (int vertex : nodes_.anchors) points.push_back(lin.point_of(vertex));
  for (size_t i = 0; i < awake_.size(); ++i)
    if (awake_[i]) points.push_back(lin.point_of(nodes_.chosen[i]));
  condensed_->set_boundary(std::move(points));
  inner_ = make_inner_();
  inner_->prepare(*condensed_);
  bound_awake_ = awake_;
}

/// [CONJAC] section 3.1: the mean rate of stretching around each node, averaged over past steps. Corrections of the
/// quasistatic points are motion as well, or else a body that sleeps would never wake up.
void CondensedIntegrator::choose_nodes(const State& state, StepReport& report) {
  const System& system = condensed_->full();
  const Index nodes = static_cast<Index>(awake_.size());
  const Remembered* awake_before = find_remembered(state.memory, kAwakeNodes);
  const Remembered* rates = find_remembered(state.memory, kRates);
  const Remembered* settling = find_remembered(state.memory, kSettling);
  const bool fits = awake_before && rates && settling && rates->values.size() == nodes * rates->columns &&
                    settling->values.size() == system.dofs();
  std::fill(awake_.begin(), awake_.end(), 0);
  if (fits)
    for (double node : awake_before->values)
      if (node < static_cast<double>(nodes)) awake_[static_cast<size_t>(node)] = 1;
  system.positions(state.t, state.q, x_);
  system.velocities(state.t, fits ? state.v + settling->values : state.v, u_);
  regions_->measure(x_, u_, rate_);
  const Index kept = fits ? std::min<Index>(rates->values.size(), (options_.adaptive->window - 1) * nodes) : 0;
  rates_.resize(kept + nodes);
  rates_ << (fits ? rates->values.tail(kept) : VectorXd(0)), rate_;
  const VectorXd mean = rates_.reshaped(nodes, rates_.size() / std::max<Index>(1, nodes)).rowwise().mean();
  const double threshold = options_.adaptive->threshold, asleep = (1 - options_.adaptive->hysteresis) * threshold;
  report.extras.set(kSwitches, 0);
  for (Index i = 0; i < nodes; ++i) {
    const char awake = mean[i] >= (awake_[i] ? asleep : threshold);
    if (fits && awake != awake_[i]) report.extras.add(kSwitches, 1);
    awake_[i] = awake;
  }
  report.liveliness.assign(mean.begin(), mean.end());
  report.awake = awake_;
}

void CondensedIntegrator::remember(double h) {
  const int steps = static_cast<int>(rates_.size() / std::max<Index>(1, static_cast<Index>(awake_.size())));
  std::vector<double> awake;
  for (size_t i = 0; i < awake_.size(); ++i)
    if (awake_[i]) awake.push_back(static_cast<double>(i));
  using Kind = Remembered::Kind;
  next_.memory = {
      {std::string(kAwakeNodes), Kind::numbers, 1,
       Eigen::Map<const VectorXd>(awake.data(), static_cast<Index>(awake.size()))},
      {std::string(kRates), Kind::numbers, steps, rates_},
      {std::string(kSettling), Kind::directions, 1, correction_ / h},
  };
}

void CondensedIntegrator::advance(const State& state, double h, StepReport& report) {
  next_.memory.clear();
  if (condensed_->dofs() == 0) {
    next_.t = state.t + h;
    next_.q = state.q;
    next_.v.setZero(state.v.size());
    small_.q.resize(0);
    return;
  }
  // The integrator's memory is in the coordinates of the last step, so that it is left behind.
  small_.t = state.t;
  small_.q.setZero(condensed_->dofs());
  condensed_->project(velocity_, small_.v);
  small_.memory.clear();
  // What the nodes of this step cannot do is lost: J has turned since the last one.
  const double projected =
      0.5 * (velocity_.dot(condensed_->full().mass().cwiseProduct(velocity_)) - small_.v.squaredNorm());
  const StepReport inner = inner_->step(small_, h);
  report += inner;
  report.status = inner.status;
  report.reason = inner.reason;
  report.dissipated = inner.dissipated + projected;
  report.deepest_halving = inner.deepest_halving;
  report.residual = inner.residual;
  if (report.status != StepStatus::ok) return;
  next_.t = small_.t;
  condensed_->lift(small_.q, next_.q);
  next_.q += state.q;
  condensed_->lift(small_.v, next_.v);
}

/// The quasistatic points on their way to rest. What this changes in potential energy is booked as dissipated, less the
/// work that loads do on the way, for the books have that already. t is the beginning of the step.
void CondensedIntegrator::correct(double t, StepReport& report) {
  const System& full = condensed_->full();
  const double before = condensed_->dofs() > 0 ? condensed_->potentials(next_.t, small_.q).total()
                                               : full.potentials(next_.t, next_.q).total();
  if (options_.newton) {
    correction_ = next_.q;
    add(relax(full, condensed_->full_linearization(), next_.t, condensed_->boundary_points(), {}, next_.q), report);
    correction_ = next_.q - correction_;
    full.load(next_.t, next_.q, next_.v, load_);
    after_ = full.potentials(next_.t, next_.q);
  } else {
    // Halved where it would raise the energy by more than the gain that it promises and what following a support may
    // cost, and left out in the end: then the linearization is worth nothing there.
    constexpr double kShortest = 1e-3;
    condensed_->settle(options_.gamma, settling_);
    full.load(next_.t, next_.q, next_.v, load_);
    step_.swap(next_.q);
    for (double part = 1;; part /= 2) {
      if (part < kShortest) part = 0;
      correction_ = part * settling_.way;
      next_.q = step_ + correction_;
      after_ = full.potentials(next_.t, next_.q);
      const double raised = after_.total() - before - load_.dot(correction_) + part * settling_.rigid_work;
      const double expected = part * (settling_.slope + 0.5 * part * settling_.curvature);
      const double allowed = part * settling_.newton_gain + std::max(0.0, expected);
      if (part == 0 || raised <= allowed + 1e-13 * std::fabs(before)) break;
    }
  }
  double taken = before - after_.total();
  if (full.time_dependent()) {
    // Supports move while the points follow, not before: the mean over supports at both ends of the step, which is the
    // trapezoidal rule by which the books have the work of the supports.
    step_ = next_.q - correction_;
    taken = 0.5 * (taken + full.potentials(t, step_).total() - full.potentials(t, next_.q).total());
  }
  report.dissipated += taken + load_.dot(correction_);
  if (condensed_->framed()) report.dissipated -= condensed_->rigid_force().dot(correction_);
  if (!(next_.q.allFinite() && next_.v.allFinite() && std::isfinite(after_.total())))
    diverge(report, "positions or velocities are no longer finite");
}

}  // namespace brio
