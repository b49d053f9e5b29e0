#pragma once
// Any integrator as one of bones: each step is taken in coordinates about the configuration at its beginning.

#include "brio/integrate/integrator.hpp"
#include "brio/system/bone_chart.hpp"

namespace brio {

class BoneIntegrator : public Integrator {
 public:
  /// Numbers that the method keeps in State::memory are kept from step to step. `keeps_directions`: directions are of
  /// use in the coordinates of the next step too, as those of adaptive condensation are. They are directions of tissue;
  /// joints have no part in them.
  BoneIntegrator(std::shared_ptr<const BonePoints> points, std::unique_ptr<Integrator> method,
                 bool keeps_directions = false)
      : points_(std::move(points)), method_(std::move(method)), keeps_directions_(keeps_directions) {}
  /// The system must be a NodalSystem that has the bones' points among its vertices.
  void prepare(const System& system) override;
  /// Positions of the state that are not rigid are taken to the nearest that are.
  StepReport step(State& state, double h) override;
  /// Takes the velocities of bones to the rigid ones with the same momentum.
  void on_velocity_impulse(State& state, const VectorXd& dv) override;

 private:
  void enter_memory(const std::vector<Remembered>& nodal, std::vector<Remembered>& local) const;
  void leave_memory(std::vector<Remembered> local, std::vector<Remembered>& nodal) const;

  std::shared_ptr<const BonePoints> points_;
  std::unique_ptr<BoneChart> chart_;  ///< every step puts its middle anew
  std::unique_ptr<Integrator> method_;
  bool keeps_directions_;
};

}  // namespace brio
