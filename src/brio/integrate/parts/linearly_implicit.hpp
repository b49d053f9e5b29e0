#pragma once
// What the methods with one matrix a step share: assemble and factor A = M + a h D + b h^2 K with K at the beginning of
// the step or in its middle, try the step with the true stiffness, and take it again with the projected one where the
// true one fails or makes energy from nothing.

#include "brio/integrate/parts/implicit_matrix.hpp"
#include "brio/integrate/parts/moving_frames.hpp"
#include "brio/integrate/parts/step_matrix.hpp"
#include "brio/system/contact_set.hpp"

namespace brio {

/// Whether pieces of the body that nothing holds are stepped in frames that move with them.
enum class FramePolicy { automatic, off };

/// The option "frame" that the linearly implicit methods share, and its value.
Option frame_option();
FramePolicy frame_policy(const Options& options);

/// What the options "psd" and "frame" mean to a condensed body; see IntegratorEntry::condensed.
CondensedStepping condensed_stepping(const Options& options);
/// See IntegratorEntry::remedy.
std::string psd_remedy(const Options& options);

/// The coefficients of A = M + damping h D + stiffness h^2 (K + touch K_c), K_c the stiffness of what touches obstacles
/// at the end of the step.
struct ImplicitWeights {
  double damping = 1, stiffness = 1, touch = 1;
};

/// Where the stiffness and the forces of a step are taken: at q, or at q + (h/2) v. A force that is linearized there is
/// off by the square of what the acceleration adds in half a step; at the beginning, by the square of the whole way.
/// That is what costs the methods their energy (docs/lim.md). `ahead` moves the force back to the beginning, f(q*) + K
/// (q* - q), for rules that begin there; to rules of the `middle` it is given as it is.
enum class LinearizedAt { start, ahead, middle };

/// The option "linearize" of methods that know both, and its value.
Option linearize_option();
LinearizedAt linearized_at(const Options& options);

inline constexpr Extra kGained{"gaining_steps",
                               "steps that made energy from nothing whatever was tried, and were taken all the same",
                               "",
                               Extra::Over::sum,
                               Extra::Value::count,
                               {},
                               {"with energy from nothing", 0.1, "smaller steps"}};

class LinearlyImplicit : public Integrator, public MatrixLender {
 public:
  /// `memory`: how many things the method keeps in State::memory; its directions turn with the frames.
  LinearlyImplicit(LinearizedAt where, ImplicitWeights weights, PsdPolicy policy, FramePolicy frame, int memory = 0)
      : where_(where), weights_(weights), usual_(where), policy_(policy), frame_policy_(frame), memory_(memory) {}
  void prepare(const System& system) override;
  StepReport step(State& state, double h) override;
  bool meets_obstacles() const final { return true; }
  Linearization* step_matrix(double h) override {
    return where_ == LinearizedAt::start && matrix_->is(1, h, h * h) ? &linearization() : nullptr;
  }

 protected:
  /// Fills next_ but for its time. False where it failed; the report says why.
  bool try_step(const State& state, double h, bool project, StepReport& report, Stopwatch& watch);
  /// Of the step that was tried last [J].
  double dissipated(const State& state, double h);
  /// Fills dq_ and dv_, and next_.memory where the method has one, from velocity_ and force_ with A factored. `state`
  /// is for its memory alone: what moves is in velocity_ and force_.
  virtual void update(const State& state, double h, StepReport& report, Stopwatch& watch) = 0;
  /// Called where a step gains energy even with the projected stiffness: changes to a more robust rule for this step,
  /// which is then tried again. False where the method has none.
  virtual bool fall_back();
  /// Whether update() is linearly implicit Euler and nothing else.
  virtual bool is_plain() const { return false; }

  /// dv of linearly implicit Euler for velocity v and force f: A dv = h (f - b h K v). Solving for dv rather than for v
  /// + dv keeps round-off proportional to the change, so that a body in free flight keeps its momentum however stiff it
  /// is.
  void solve_increment(const VectorXd& v, const VectorXd& f, double h, VectorXd& dv, StepReport& report,
                       Stopwatch& watch);

  /// force_ with what moves by itself (supports, attachments, obstacles) felt as the mean of both ends of the step: a
  /// motion that is carried exactly meets it on the whole way, and is of second order only so. Not in moving frames.
  void find_middle_force(const State& state, VectorXd& f);

  /// How far the step that was tried last is off because its forces are linearized about a point in the middle and not
  /// where they act, at q + theta dq: what another iteration of Newton's method would change, as a share of the way.
  double linearization_error(const State& state, double h, double theta);

  Linearization& linearization() { return matrix_->linearization(); }
  const System& system() const { return matrix_->system(); }

  /// The system with its obstacles; system() has none where they are met at the end of the step.
  const System& whole() const { return system_ ? *system_ : system(); }
  /// What obstacles do to a step that try_step() has found: next_ gets its velocities and what it remembers of them.
  /// Returns the energy that friction took [J].
  double end_contacts(const State& state, double h);
  /// What touches in the step; null where there are no obstacles.
  const std::vector<Touch>* touches() const { return contacts_ ? &contacts_->touches() : nullptr; }
  /// Of the step that ends in next_; see ContactSet::creep().
  double creep(double speed) const { return contacts_ ? contacts_->creep(next_.v, speed) : 0; }

  LinearizedAt where_;
  ImplicitWeights weights_;
  State next_;
  VectorXd velocity_;  ///< at the beginning of the step, of free pieces as seen in their frames [m/s]
  VectorXd dq_, dv_;   ///< what the step adds to positions [m] and velocities [m/s]
  /// -grad E - D v + load with the inertial forces of the frames [N]: at the state, with supports where they are at the
  /// end of the step; or, for rules of the middle, in the middle of the step, at q + (h/2) velocity_
  VectorXd force_;
  double energy_round_off_ = 0;  ///< see System::energy_round_off() [J]

 private:
  double force_time(const State& state, double h) const {
    return state.t + (where_ == LinearizedAt::middle ? h / 2 : h);
  }
  bool moves(double h) const;
  bool keeps_contact(const State& state, double h);
  MovingFrames::Pieces framed_pieces() const;
  bool try_end(const State& state, double h, StepReport& report, Stopwatch& watch);
  bool gained_energy(const State& state, double h) const;

  LinearizedAt usual_;
  PsdPolicy policy_;
  FramePolicy frame_policy_;
  size_t memory_;
  const System* system_ = nullptr;        ///< with its obstacles, where it has some
  std::unique_ptr<ContactSet> contacts_;  ///< none where there are no obstacles
  bool plain_ = true;                     ///< whether this step is one of linearly implicit Euler, as obstacles want it
  bool in_contact_ = false;               ///< whether the carried motion of this step feels obstacles
  std::unique_ptr<ImplicitMatrix> matrix_;
  std::unique_ptr<MovingFrames> frames_;  ///< none where nothing is free
  VectorXd ahead_;                        ///< where the step is linearized [m]
  VectorXd offset_;                       ///< from there to where forces act [m]
  VectorXd gradient_, load_, product_, correction_;
};

}  // namespace brio
