#pragma once
// A nodal system without its obstacles, for methods that meet them in their own way; see ContactSystem.

#include "brio/system/nodal_system.hpp"

namespace brio {

class WithoutObstacles : public System, public ProjectiveSystem, public IterativeSystem {
 public:
  explicit WithoutObstacles(const NodalSystem& system) : system_(system) {}

  Index dofs() const override { return system_.dofs(); }
  const VectorXd& mass() const override { return system_.mass(); }
  bool has_damping() const override { return system_.has_damping(); }
  bool time_dependent() const override { return system_.time_dependent_without_obstacles(); }
  const std::vector<std::vector<int>>& free_pieces() const override { return system_.free_pieces(); }
  const std::vector<std::vector<int>>& held_pieces() const override { return system_.held_pieces(); }
  Potentials potentials(double t, const VectorXd& q) const override {
    return system_.potentials(t, q, Obstacles::left_out);
  }
  void gradient(double t, const VectorXd& q, VectorXd& g) const override {
    system_.gradient(t, q, g, Obstacles::left_out);
  }
  void load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override { system_.load(t, q, v, f); }
  Potentials potentials_and_gradient(double t, const VectorXd& q, VectorXd& g) const override {
    return system_.potentials_and_gradient(t, q, g, Obstacles::left_out);
  }
  std::unique_ptr<Linearization> linearization() const override;
  std::unique_ptr<Linearization> iterative_linearization(double tolerance, int iterations) const override;
  std::unique_ptr<ProjectiveMatrix> projective_matrix() const override { return system_.projective_matrix(); }
  ProjectiveFit projective_fit() const override { return system_.projective_fit(); }
  const ProjectiveSystem* projective() const override { return this; }
  const IterativeSystem* iterative() const override { return this; }
  double free_fall() const override { return system_.free_fall(); }
  double energy_round_off() const override { return system_.energy_round_off(); }
  VectorXd rest() const override { return system_.rest(); }
  void positions(double t, const VectorXd& q, MatrixX3d& x) const override { system_.positions(t, q, x); }
  void velocities(double t, const VectorXd& v, MatrixX3d& u) const override { system_.velocities(t, v, u); }

 private:
  const NodalSystem& system_;
};

}  // namespace brio
