#pragma once
// What the methods with one matrix a step share: assemble and factor A = M + hD + beta h^2 K, try the step with the
// true stiffness, and take it again with the projected one where the true one fails or makes energy from nothing.

#include "brio/integrate/parts/implicit_matrix.hpp"
#include "brio/integrate/parts/moving_frames.hpp"

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

class LinearlyImplicit : public Integrator {
 public:
  /// `memory`: how many things the method keeps in State::memory; its directions turn with the frames.
  LinearlyImplicit(double beta, PsdPolicy policy, FramePolicy frame = FramePolicy::automatic, int memory = 0)
      : beta_(beta), policy_(policy), frame_policy_(frame), memory_(memory) {}
  void prepare(const System& system) final;
  StepReport step(State& state, double h) final;
  bool meets_obstacles() const final { return true; }

 protected:
  /// Fills dq_ and dv_, and next_.memory where the method has one, from velocity_ and force_ with A factored. `state`
  /// is for its memory alone: what moves is in velocity_ and force_.
  virtual void update(const State& state, double h, StepReport& report, Stopwatch& watch) = 0;
  /// Whether update() is linearly implicit Euler and nothing else.
  virtual bool is_plain() const { return false; }

  /// dv of linearly implicit Euler for velocity v and force f: A dv = h (f - beta h K v). Solving for dv rather than
  /// for v + dv keeps round-off proportional to the change, so that a body in free flight keeps its momentum however
  /// stiff it is.
  void solve_increment(const VectorXd& v, const VectorXd& f, double h, VectorXd& dv, StepReport& report,
                       Stopwatch& watch);

  /// force_ with what moves by itself (supports, attachments, obstacles) felt as the mean of both ends of the step: a
  /// motion that is carried exactly meets it on the whole way, and is of second order only so. Not in moving frames.
  void find_middle_force(const State& state, VectorXd& f);

  Linearization& linearization() { return matrix_->linearization(); }
  const System& system() const { return matrix_->system(); }

  double beta_;
  State next_;
  VectorXd velocity_;  ///< at the beginning of the step, of free pieces as seen in their frames [m/s]
  VectorXd dq_, dv_;   ///< what the step adds to positions [m] and velocities [m/s]
  /// -grad E - D v + load at the state, with supports where they are at the end of the step, and the inertial forces
  /// of the frames [N]
  VectorXd force_;

 private:
  bool try_step(const State& state, double h, bool project, StepReport& report, Stopwatch& watch);
  bool keeps_contact(const State& state, double h);
  bool try_end(const State& state, double h, StepReport& report, Stopwatch& watch);
  double dissipated(const State& state, double h);
  bool gained_energy(const State& state, double h) const;

  PsdPolicy policy_;
  FramePolicy frame_policy_;
  size_t memory_;
  const System* system_ = nullptr;        ///< with its obstacles, where it has some
  std::unique_ptr<ContactSet> contacts_;  ///< none where there are no obstacles
  bool plain_ = true;                     ///< whether this step is one of linearly implicit Euler, as obstacles want it
  std::unique_ptr<ImplicitMatrix> matrix_;
  std::unique_ptr<MovingFrames> frames_;  ///< none where nothing is free
  VectorXd gradient_, load_, product_;
};

}  // namespace brio
