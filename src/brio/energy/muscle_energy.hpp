#pragma once
// Energy of muscle fibers whose activation changes over time. It changes at fixed positions
// too; that change is the work of the muscle and counts as injected energy, like the work of a moving support.

#include "brio/core/time_profile.hpp"
#include "brio/energy/solid_energy.hpp"

#include <mutex>

namespace brio {

/// Tetrahedra of a mesh with fibers that pull.
struct MusclePart {
  std::vector<int> tets;
  double stress = 0;       ///< at full activation and the best length [Pa]
  double width = 0.5;      ///< stretches from 1 - width to 1 + width pull
  TimeProfile activation;  ///< 0 … 1
};

class MuscleEnergy : public Energy {
 public:
  MuscleEnergy(const TetMesh& mesh, std::vector<MusclePart> parts, int first_vertex = 0);

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override { elastic_->add_couplings(pairs); }
  void attach(const BlockLayout& layout) override { elastic_->attach(layout); }
  bool time_dependent() const override;
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}

 private:
  std::vector<MusclePart> parts_;
  std::vector<std::shared_ptr<double>> strength_;  ///< of each part, set before each evaluation [Pa]
  mutable std::mutex evaluation_;                  ///< one evaluation at a time: the strengths are those of its time
  std::unique_ptr<SolidEnergy> elastic_;
};

}  // namespace brio
