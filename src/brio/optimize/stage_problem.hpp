#pragma once
// The nonlinear equation that every implicit scheme solves, one stage a step. With the unknown positions y at time t,
//
//   M (y - y_hat) / s^2 + grad E(t, y) + D w(y) = load(t, y, w(y)),   w(y) = w0 + (y - y0) / c,
//
// where the scheme chooses t, s, c and the three vectors (see integrate/methods/implicit_scheme.cpp). Without
// velocity-dependent loads it is also the minimum of |y - y_hat|_M^2 / (2 s^2) + E + c/2 w.D w - load.y. With s and c
// infinite and w0 = 0 nothing moves, and the solution is a shape at rest (see optimize/static_solve.hpp).
//
// Obstacles that are met at the end of the step (system/contact_set.hpp) add weight * grad E_c(q1(y)), where the end of
// the step q1 = q1_0 + rate y depends on the stage as the scheme says.

#include "brio/system/contact_set.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace brio {

struct Stage {
  double t = 0;     ///< [s]
  double s = 0;     ///< length of the step that the inertia sees [s]
  double c = 0;     ///< dy/dw [s]
  VectorXd y_hat;   ///< where inertia alone would lead [m]
  VectorXd y0, w0;  ///< w(y0) = w0 [m, m/s]
  // The end of the step, for obstacles.
  VectorXd end0;  ///< q1 = end0 + end_rate y [m]
  double end_rate = 1;
  double end_weight = 1;  ///< of the forces of obstacles
  ContactForce contact = ContactForce::end;
};

/// What a solver did for one stage.
struct SolveReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  ///< where it was looked at last; see StageProblem::size [m/s]
  /// About how far the velocity still was from the solution then, where it did not converge [m/s].
  double undone = 0;
  int factorizations = 0, solves = 0;
  int evaluations = 0;  ///< of the objective in line searches
  int projections = 0;  ///< matrices that had to be projected to be positive definite
  double assembly_s = 0, factor_s = 0, solve_s = 0;
};

class StageProblem {
 public:
  /// With contacts, the system is theirs without obstacles; they are kept by reference.
  explicit StageProblem(const System& system, ContactSet* contacts = nullptr)
      : system_(system), contacts_(contacts), lin_(system.linearization()) {}

  /// From now on solve() iterates until the residual is `tolerance` of the right-hand side, or `iterations` times. A
  /// system that cannot iterate is small, and its factorization stays.
  void solve_by_iterations(double tolerance, int iterations);
  /// Must be called before factor_projective(). Throws Error where the system or a material has no constant matrix.
  void prepare_projective();

  /// The stage to be solved from now on; kept by reference.
  void set(const Stage& stage) { stage_ = &stage; }

  /// What evaluate() need not look for again while it is known; null: nothing.
  void set_cached_evaluation(const Evaluation* evaluation) { cached_ = evaluation; }

  /// Residual [N] and second derivative at y. The load is evaluated here and frozen for objective().
  void assemble(const VectorXd& y, Psd psd, VectorXd& residual);
  /// What is minimized, with the load of the last assemble() [J].
  double objective(const VectorXd& y);
  /// Evaluates the load at y and freezes it for evaluate().
  void freeze_load(const VectorXd& y);
  /// The objective and its gradient at y in one pass, without second derivatives, with the frozen load [J].
  double evaluate(const VectorXd& y, VectorXd& gradient);
  /// Freezes the load at y instead of where it was, changes the gradient accordingly and returns by how much the
  /// objective there changes [J].
  double renew_load(const VectorXd& y, VectorXd& gradient);
  /// The terms of the last objective() or evaluate() without their signs: what its round-off is proportional to [J].
  double objective_scale() const { return objective_scale_; }
  /// Factors the Jacobian M / s^2 + D / c + K of the last assemble(), plus shift * M.
  FactorStatus factor(double shift = 0);
  /// Overwrites the vector with the Jacobian's inverse times it.
  void solve(VectorXd& x) { lin_->solve(x); }
  /// Factors the constant M / s^2 + D / c + L ([QN]) unless that was done for these s and c.
  FactorStatus factor_projective();
  bool projective_is_current() const;
  ProjectiveFit projective_fit() const { return system_.projective()->projective_fit(); }
  void solve_projective(VectorXd& x) { projective_->solve(x); }
  void solve_projective_single_precision(VectorXd& x) { projective_->solve_single_precision(x); }
  /// Called by the solvers after each iteration, for those who watch convergence.
  void tell_iterate(const VectorXd& y) const {
    if (on_iterate) on_iterate(y);
  }
  std::function<void(const VectorXd& y)> on_iterate;
  /// Velocity w(y) of the stage.
  void velocity(const VectorXd& y, VectorXd& w) const;
  /// A residual as the change of velocity that it would make in the stage, root of the mass-weighted mean square [m/s].
  /// It does not depend on the mesh.
  double size(const VectorXd& residual) const;
  /// A change of the positions as one of the velocity, root of the mass-weighted mean square [m/s].
  double speed(const VectorXd& change) const;
  /// What such sizes are compared with: by how much the stage changes the velocity if y solves it, or what gravity
  /// alone would add in that time, whichever is more [m/s]. It knows no units, and a body in flight is no other than
  /// one that stays where it is.
  double speed_gained(const VectorXd& y) const;
  /// Whether y solves the stage, given the size of the residual that was evaluated there last: it is this share of
  /// speed_gained(), or the rounding of the forces that cancel in it.
  bool solved(double size, double tolerance, const VectorXd& y) const;
  /// Whether a residual of this size is noise: what it changes by with the last digits of the coordinates y, which are
  /// the coarser the farther away the body is. Costs two gradients; for those who get no closer.
  bool is_noise(double size, const VectorXd& y);

  /// Where the step ends.
  void find_end(const VectorXd& y, VectorXd& q1) const { q1 = stage_->end0 + stage_->end_rate * y; }
  const System& system() const { return system_; }
  const Stage& stage() const { return *stage_; }
  Linearization& linearization() { return *lin_; }

 private:
  Potentials potentials_and_gradient(const VectorXd& y, VectorXd& gradient) const;
  /// The energy of obstacles as part of the objective [J]; adds its gradient.
  double add_contact(const VectorXd& y, VectorXd* gradient);
  double sum_of_terms(double inertia, double damping, const Potentials& potentials, double work);

  const System& system_;
  ContactSet* contacts_;
  std::unique_ptr<Linearization> lin_;
  const Stage* stage_ = nullptr;
  const Evaluation* cached_ = nullptr;
  std::unique_ptr<ProjectiveMatrix> projective_;
  FactorStatus projective_status_ = FactorStatus::ok;
  std::optional<std::pair<double, double>> projective_for_;  ///< the s and c that it was factored for [s]
  bool has_load_ = false;
  VectorXd w_, product_, load_, new_load_, q1_;
  VectorXd shaken_, shaken_gradient_;  ///< for is_noise()
  double round_off_ = 0, objective_scale_ = 0;
};

}  // namespace brio
