#pragma once
// Bones as a system that every integrator can step: coordinates about the configuration at the beginning of a step, in
// which the mass is the identity there. With M(q0) = L L^T, the configuration is q0 + y, xi = L^T y. What the changing
// mass and the curved coordinates do beside that is in the load, so that the acceleration is exact everywhere:
// xi'' = L^T S^-1 (M(q)^-1 (force - bias - D u) - S' y'), u = S y' (see Skeleton).

#include "brio/rigid/bone_points.hpp"
#include "brio/system/nodal_system.hpp"

#include <Eigen/Cholesky>

namespace brio {

class BoneChart : public System {
 public:
  /// All vertices of the nodal system must be bones' points, and none of them supported; it gives potentials and loads.
  BoneChart(const NodalSystem& nodal, std::shared_ptr<const BonePoints> points);

  /// Puts the middle of the chart where the bones of a state of the nodal system are; returns that state in the chart.
  State enter(const State& nodal);
  /// A state in the chart as one of the nodal system.
  void leave(const State& local, State& nodal) const;
  /// The largest angle by which a joint has turned since the middle [rad].
  double largest_turn(const State& local) const;
  const NodalSystem& nodal() const { return nodal_; }

  Index dofs() const override { return mass_.size(); }
  const VectorXd& mass() const override { return mass_; }
  bool has_damping() const override { return points_->skeleton().damped(); }
  bool time_dependent() const override { return nodal_.time_dependent(); }
  const std::vector<std::vector<int>>& free_pieces() const override { return no_pieces_; }
  Potentials potentials(double t, const VectorXd& xi) const override;
  void gradient(double t, const VectorXd& xi, VectorXd& g) const override;
  void load(double t, const VectorXd& xi, const VectorXd& v, VectorXd& f) const override;
  Potentials potentials_and_gradient(double t, const VectorXd& xi, VectorXd& g) const override;
  std::unique_ptr<Linearization> linearization() const override;
  /// Throws Error: bones have no constant stand-in for their stiffness.
  std::unique_ptr<ProjectiveMatrix> projective_matrix() const override;
  VectorXd rest() const override { return VectorXd::Zero(dofs()); }
  void positions(double t, const VectorXd& xi, MatrixX3d& x) const override;
  /// Of bones in the middle of the chart.
  void velocities(double t, const VectorXd& v, MatrixX3d& u) const override;

  /// Second derivative of the potentials and damping, both by xi, and the gradient. The stiffness is exact in the
  /// middle of the chart; away from it a part that grows with the turn is missing.
  void derivatives(double t, const VectorXd& xi, Psd psd, VectorXd& gradient, MatrixXd& K, MatrixXd& D) const;

 private:
  struct Place;  ///< a point of the chart in all its guises
  Place at(const VectorXd& xi) const;
  VectorXd scattered(const VectorXd& free) const;
  VectorXd in_chart(const Place& place, const VectorXd& generalised) const;

  const NodalSystem& nodal_;
  std::shared_ptr<const BonePoints> points_;
  VectorXd base_;
  Eigen::LLT<MatrixXd> L_;
  VectorXd mass_;
  std::vector<std::vector<int>> no_pieces_;
};

}  // namespace brio
