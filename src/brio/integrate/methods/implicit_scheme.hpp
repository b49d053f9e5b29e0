#pragma once
// The classical implicit methods as one integrator: a scheme says which stage is to be solved and what follows from it,
// any solver finds the stage, and a step that does not converge is taken as two half steps.

#include "brio/integrate/integrator.hpp"
#include "brio/optimize/stage_solver.hpp"

#include <span>
#include <string_view>

namespace brio {

/// One implicit method. State::memory holds what the method carries from step to step.
class ImplicitScheme {
 public:
  virtual ~ImplicitScheme() = default;
  /// The names of what the method keeps in State::memory, in order; the state may come without it (at the start).
  virtual std::span<const std::string_view> memory() const = 0;
  /// Whether starting needs the acceleration, which is then in memory[0].
  virtual bool starts_from_acceleration() const = 0;
  virtual void make_stage(const State& state, double h, Stage& stage) const = 0;
  /// The state at the end of the step, from the stage's positions y and velocities w. `contact`: the acceleration that
  /// obstacles give at the end; empty without obstacles.
  virtual void finish(const Stage& stage, const VectorXd& y, const VectorXd& w, const VectorXd& contact, double h,
                      State& state) const = 0;
  /// See Integrator::on_velocity_impulse.
  virtual void on_velocity_impulse(State&, const VectorXd&) const {}
  /// See Integrator::on_displacement.
  virtual void on_displacement(State&, const VectorXd&) const {}
};

/// The acceleration, as the first entry of a state's memory.
void remember_acceleration(const VectorXd& a, State& state);

class ImplicitIntegrator : public Integrator {
 public:
  /// A step that the solver does not bring to its tolerance is halved, or taken as it is when `accept_unconverged`.
  /// `solver_name`: its row, for messages.
  ImplicitIntegrator(std::unique_ptr<ImplicitScheme> scheme, std::unique_ptr<StageSolver> solver,
                     std::string solver_name, bool accept_unconverged);
  void prepare(const System& system) override;
  StepReport step(State& state, double h) override { return step_from(state, h, state.q); }
  void on_velocity_impulse(State& state, const VectorXd& dv) override { scheme_->on_velocity_impulse(state, dv); }
  void on_displacement(State& state, const VectorXd& dq) override { scheme_->on_displacement(state, dq); }
  bool meets_obstacles() const override { return true; }
  /// The same with another guess of the stage's positions than those at the beginning. `known` is what the caller has
  /// already looked up, if anything.
  StepReport step_from(State& state, double h, const VectorXd& guess, const Evaluation* known = nullptr);

 private:
  bool advance(State& state, double h, int depth, StepReport& report);
  SolveReport solve_stage(StepReport& report);
  bool remembers(const State& state) const;
  void start(State& state);

  std::unique_ptr<ImplicitScheme> scheme_;
  std::unique_ptr<StageSolver> solver_;
  std::string solver_name_;
  bool accept_unconverged_;
  std::unique_ptr<ContactSet> contacts_;  ///< none where there are no obstacles
  std::unique_ptr<StageProblem> problem_;
  Stage stage_;
  VectorXd y_, w_, way_, product_, contact_, v0_;
  State trial_;
};

/// Of a step that was taken although the solver had not come to the end: what is left may be as much as what it did.
inline constexpr Extra kUnsolved{"unsolved",
                                 "steps that were taken although they may be as far from solved as they moved the body",
                                 "",
                                 Extra::Over::sum,
                                 Extra::Value::count,
                                 {},
                                 {"far from solved", 0.5, "more \"iterations\", or \"solver\": \"newton\""}};

std::unique_ptr<ImplicitScheme> backward_euler_scheme();
std::unique_ptr<ImplicitScheme> implicit_midpoint_scheme();
std::unique_ptr<ImplicitScheme> trapezoidal_scheme();

/// The options that every method with stages has: which solver, and how far it goes.
std::vector<Option> stage_options();
/// What to try with such options when a run blows up; see IntegratorEntry::remedy.
std::string stage_remedy(const Options& options);
/// See IntegratorEntry::matrices.
MatrixUse stage_matrices(const Options& options);
/// What their solver says about the system's materials; see IntegratorEntry::warning.
std::string stage_warning(const Options& options, const System& system);
/// A scheme with the solver that such options name.
std::unique_ptr<ImplicitIntegrator> make_implicit(std::unique_ptr<ImplicitScheme> scheme, const Options& options);
/// The same for corrections of something that is nearly right: the solver begins at the guess, and one that is meant to
/// be stopped early makes `correction_iterations` only (1 when that is not given).
std::unique_ptr<ImplicitIntegrator> make_corrector(std::unique_ptr<ImplicitScheme> scheme, const Options& options);

IntegratorEntry backward_euler();
IntegratorEntry implicit_midpoint();
IntegratorEntry bdf2();
IntegratorEntry newmark();
IntegratorEntry generalized_alpha();

}  // namespace brio
