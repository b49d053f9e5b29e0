#include "brio/integrate/methods/ere.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/integrate/methods/si.hpp"
#include "brio/integrate/parts/contact_after.hpp"

#include <algorithm>

namespace brio {

namespace {

constexpr Extra kSubsteps{"substeps", "pieces that exponentials were cut into", ""};
constexpr Extra kMatvecs{"matvecs", "products with the stiffness that exponentials needed", ""};
constexpr Extra kError{"exponential_error", "largest estimated error of an exponential, as a share of the speed", "",
                       Extra::Over::largest, Extra::Value::number};
constexpr Extra kMethod{
    "exponential_method",  "how exponentials were computed", "", Extra::Over::last, Extra::Value::choice,
    {"arnoldi", "lanczos", "chebyshev"}};
constexpr std::string_view kLastWay = "last way";

/// The place of a path in the choices of kMethod.
int method_choice(ExponentialPath path) {
  return path == ExponentialPath::arnoldi ? 0 : path == ExponentialPath::lanczos ? 1 : 2;
}

}  // namespace

void Ere::prepare(const System& system) {
  system_ = &system;
  lin_ = system.linearization();
  const bool proportional = lin_->proportional_damping().has_value(), blocks = lin_->blocks().has_value();
  if (path_ == ExponentialPath::lanczos && !proportional)
    throw Error(
        "integrator.path = lanczos: the damping matrix is no combination of mass and current stiffness; take path auto "
        "or arnoldi, or damp with the current stiffness");
  if (path_ == ExponentialPath::chebyshev && !blocks)
    throw Error(
        "integrator.path = chebyshev: the stiffness of bones and condensed bodies is no matrix of blocks; take path "
        "auto, arnoldi or lanczos");
  taken_ = path_;
  if (path_ == ExponentialPath::automatic) {
    // Lanczos' process ends after as many products as there are unknowns, and is exact then.
    constexpr Index kFewUnknowns = 12;
    const bool few = proportional && system.dofs() <= kFewUnknowns;
    taken_ = blocks && !few ? ExponentialPath::chebyshev
             : proportional ? ExponentialPath::lanczos
                            : ExponentialPath::arnoldi;
  }
  if (taken_ == ExponentialPath::chebyshev && !proportional) damped_.prepare(*lin_->blocks(), system.mass());
  const bool framed = frame_policy_ == FramePolicy::automatic && !system.free_pieces().empty();
  frames_ = framed ? std::make_unique<MovingFrames>(system) : nullptr;
}

/// Makes velocity_ and force_ those that are seen in frames which move with the free pieces, and says whether it did.
/// While anything touches a piece, all are stepped in space: the momentum of what is touched comes from the step.
bool Ere::enter_frames(const State& state, double h) {
  if (!frames_) return false;
  const OutsideForces& outside = lin_->outside();
  const auto touched = [](const Mat3& stiffness) { return !stiffness.isZero(0); };
  if (std::any_of(outside.stiffness.begin(), outside.stiffness.end(), touched)) return false;
  frames_->enter(state, outside, h, velocity_);
  return true;
}

StepReport Ere::step(State& state, double h) {
  const System& system = *system_;
  StepReport report;
  Stopwatch watch;
  // Supports, obstacles and loads that change with time are taken from the middle of the step: second order, as the
  // method is for all else. The stiffness is the true one, definite or not.
  const double t = state.t + h / 2;
  // Half of the last way, not (h/2) v: a velocity of what is faster than the steps would lead far off.
  const Remembered* last = find_remembered(state.memory, kLastWay);
  const bool ahead = where_ == LinearizedAt::ahead && last && last->values.size() == state.q.size();
  linearized_at_ = state.q;
  if (ahead) {
    ahead_ = 0.5 * last->values;
    linearized_at_ += ahead_;
  }
  lin_->assemble(t, linearized_at_, Psd::none, gradient_);
  system.load(t, linearized_at_, state.v, load_);
  force_ = load_ - gradient_;
  velocity_ = state.v;
  const bool framed = enter_frames(state, h);
  if (ahead) {  // f(q*) + K (q* - q)
    lin_->multiply_stiffness(ahead_, product_);
    force_ += product_;
  }
  if (framed) frames_->add_forces(state, lin_->outside(), load_, 0, force_);
  if (system.has_damping()) {
    lin_->multiply_damping(velocity_, product_);
    force_ -= product_;
  }
  report.time.assembly = watch.lap();
  const auto diverged = [&](std::string reason) {
    report.status = StepStatus::diverged;
    report.reason = std::move(reason);
  };
  const std::string not_finite = "positions or velocities are no longer finite";
  if (!(force_.allFinite() && velocity_.allFinite())) {
    diverged(not_finite);
    return report;
  }
  const KrylovOutcome outcome = advance({*lin_, system.mass(), velocity_, force_}, h, report);
  report.time.solve = watch.lap();
  report.extras.set(kSubsteps, outcome.substeps);
  report.extras.set(kMatvecs, outcome.matvecs);
  report.extras.set(kError, outcome.error);
  if (!outcome.ok)
    diverged(outcome.reason);
  else if (!(dq_.allFinite() && dv_.allFinite()))
    diverged(not_finite);
  if (report.status != StepStatus::ok) return report;
  if (system.has_damping()) report.dissipated = dissipated();
  next_.q = state.q + dq_;
  next_.v = state.v + dv_;
  if (framed) {
    frames_->leave(state, *lin_, h, 0, dq_, dv_, next_);
    if (system.has_damping()) report.dissipated += frames_->damping_work(lin_->outside(), h, dq_) / h;
  }
  if (where_ == LinearizedAt::ahead) {
    state.memory.resize(1);
    state.memory[0] = {std::string(kLastWay), Remembered::Kind::directions, 1, dq_};
    if (framed) frames_->turn(state.memory[0].values);
  }
  state.q.swap(next_.q);
  state.v.swap(next_.v);
  state.t += h;
  report.time.other = watch.lap();
  return report;
}

KrylovOutcome Ere::advance(FrozenMotion motion, double h, StepReport& report) {
  report.extras.set(kMethod, method_choice(taken_));
  if (taken_ == ExponentialPath::arnoldi) return arnoldi_.advance(motion, h, dq_, dv_);
  const auto damping = lin_->proportional_damping();
  if (taken_ == ExponentialPath::lanczos) return lanczos_.advance(motion, *damping, h, dq_, dv_);
  if (damping) return chebyshev_.advance(motion, lin_->blocks()->K, *damping, h, dq_, dv_);
  return damped_.advance(motion, *lin_->blocks(), h, dq_, dv_);
}

/// What D takes out of the frozen motion, exactly: the work of the force without D, less what is left of it in motion
/// and in the quadratic part of the potential.
double Ere::dissipated() {
  lin_->multiply_damping(velocity_, product_);
  const double work = dq_.dot(force_ + product_);
  lin_->multiply_stiffness(dq_, product_);
  const double kinetic = dv_.dot(system_->mass().cwiseProduct(velocity_ + 0.5 * dv_));
  return work - 0.5 * dq_.dot(product_) - kinetic;
}

IntegratorEntry Ere::entry() {
  IntegratorEntry row = {
      {"ere",
       "exponential Rosenbrock-Euler: the linearized motion exactly, no artificial damping, dear for stiff bodies",
       {Option::number("tolerance", "", "error of a step's exponential as a share of the speed, in the energy norm")
            .with_default(1e-7)
            .at_least(1e-13)
            .below(1),
        Option::integer("space", "vectors of a Krylov space before the step is cut into sub-steps")
            .with_default(40.0)
            .at_least(4)
            .at_most(200),
        Option::integer("substeps", "sub-steps that one step may need before it counts as failed")
            .with_default(500.0)
            .at_least(1)
            .at_most(100000),
        Option::choice("path", {"auto", "arnoldi", "lanczos", "chebyshev"},
                       "how the exponential is computed: lanczos needs damping that is a combination of mass and "
                       "current stiffness, chebyshev and arnoldi take any; auto is chebyshev, but for bones, "
                       "condensed bodies and up to four vertices")
            .with_default("auto"),
        linearize_option(), frame_option()}},
      [](const Options& o) {
        const std::string& path = o.text("path");
        auto method =
            std::make_unique<Ere>(KrylovLimits{o.number("tolerance"), o.integer("space"), o.integer("substeps")},
                                  path == "auto"      ? ExponentialPath::automatic
                                  : path == "arnoldi" ? ExponentialPath::arnoldi
                                  : path == "lanczos" ? ExponentialPath::lanczos
                                                      : ExponentialPath::chebyshev,
                                  frame_policy(o), linearized_at(o));
        return with_contact_after(std::move(method), ContactAnswer::stiffness, 1,
                                  std::make_unique<SemiImplicitEuler>(1, PsdPolicy::automatic));
      },
      [](const Options&, double) { return 1.0; },
      true,
      {kSubsteps, kMatvecs, kError, kMethod},
      {},
      [](const Options& o) {
        return CondensedStepping{false, frame_policy(o) == FramePolicy::automatic};
      }};
  row.matrices = [](const Options&) { return MatrixUse::none; };
  return row;
}

}  // namespace brio
