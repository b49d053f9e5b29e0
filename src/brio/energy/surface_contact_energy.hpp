#pragma once
// The energy of bodies that touch each other or themselves: the books see it; steps leave it out of their own forces and
// meet it at their end (integrate/parts/body_contact.hpp).

#include "brio/collide/contact_potential.hpp"
#include "brio/core/scratch_pool.hpp"
#include "brio/energy/energy.hpp"

#include <memory>

namespace brio {

class SurfaceContactEnergy : public Energy {
 public:
  explicit SurfaceContactEnergy(std::shared_ptr<const CollisionSurface> surface)
      : Energy(Ledger::contact), surface_(std::move(surface)) {}
  /// Value and gradient.
  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  bool has_hessian() const override { return false; }
  void add_couplings(std::vector<std::pair<int, int>>&) const override {}
  void attach(const BlockLayout&) override {}
  bool time_dependent() const override { return false; }
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}
  const CollisionSurface* surfaces() const override { return surface_.get(); }

 private:
  struct Scratch {
    std::unique_ptr<ContactPotential> potential;
    std::vector<ActiveContact> contacts;
  };
  std::shared_ptr<const CollisionSurface> surface_;
  ScratchPool<Scratch> scratch_;
};

}  // namespace brio
