#pragma once
// A soft floor: below the height y0 a vertex at depth d has the energy k d^3 / 3, so that the force k d^2 grows
// smoothly from nothing, where that of an obstacle has a kink.

#include <brio/brio.hpp>

namespace brio {

class Cushion : public VertexEnergy {
 public:
  Cushion(std::vector<int> vertices, double stiffness, double height)
      : VertexEnergy(Ledger::contact, std::move(vertices)), k_(stiffness), y0_(height) {}

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  bool time_dependent() const override { return false; }

 private:
  double k_;   ///< [N/m^2]
  double y0_;  ///< [m]
};

/// The row of the table of energies.
EnergyEntry cushion_entry();

}  // namespace brio
