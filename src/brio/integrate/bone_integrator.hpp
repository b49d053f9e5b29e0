#pragma once
// Any integrator as one of bones: each step is taken in coordinates about the configuration at its beginning.

#include "brio/integrate/integrator.hpp"
#include "brio/system/bone_chart.hpp"

namespace brio {

class BoneIntegrator : public Integrator {
 public:
  /// Of the bones whose points are the vertices of `system`.
  BoneIntegrator(const NodalSystem& system, std::shared_ptr<const BonePoints> points,
                 std::unique_ptr<Integrator> method)
      : chart_(system, std::move(points)), method_(std::move(method)) {}
  /// `system` must be the one given above. Positions of the state that are not rigid are taken to the nearest that are.
  StepReport step(const System& system, State& state, double h) override;

 private:
  BoneChart chart_;
  std::unique_ptr<Integrator> method_;
};

}  // namespace brio
