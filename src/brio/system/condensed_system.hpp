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

namespace brio {

/// What it took to condense.
struct CondensationReport {
  bool ok = true;
  int factorizations = 0, projections = 0, shifts = 0, solves = 0;
  double assembly_s = 0, factor_s = 0, solve_s = 0, other_s = 0;
};

class CondensedSystem : public System {
 public:
  /// Of a body of vertices, or of bones and tissue. `points`: those that move by themselves, each once; what belongs to
  /// no point (joints) moves by itself anyhow. Both together are the boundary that the others follow.
  CondensedSystem(const System& full, std::vector<int> points);
  /// Another boundary from now on, without a new analysis of the pattern; rebase() must follow, and integrators and
  /// linearisations made before are of no use any more.
  void set_boundary(std::vector<int> points);

  /// Linearises the full system at (t, q) and makes xi = 0 that configuration; v is what loads see there. K_qq is
  /// projected when `clamp` says so or when it cannot be factored; where it is still singular (a part that nothing
  /// holds, a slack rope) M_qq / h^2 is added, the inertia of an implicit step.
  CondensationReport rebase(double t, const VectorXd& q, const VectorXd& v, double h, bool clamp);

  /// K_qq^-1 f_q: the Newton step that brings the quasistatic points to rest, zero at the boundary [m]. A piece that
  /// nothing holds comes to rest in the frame that its own acceleration gives it.
  Eigen::Ref<const VectorXd> newton_step() const { return solutions_.col(dofs()); }
  /// What the Newton step promises to take out of the potential energy, were the forces linear [J].
  double newton_gain() const { return 0.5 * force_.dot(newton_step()); }
  /// Work along the Newton step of what accelerates free pieces as a whole [J]: no reason not to take it.
  double newton_rigid_work() const { return rigid_force_.dot(newton_step()); }
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
  /// Throws Error: a constant matrix would have to outlast the step, and xi does not.
  std::unique_ptr<ProjectiveMatrix> projective_matrix() const override;
  VectorXd rest() const override;
  void positions(double t, const VectorXd& xi, MatrixX3d& x) const override;
  void velocities(double t, const VectorXd& xi_dot, MatrixX3d& u) const override;

  /// Gradient, S^T K S and S^T D S. At xi = 0, with the time and the projection of rebase(), nothing is assembled
  /// again.
  void derivatives(double t, const VectorXd& xi, Psd psd, VectorXd& gradient, MatrixXd& K, MatrixXd& D) const;

 private:
  bool factor(double t, const VectorXd& q, double h, bool clamp, CondensationReport& report);
  void form_right_hand_sides();
  void form_base_stiffness();
  /// field becomes L^-1 J^T field.
  void restrict(const VectorXd& field, VectorXd& xi) const;
  const VectorXd& place(const VectorXd& xi) const;
  /// Overwrites a small matrix A = J^T (...) J with L^-1 A L^-T, symmetric.
  void to_unit_mass(MatrixXd& A) const;
  /// S^T D S, given the S^T K S of the same place, at which the full linearisation is.
  void form_damping(const MatrixXd& K, MatrixXd& D) const;
  /// The row of the full system in which the i-th coordinate of the boundary is.
  Index boundary_row(Index i) const;

  const System& full_;
  std::vector<int> points_;
  VectorXd unit_mass_;
  std::vector<std::vector<int>> no_pieces_;

  double base_t_ = 0, shift_ = 0;
  Psd base_psd_ = Psd::none;
  VectorXd base_q_, base_gradient_, base_reduced_gradient_, force_, rigid_force_;
  MatrixXd solutions_;  ///< J and, in the last column, the Newton step
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
