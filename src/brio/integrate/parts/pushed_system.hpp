#pragma once
// A system with a constant force in place of its contacts: the one of a step's beginning.

#include "brio/system/system.hpp"

namespace brio {

class PushedSystem : public System {
 public:
  explicit PushedSystem(const System& system) : system_(system), push(VectorXd::Zero(system.dofs())) {}

  Index dofs() const override { return system_.dofs(); }
  const VectorXd& mass() const override { return system_.mass(); }
  bool has_damping() const override { return system_.has_damping(); }
  const std::vector<std::vector<int>>& free_pieces() const override { return system_.free_pieces(); }
  const std::vector<std::vector<int>>& held_pieces() const override { return system_.held_pieces(); }
  bool time_dependent() const override { return system_.time_dependent(); }
  Potentials potentials(double t, const VectorXd& q) const override { return system_.potentials(t, q); }
  void gradient(double t, const VectorXd& q, VectorXd& g) const override { system_.gradient(t, q, g); }
  void load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override {
    system_.load(t, q, v, f);
    f += push;
  }
  void working_load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override {
    system_.working_load(t, q, v, f);
    f += push;
  }
  double kinetic_energy(const VectorXd& q, const VectorXd& v) const override { return system_.kinetic_energy(q, v); }
  Potentials potentials_and_gradient(double t, const VectorXd& q, VectorXd& g) const override {
    return system_.potentials_and_gradient(t, q, g);
  }
  std::unique_ptr<Linearization> linearization() const override { return system_.linearization(); }
  const ProjectiveSystem* projective() const override { return system_.projective(); }
  const IterativeSystem* iterative() const override { return system_.iterative(); }
  double free_fall() const override { return system_.free_fall(); }
  double energy_round_off() const override { return system_.energy_round_off(); }
  VectorXd rest() const override { return system_.rest(); }
  void positions(double t, const VectorXd& q, MatrixX3d& x) const override { system_.positions(t, q, x); }
  void velocities(double t, const VectorXd& v, MatrixX3d& u) const override { system_.velocities(t, v, u); }

 private:
  const System& system_;

 public:
  VectorXd push;  ///< [N]
};

}  // namespace brio
