#pragma once
// A body reduced to a few moving points by condensation ([CONJAC]): all other points follow so that the net force on
// them stays zero, v_q = -K_qq^-1 K_qb v_b. During one step that is a linear manifold q = q0 + S xi, so that the body
// becomes a small dense system in xi that any integrator can drive. S = J L^-T with J^T M J = L L^T makes its mass the
// identity. Derivation: docs/conjac.md.
//
// Where bones carry the tissue, their joints move as well: the coordinates of the body are then those of a BoneChart,
// in which joints stand beside points, and S leaves them as they are.

#include "brio/system/pinnable_linearization.hpp"

#include <Eigen/Cholesky>

#include <functional>

namespace brio {

/// What it took to condense.
struct CondensationReport {
  bool ok = true;
  int factorizations = 0, projections = 0, shifts = 0, solves = 0;
  double assembly_s = 0, factor_s = 0, solve_s = 0, other_s = 0;
};

/// Turns the forces of a body at rest in space, load - grad E, into those that it feels in frames that move with its
/// free pieces. False where there are no frames, with the forces as they were.
using FrameForces = std::function<bool(const OutsideForces& outside, const VectorXd& load, VectorXd& force)>;

/// A step of the quasistatic points towards rest, and what it does to the energy were the forces linear.
struct SettlingStep {
  VectorXd way;            ///< zero at the boundary [m]
  double slope = 0;        ///< of the potential energy less the work of loads, at the beginning of the way [J]
  double curvature = 0;    ///< [J]
  double newton_gain = 0;  ///< what a whole Newton step takes out, times gamma [J]
  double rigid_work = 0;   ///< of what frames take out of the forces, along the way: no reason not to go [J]
};

class CondensedSystem : public System {
 public:
  /// Of a body of vertices, or of bones and tissue. `points`: those that move by themselves, each once; what belongs to
  /// no point (joints) moves by itself anyhow. Both together are the boundary that the others follow.
  CondensedSystem(const System& full, std::vector<int> points);
  /// Another boundary from now on, without a new analysis of the pattern; rebase() must follow, and integrators and
  /// linearizations made before are of no use any more.
  void set_boundary(std::vector<int> points);

  /// Linearizes the full system at (t, q), t being the end of a step of length h and q where it begins, and makes
  /// xi = 0 that configuration; v is what loads see there. K_qq is
  /// projected when `clamp` says so or when it cannot be factored; where it is still singular (a part that nothing
  /// holds, a slack rope) M_qq / h^2 is added, the inertia of an implicit step.
  /// In frames that move with free pieces the forces, and so the way to rest, are those that `frames` makes of them.
  CondensationReport rebase(double t, const VectorXd& q, const VectorXd& v, double h, bool clamp,
                            const FrameForces& frames = {});

  /// K_qq^-1 f_q: the Newton step that brings the quasistatic points to rest, zero at the boundary [m]. A piece that
  /// nothing holds comes to rest in the frame that its own acceleration gives it.
  Eigen::Ref<const VectorXd> newton_step() const { return solutions_.col(dofs()); }
  /// The part gamma of the way to rest that was left when the step began, and the whole of what supports, obstacles,
  /// muscles and loads have added since by moving (docs/conjac.md).
  void settle(double gamma, SettlingStep& step) const;
  /// What frames that move, or accelerate, with free pieces have taken out of the forces [N].
  const VectorXd& rigid_force() const { return rigid_force_; }
  /// Whether the last rebase() was into frames that move with free pieces.
  bool framed() const { return framed_; }
  /// Whether the last rebase() projected the stiffness.
  bool projected() const { return base_psd_ == Psd::clamp; }
  /// J: velocities of all coordinates by those of the boundary, points first.
  Eigen::Ref<const MatrixXd> jacobian() const { return solutions_.leftCols(dofs()); }
  /// J^T M J, the inertia of the boundary.
  const MatrixXd& inertia() const { return inertia_; }
  /// The xi' whose velocities S xi' are nearest to v, in the norm of the mass.
  void project(const VectorXd& v, VectorXd& xi) const;
  /// The same in the norm of M + s K, so that a blow upon quasistatic points goes into the nodes as the force of an
  /// implicit step would ([CONJAC] section 4, BUNNY; s = beta h^2). In that of M where the former is none.
  void project(const VectorXd& v, double s, VectorXd& xi) const;
  /// S xi: displacements or velocities of all points.
  void lift(const VectorXd& xi, VectorXd& field) const;

  const System& full() const { return full_; }
  const std::vector<int>& boundary_points() const { return points_; }
  /// Of the full system; holds the K of the last rebase() until something else is asked for.
  PinnableLinearization& full_linearization() const { return *lin_; }

  Index dofs() const override { return unit_mass_.size(); }
  const VectorXd& mass() const override { return unit_mass_; }
  bool has_damping() const override { return full_.has_damping(); }
  bool time_dependent() const override { return full_.time_dependent(); }
  /// None: the coordinates are no points, so that no frame can move with a piece.
  const std::vector<std::vector<int>>& free_pieces() const override { return no_pieces_; }
  Potentials potentials(double t, const VectorXd& xi) const override;
  void gradient(double t, const VectorXd& xi, VectorXd& g) const override;
  void load(double t, const VectorXd& xi, const VectorXd& xi_dot, VectorXd& f) const override;
  Potentials potentials_and_gradient(double t, const VectorXd& xi, VectorXd& g) const override;
  std::unique_ptr<Linearization> linearization() const override;
  VectorXd rest() const override;
  double free_fall() const override;
  double energy_round_off() const override { return full_.energy_round_off(); }
  void positions(double t, const VectorXd& xi, MatrixX3d& x) const override;
  void velocities(double t, const VectorXd& xi_dot, MatrixX3d& u) const override;

  /// Gradient, S^T K S and S^T D S. At xi = 0, with the time and the projection of rebase(), nothing is assembled
  /// again.
  void derivatives(double t, const VectorXd& xi, Psd psd, VectorXd& gradient, MatrixXd& K, MatrixXd& D) const;

 private:
  bool factor(double t, const VectorXd& q, double h, bool clamp, CondensationReport& report);
  void find_moved_force(double t, const VectorXd& q, const VectorXd& v, double h);
  void form_right_hand_sides();
  void form_base_stiffness();
  /// field becomes L^-1 J^T field.
  void restrict(const VectorXd& field, VectorXd& xi) const;
  const VectorXd& place(const VectorXd& xi) const;
  /// Overwrites a small matrix A = J^T (...) J with L^-1 A L^-T, symmetric.
  void to_unit_mass(MatrixXd& A) const;
  /// S^T D S, given the S^T K S of the same place, at which the full linearization is.
  void form_damping(const MatrixXd& K, MatrixXd& D) const;
  /// The row of the full system in which the i-th coordinate of the boundary is.
  Index boundary_row(Index i) const;

  const System& full_;
  std::vector<int> points_;
  VectorXd unit_mass_;
  std::vector<std::vector<int>> no_pieces_;

  double base_t_ = 0, shift_ = 0;
  Psd base_psd_ = Psd::none;
  bool framed_ = false;
  VectorXd base_q_, base_gradient_, base_reduced_gradient_, base_load_, force_;
  VectorXd rigid_force_;  ///< what frames that move, or accelerate, with free pieces take out of the forces [N]
  VectorXd moved_force_;  ///< what the passing of time alone has added to force_ in the step; empty for nothing [N]
  MatrixXd solutions_;    ///< J, the Newton step and, where there is a moved_force_, the way that it makes
  MatrixXd inertia_, base_K_, base_D_;
  Eigen::LLT<MatrixXd> inertia_factor_;

  // One thread drives a system at a time.
  std::unique_ptr<PinnableLinearization> lin_;
  mutable VectorXd q_, v_, field_, small_;
  mutable MatrixXd block_;
  mutable std::vector<double> scratch_;
  mutable std::optional<Potentials> base_potentials_;
  mutable double known_t_ = 0;
  mutable VectorXd known_xi_;  ///< where known_ was evaluated; empty when nothing is known
  mutable Potentials known_;
};

}  // namespace brio
