#pragma once
// Any integrator as one of bones: each step is taken in coordinates about the configuration at its beginning.

#include "brio/integrate/integrator.hpp"
#include "brio/system/bone_chart.hpp"

namespace brio {

class BoneIntegrator : public Integrator {
 public:
  /// Of the bones whose points are the vertices of `system`. `remembers`: what the method keeps in State::memory is of
  /// use in the coordinates of the next step too, as that of adaptive condensation.
  BoneIntegrator(const NodalSystem& system, std::shared_ptr<const BonePoints> points,
                 std::unique_ptr<Integrator> method, bool remembers = false)
      : chart_(system, std::move(points)), method_(std::move(method)), remembers_(remembers) {}
  /// `system` must be the one given above. Positions of the state that are not rigid are taken to the nearest that are.
  StepReport step(const System& system, State& state, double h) override;
  /// Takes the velocities of bones to the rigid ones with the same momentum.
  void on_velocity_impulse(State& state, const VectorXd& dv) const override;

 private:
  mutable BoneChart chart_;  ///< every step puts its middle anew
  std::unique_ptr<Integrator> method_;
  bool remembers_;
};

}  // namespace brio
