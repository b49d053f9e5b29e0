// The classical implicit methods as stages (see optimize/stage_problem.hpp for the letters).

#include "brio/integrate/methods/implicit_scheme.hpp"
#include "brio/linalg/dense.hpp"

#include <Eigen/LU>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>

namespace brio {
namespace {

/// y = q1, w = v1: M (v1 - v0) / h = f(q1, v1), q1 = q0 + h v1.
class BackwardEuler : public ImplicitScheme {
 public:
  std::span<const std::string_view> memory() const override { return {}; }
  bool starts_from_acceleration() const override { return false; }
  void make_stage(const State& state, double h, Stage& stage) const override {
    stage.t = state.t + h;
    stage.s = stage.c = h;
    stage.y_hat = stage.y0 = state.q + h * state.v;
    stage.w0 = state.v;
    stage.end0.setZero(state.q.size());
  }
  void finish(const Stage& stage, const VectorXd& y, const VectorXd& w, const VectorXd&, double,
              State& state) const override {
    state.q = y;
    state.v = w;
    state.t = stage.t;
  }
};

/// y and w at the middle: a backward Euler stage of half the step, extrapolated. Keeps quadratic invariants, angular
/// momentum among them.
class ImplicitMidpoint : public ImplicitScheme {
 public:
  std::span<const std::string_view> memory() const override { return {}; }
  bool starts_from_acceleration() const override { return false; }
  void make_stage(const State& state, double h, Stage& stage) const override {
    stage.t = state.t + h / 2;
    stage.s = stage.c = h / 2;
    stage.y_hat = stage.y0 = state.q + h / 2 * state.v;
    stage.w0 = state.v;
    stage.end0 = -state.q;
    stage.end_rate = 2;
    stage.contact = ContactForce::mean;
  }
  void finish(const Stage&, const VectorXd& y, const VectorXd& w, const VectorXd&, double h,
              State& state) const override {
    state.q = 2 * y - state.q;
    state.v = 2 * w - state.v;
    state.t += h;
  }
};

/// Two-step backward differentiation for steps of any lengths, started by backward Euler. With r = h / h_before,
/// x1 = ((1 + r)^2 x0 - r^2 x_before) / (1 + 2 r) + h (1 + r) / (1 + 2 r) x1', for positions and for velocities.
class Bdf2 : public ImplicitScheme {
 public:
  std::span<const std::string_view> memory() const override { return kNames; }
  bool starts_from_acceleration() const override { return false; }
  void make_stage(const State& state, double h, Stage& stage) const override {
    stage.t = state.t + h;
    stage.end0.setZero(state.q.size());
    if (state.memory.empty()) {
      stage.s = stage.c = h;
      stage.y_hat = stage.y0 = state.q + h * state.v;
      stage.w0 = state.v;
      return;
    }
    const double r = h / length_before(state), now = (1 + r) * (1 + r) / (1 + 2 * r), before = r * r / (1 + 2 * r);
    stage.s = stage.c = h * (1 + r) / (1 + 2 * r);
    stage.w0 = now * state.v - before * state.memory[kVelocities].values;
    stage.y_hat = stage.y0 = now * state.q - before * state.memory[kPositions].values + stage.s * stage.w0;
  }
  void finish(const Stage& stage, const VectorXd& y, const VectorXd& w, const VectorXd&, double h,
              State& state) const override {
    state.memory.resize(kNames.size());
    for (size_t i = 0; i < kNames.size(); ++i) state.memory[i].name = kNames[i];
    state.memory[kPositions].values.swap(state.q);
    state.memory[kVelocities].values.swap(state.v);
    state.memory[kVelocities].kind = Remembered::Kind::directions;
    state.memory[kLength].values.setConstant(1, h);
    state.q = y;
    state.v = w;
    state.t = stage.t;
  }
  /// The step before becomes one that the body would have made with the new velocity.
  void on_velocity_impulse(State& state, const VectorXd& dv) const override {
    if (state.memory.empty()) return;
    state.memory[kPositions].values -= length_before(state) * dv;
    state.memory[kVelocities].values += dv;
  }
  void on_displacement(State& state, const VectorXd& dq) const override {
    if (!state.memory.empty()) state.memory[kPositions].values += dq;
  }

 private:
  /// Of the step before. Positions are points, not directions.
  static constexpr std::array<std::string_view, 3> kNames = {"positions before", "velocities before", "step before"};
  enum { kPositions, kVelocities, kLength };
  static double length_before(const State& state) { return state.memory[kLength].values[0]; }
};

struct NewmarkCoefficients {
  double beta, gamma, alpha_m, alpha_f;
};

/// Newmark and generalized alpha (Chung and Hulbert 1993): with the predictors
/// p = q0 + h v0 + h^2 (1/2 - beta) a0 and u = v0 + h (1 - gamma) a0,
/// q1 = p + beta h^2 a1, v1 = u + gamma h a1, and M ((1 - alpha_m) a1 + alpha_m a0) = f at (1 - alpha_f) x1 + alpha_f
/// x0. The stage is that weighted point; Newmark is alpha_m = alpha_f = 0. Obstacles push with one force c for the
/// whole step, outside of the remembered acceleration (Kane et al. 1999): q1 += h^2 c / 2, v1 += h c. In the stage,
/// where a1 is (q1 - p) / (beta h^2) - c / (2 beta), that makes (1 - alpha_m) / (2 beta) of it.
class Newmark : public ImplicitScheme {
 public:
  explicit Newmark(const NewmarkCoefficients& coefficients) : k_(coefficients) {}
  std::span<const std::string_view> memory() const override { return kNames; }
  bool starts_from_acceleration() const override { return true; }
  void make_stage(const State& state, double h, Stage& stage) const override {
    const VectorXd& a = state.memory[0].values;
    const double f = 1 - k_.alpha_f;
    stage.t = state.t + f * h;
    const double s2 = f * k_.beta * h * h / (1 - k_.alpha_m);
    stage.s = std::sqrt(s2);
    stage.c = k_.beta * h / k_.gamma;
    stage.y0 = state.q + f * (h * state.v + h * h * (0.5 - k_.beta) * a);
    stage.w0 = state.v + f * h * (1 - k_.gamma) * a;
    stage.y_hat = stage.y0 - s2 * k_.alpha_m * a;
    stage.end_rate = 1 / f;
    stage.end0 = (1 - stage.end_rate) * state.q;
    stage.end_weight = (1 - k_.alpha_m) / (2 * k_.beta);
    stage.contact = keeps_energy() ? ContactForce::mean : ContactForce::end;
  }
  void finish(const Stage& stage, const VectorXd& y, const VectorXd&, const VectorXd& contact, double h,
              State& state) const override {
    VectorXd& a0 = state.memory[0].values;
    const auto a1 = (y - stage.y0) / ((1 - k_.alpha_f) * k_.beta * h * h);
    state.q += h * state.v + h * h * ((0.5 - k_.beta) * a0 + k_.beta * a1);
    state.t += h;
    if (contact.size() == 0) {
      state.v += h * ((1 - k_.gamma) * a0 + k_.gamma * a1);
      a0 = a1;
    } else {
      state.v += h * ((1 - k_.gamma) * a0 + contact);
      a0 = a1 - contact / (2 * k_.beta);
      state.v += h * k_.gamma * a0;
    }
  }

 private:
  static constexpr std::array<std::string_view, 1> kNames = {"acceleration"};
  /// The trapezoidal rule; the others damp.
  bool keeps_energy() const { return k_.alpha_m == 0 && k_.alpha_f == 0 && k_.gamma == 0.5; }
  NewmarkCoefficients k_;
};

/// [ERE] section 3.2 prints alpha = alpha_m + alpha_f; second order needs Chung and Hulbert's alpha_m - alpha_f.
NewmarkCoefficients from_radius(double r) {
  const double alpha_m = (2 * r - 1) / (1 + r), alpha_f = r / (1 + r), alpha = alpha_m - alpha_f;
  return {(1 - alpha) * (1 - alpha) / 4, 0.5 - alpha, alpha_m, alpha_f};
}

/// A step in (q, h v, h^2 a): L x1 = R x0, [ERE] section 3.2.
double newmark_amplification(const NewmarkCoefficients& k, double z) {
  Mat3 L, R;
  L << 1, 0, -k.beta, 0, 1, -k.gamma, (1 - k.alpha_f) * z * z, 0, 1 - k.alpha_m;
  R << 1, 1, 0.5 - k.beta, 0, 1, 1 - k.gamma, -k.alpha_f * z * z, 0, -k.alpha_m;
  return spectral_radius(L.inverse() * R);
}

/// The larger root of (3 - 2 i z) r^2 - 4 r + 1 = 0.
double bdf2_amplification(double z) {
  const std::complex<double> root = std::sqrt(std::complex<double>(1, 2 * z)), a(3, -2 * z);
  return std::max(std::abs((2.0 + root) / a), std::abs((2.0 - root) / a));
}

NewmarkCoefficients newmark_coefficients(const Options& options) {
  return {options.number("beta"), options.number("gamma"), 0, 0};
}

using MakeScheme = std::function<std::unique_ptr<ImplicitScheme>(const Options&)>;
using Amplification = std::function<double(const Options&, double)>;

IntegratorEntry implicit_entry(const std::string& name, const std::string& summary, std::vector<Option> options,
                               MakeScheme make, Amplification amplification) {
  for (Option& option : stage_options()) options.push_back(std::move(option));
  return {{name, summary, std::move(options)},
          [make](const Options& o) { return make_implicit(make(o), o); },
          std::move(amplification),
          true,
          {kUnsolved},
          stage_remedy,
          {},
          false,
          stage_warning,
          stage_matrices};
}

SolverOptions solver_options(const Options& o, int iterations) {
  return {o.number("tolerance"), iterations, o.integer("window"), o.number("rho")};
}

/// Of a whole step, not of a correction.
SolverOptions step_options(const Options& o, const StageSolverEntry& solver) {
  SolverOptions options = solver_options(o, o.has("iterations") ? o.integer("iterations") : solver.iterations);
  options.more_iterations = !o.has("iterations");
  return options;
}

std::unique_ptr<ImplicitIntegrator> with_solver(std::unique_ptr<ImplicitScheme> scheme, const StageSolverEntry& solver,
                                                SolverOptions options, const std::string& unconverged) {
  options.accept_unconverged = unconverged == "auto" ? solver.stops_early : unconverged == "accept";
  return std::make_unique<ImplicitIntegrator>(std::move(scheme), solver.make(options), solver.name,
                                              options.accept_unconverged);
}

}  // namespace

std::unique_ptr<ImplicitScheme> backward_euler_scheme() { return std::make_unique<BackwardEuler>(); }
std::unique_ptr<ImplicitScheme> implicit_midpoint_scheme() { return std::make_unique<ImplicitMidpoint>(); }
std::unique_ptr<ImplicitScheme> trapezoidal_scheme() {
  return std::make_unique<Newmark>(NewmarkCoefficients{0.25, 0.5, 0, 0});
}

std::vector<Option> stage_options() {
  return {
      Option::choice("solver", names_of(stage_solvers()), "how the step's equation is solved").with_default("newton"),
      Option::number("tolerance", "",
                     "largest residual as a change of velocity, in the mean: a share of what the step changes of it "
                     "(or of what gravity would add in a step, if that is more)")
          .with_default(1e-6)
          .above(0),
      Option::integer("iterations",
                      "at most; without it 20 for the Newton solvers, 10 for the quasi-Newton ones (more where the "
                      "material is nearly incompressible), 200 for lbfgs")
          .at_least(1)
          .optional(),
      Option::choice("unconverged", {"auto", "halve", "accept"},
                     "a step that is not solved to the tolerance: halved, or taken as it is; auto halves "
                     "with the Newton solvers and accepts with the quasi-Newton ones")
          .with_default("auto"),
      Option::integer("window", "how many steps L-BFGS remembers; 0 none").with_default(5.0).at_least(0).at_most(100),
      Option::number("rho", "", "spectral radius that solver chebyshev assumes")
          .with_default(0.9992)
          .at_least(0)
          .below(1)};
}

std::string stage_remedy(const Options& o) {
  const std::string& steadier = find_row(stage_solvers(), "solver", o.text("solver")).steadier;
  return steadier.empty() ? "" : fmt::format("\"solver\": \"{}\"", steadier);
}

MatrixUse stage_matrices(const Options& o) {
  const bool factors = find_row(stage_solvers(), "solver", o.text("solver")).factors;
  return factors ? MatrixUse::changing : MatrixUse::constant;
}

std::string stage_warning(const Options& o, const System& system) {
  const StageSolverEntry& solver = find_row(stage_solvers(), "solver", o.text("solver"));
  if (!solver.warning || !system.projective()) return "";
  const std::string text = solver.warning(system.projective()->projective_fit(), step_options(o, solver));
  return text.empty() ? "" : fmt::format("integrator.solver = \"{}\": {}", solver.name, text);
}

std::unique_ptr<ImplicitIntegrator> make_implicit(std::unique_ptr<ImplicitScheme> scheme, const Options& o) {
  const StageSolverEntry& solver = find_row(stage_solvers(), "solver", o.text("solver"));
  return with_solver(std::move(scheme), solver, step_options(o, solver), o.text("unconverged"));
}

std::unique_ptr<ImplicitIntegrator> make_corrector(std::unique_ptr<ImplicitScheme> scheme, const Options& o) {
  const StageSolverEntry& solver = find_row(stage_solvers(), "solver", o.text("solver"));
  SolverOptions options = solver_options(o, solver.stops_early ? 1 : solver.iterations);
  if (o.has("correction_iterations")) options.iterations = o.integer("correction_iterations");
  options.from_guess = true;
  return with_solver(std::move(scheme), solver, options, o.text("unconverged"));
}

IntegratorEntry backward_euler() {
  return implicit_entry(
      "be", "backward Euler: si iterated to convergence; robust, loses energy", {},
      [](const Options&) { return std::make_unique<BackwardEuler>(); },
      [](const Options&, double z) { return 1 / std::hypot(1, z); });
}

IntegratorEntry implicit_midpoint() {
  return implicit_entry(
      "im", "implicit midpoint: second order, keeps angular momentum, may explode at large steps", {},
      [](const Options&) { return std::make_unique<ImplicitMidpoint>(); }, [](const Options&, double) { return 1.0; });
}

IntegratorEntry bdf2() {
  IntegratorEntry row = implicit_entry(
      "bdf2", "backward differentiation over two steps: second order, loses less energy than be", {},
      [](const Options&) { return std::make_unique<Bdf2>(); },
      [](const Options&, double z) { return bdf2_amplification(z); });
  row.restartable = false;  // each step would be one of backward Euler
  return row;
}

IntegratorEntry newmark() {
  return implicit_entry(
      "newmark", "Newmark's family; by default the trapezoidal rule",
      {Option::number("gamma", "", "weight of the new acceleration in the velocity; above 1/2 it damps")
           .with_default(0.5)
           .at_least(0.5)
           .at_most(1),
       Option::number("beta", "", "weight of the new acceleration in the position")
           .with_default(0.25)
           .above(0)
           .at_most(1)},
      [](const Options& o) { return std::make_unique<Newmark>(newmark_coefficients(o)); },
      [](const Options& o, double z) { return newmark_amplification(newmark_coefficients(o), z); });
}

IntegratorEntry generalized_alpha() {
  IntegratorEntry row = implicit_entry(
      "genalpha", "generalized alpha: second order, damps high frequencies as much as told",
      {Option::number("r", "", "what is left of the highest frequencies after a step: 1 all, 0 nothing")
           .with_default(0.5)
           .at_least(0)
           .at_most(1)},
      [](const Options& o) { return std::make_unique<Newmark>(from_radius(o.number("r"))); },
      [](const Options& o, double z) { return newmark_amplification(from_radius(o.number("r")), z); });
  row.restartable = false;  // its acceleration is a quantity of its own, not that of the state
  return row;
}

}  // namespace brio
