#include "brio/integrate/methods/stabilized.hpp"

#include "brio/core/log.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/integrate/methods/explicit.hpp"
#include "brio/integrate/parts/rigid_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr Extra kBlend{"blend", "share of backward Euler or, negative, of forward Euler", "", Extra::Over::curve,
                       Extra::Value::number};
constexpr Extra kBlended{"blended", "steps with another method mixed in", "", Extra::Over::sum, Extra::Value::count,
                         {},        {"blended with another method"}};
constexpr Extra kMeanBlend{"mean_blend", "mean share of another method", "", Extra::Over::mean, Extra::Value::number};

/// What is carried from step to step, in State::memory[0] before what the base remembers.
struct Books {
  double target;  ///< H_total: the energy that the body should have [J]
  double last;    ///< the energy that it had after the last step [J]
  double lowest;  ///< the lowest potential energy seen, with flying_energy() [J]

  static constexpr std::string_view kName = "energy books";
  static bool in(const std::vector<Remembered>& memory) { return !memory.empty() && memory[0].name == kName; }
  static Books read(const VectorXd& values) { return {values[0], values[1], values[2]}; }
  Remembered written() const { return {std::string(kName), Remembered::Kind::numbers, 1, Vec3(target, last, lowest)}; }
};

/// Kinetic energy of the centers of free pieces that nothing touches. Together with their weight's it stays as it is:
/// what a body gains by falling is nothing that could move within it [J].
double flying_energy(const System& system, const Potentials& potentials, const VectorXd& v) {
  if (potentials.contact != 0) return 0;
  double sum = 0;
  for (const Points& points : system.free_pieces())
    sum += 0.5 * total_mass(points, system.mass()) * mean(points, system.mass(), v).squaredNorm();
  return sum;
}

void set_motion(const State& from, State& to) {
  to.t = from.t;
  to.q = from.q;
  to.v = from.v;
  ContactSet::copy_memory(from, to);
}

/// The rest of the time is on the step's own watch.
void add_work(const StepReport& from, StepReport& to) {
  const double other = to.time.other;
  to += from;
  to.time.other = other;
  to.deepest_halving = std::max(to.deepest_halving, from.deepest_halving);
  to.residual = std::max(to.residual, from.residual);
}

/// Where the parabola through three points, the first positive and the second not, is zero between those two; not a
/// number where one of them is infinite.
double root_of_parabola(double low, double e_low, double high, double e_high, double third, double e_third) {
  const double slope = (e_high - e_low) / (high - low);
  const double curvature = ((e_third - e_high) / (third - high) - slope) / (third - low);
  const double at_low = slope - curvature * (high - low);
  return low + 2 * e_low / (std::sqrt(at_low * at_low - 4 * curvature * e_low) - at_low);
}

/// Where the parabola with this value and slope at 0 and the value e at x is zero first; not a number where it never
/// is.
double root_from_tangent(double value, double slope, double x, double e) {
  const double curvature = (e - value - slope * x) / (x * x);
  return 2 * value / (std::sqrt(slope * slope - 4 * curvature * value) - slope);
}

/// No less than a millimeter a second of the whole mass [J]: at rest, nothing is to be told from round-off.
double least_scale(const System& system) { return 0.5 * 1e-6 * system.mass().sum() / 3; }

}  // namespace

Stabilized::Stabilized(std::unique_ptr<Integrator> base, std::unique_ptr<ImplicitIntegrator> backward, double epsilon)
    : base_(std::move(base)), forward_(forward_euler().make({})), backward_(std::move(backward)), epsilon_(epsilon) {}

void Stabilized::prepare(const System& system) {
  system_ = &system;
  base_->prepare(system);
  forward_->prepare(system);
  backward_->prepare(system);
  known_ = {};
}

StepReport Stabilized::step(State& state, double h) {
  const System& system = *system_;
  Stopwatch watch;
  const Potentials potentials_before =
      known_.is_at(system, state) ? known_.potentials : system.potentials(state.t, state.q);
  const double potential_before = potentials_before.total(), before = kinetic(state.v) + potential_before;
  const double lowest_before = potential_before + flying_energy(system, potentials_before, state.v);
  Books books{before, before, lowest_before};
  set_motion(state, end_);
  if (Books::in(state.memory)) {
    books = Books::read(state.memory[0].values);
    // Whatever was done to the body between the steps (lines 5 to 8 and 17 to 20): friction, damping, a cut, a hand.
    books.target += before - books.last;
    end_.memory.assign(state.memory.begin() + 1, state.memory.end());
  } else if (!state.memory.empty()) {
    log_warning("the integrator's memory is that of another method; it starts anew");
  }

  StepReport report = base_->step(end_, h);
  double blend = 0;
  if (report.status != StepStatus::ok) {
    blend = 1;
    if (!take_backward(state, h, report)) return report;
  }
  at_base_.t = end_.t;
  at_base_.q = end_.q;
  at_base_.potentials = system.potentials_and_gradient(end_.t, end_.q, at_base_.gradient);
  potentials_ = at_base_.potentials;
  const double before_step = books.target;
  outside_.begin(system, state, potential_before, end_.t);
  const auto set_target = [&] {
    books.target = before_step + outside_.until(end_, potentials_.total()) - report.dissipated;
  };
  set_target();
  const double lowest_after = potentials_.total() + flying_energy(system, potentials_, end_.v);
  books.lowest = std::min({books.lowest, lowest_before, std::isfinite(lowest_after) ? lowest_after : lowest_before});
  // Equation 24 measures by H(x_n, v_n), which supposes that no potential energy is negative. The energy above the
  // lowest potential is the same there and does not depend on where heights are counted from.
  const Goal goal{books.target, epsilon_ * std::max(books.target - books.lowest, least_scale(system))};
  const double miss = kinetic(end_.v) + potentials_.total() - books.target;
  if (blend == 0 && !(std::fabs(miss) <= goal.tolerance)) {
    const bool too_low = miss < 0;
    set_motion(state, other_);
    const StepReport other = too_low
                                 ? forward_->step(other_, h)
                                 : backward_->step_from(other_, h, end_.q.allFinite() ? end_.q : state.q, &at_base_);
    add_work(other, report);
    if (other.status == StepStatus::ok) {
      const double share = mix(goal, miss, too_low ? 0 : 1);
      blend = too_low ? -share : share;
      if (share > 0) set_target();  // the same work where the body really went
    }
  }
  if (!(end_.q.allFinite() && end_.v.allFinite())) {
    report.status = StepStatus::diverged;
    report.reason = "positions or velocities are no longer finite";
    return report;
  }
  report.extras.set(kBlend, blend);
  report.extras.set(kBlended, blend != 0 ? 1 : 0);
  report.extras.set(kMeanBlend, std::fabs(blend));
  books.last = kinetic(end_.v) + potentials_.total();
  books.lowest = std::min(books.lowest, potentials_.total() + flying_energy(system, potentials_, end_.v));
  end_.memory.insert(end_.memory.begin(), books.written());
  std::swap(state, end_);
  known_.t = state.t;
  known_.q = state.q;
  known_.potentials = potentials_;
  report.time.other = 0;
  report.time.other = watch.lap() - report.time.total();
  return report;
}

bool Stabilized::take_backward(const State& state, double h, StepReport& report) {
  set_motion(state, end_);
  StepReport backward = backward_->step(end_, h);
  add_work(report, backward);
  report = backward;
  return report.status == StepStatus::ok;
}

double Stabilized::mix(const Goal& goal, double miss, double without_root) {
  constexpr int kTries = 50;
  way_ = other_.q - end_.q;
  speed_up_ = other_.v - end_.v;
  const double sign = miss < 0 ? -1 : 1;
  const double k0 = kinetic(end_.v), k2 = kinetic(speed_up_);
  const double k1 = end_.v.dot(system_->mass().cwiseProduct(speed_up_));
  // How far the mixture is from the target on the side of the base. What overflows has too much energy.
  Potentials potentials_at_q;
  const auto beyond = [&](double share) {
    q_ = end_.q + share * way_;
    potentials_at_q = system_->potentials(end_.t, q_);
    const double e = sign * (potentials_at_q.total() + k0 + share * (k1 + share * k2) - goal.target);
    return std::isfinite(e) ? e : sign * std::numeric_limits<double>::infinity();
  };
  // The energy is nearly a parabola along the way: two evaluations do as a rule where halving takes ten. The first
  // trial is where the tangent would be zero, the second where the parabola would that the first has bent; the others
  // go through three points. Every fourth trial halves, so that the bracket shrinks whatever the energy does.
  const double value = sign * miss, slope = sign * (at_base_.gradient.dot(way_) + k1);
  double low = 0, e_low = value, high = 1, e_high = 0, third = 0, e_third = value, share = 0, next = -value / slope;
  bool passed = false;  // the target lies between low and high
  for (int i = 0; i < kTries; ++i) {
    share = next > low && next < high ? next : passed ? 0.5 * (low + high) : 1;
    const double e = beyond(share);
    if (std::fabs(e) <= goal.tolerance) break;
    if (e > 0 && share == 1) {
      share = without_root;
      break;
    }
    double& end = e > 0 ? low : high;
    double& e_end = e > 0 ? e_low : e_high;
    if (passed || e > 0) third = end, e_third = e_end;
    end = share, e_end = e;
    passed = passed || e <= 0;
    if (i == 0)
      next = root_from_tangent(value, slope, share, e);
    else
      next = passed && i % 4 != 3 ? root_of_parabola(low, e_low, high, e_high, third, e_third) : high;
  }
  if (share == 0) return 0;
  end_.q.swap(q_);  // where the potential was evaluated last
  potentials_ = potentials_at_q;
  end_.v += share * speed_up_;
  // What the base remembers belongs to where it led; it begins anew from here. Springs are where they are.
  ContactSet::copy_memory(other_, end_);
  return share;
}

IntegratorEntry Stabilized::entry() {
  std::vector<Option> options = {
      Option::choice("base", {"im", "trapezoid", "se"},
                     "what is stabilized: the implicit midpoint rule, the trapezoidal rule or symplectic Euler")
          .with_default("im"),
      Option::number("epsilon", "", "how far the energy may be off, as a share of the energy that can move")
          .with_default(0.01)
          .above(0)
          .at_most(1),
      Option::integer("correction_iterations",
                      "of the backward Euler step that is mixed in; without it 1 for the quasi-Newton solvers, as many "
                      "as in any step for the Newton ones")
          .at_least(1)
          .optional()};
  for (Option& option : stage_options()) options.push_back(std::move(option));
  IntegratorEntry row = {
      {"stabilized", "implicit midpoint, mixed with backward or forward Euler so that the energy stays", options},
      [](const Options& o) {
        std::unique_ptr<Integrator> base;
        if (o.text("base") == "se")
          base = symplectic_euler().make({});
        else
          base = make_implicit(o.text("base") == "im" ? implicit_midpoint_scheme() : trapezoidal_scheme(), o);
        return std::make_unique<Stabilized>(std::move(base), make_corrector(backward_euler_scheme(), o),
                                            o.number("epsilon"));
      },
      // of im and of the trapezoidal rule; where symplectic Euler would grow, the blend keeps the energy as well
      [](const Options&, double) { return 1.0; }};
  row.restartable = false;  // the energy that it aims at is that of all past steps
  row.extras = {kBlend, kBlended, kMeanBlend, kUnsolved};
  row.remedy = stage_remedy;
  row.warning = stage_warning;
  row.matrices = stage_matrices;
  return row;
}

}  // namespace brio
