#pragma once
// The energy of bodies that touch each other, themselves, or obstacles that are surfaces: the books see it; steps leave it
// out of their own forces and meet it at their end (integrate/parts/body_contact.hpp).

#include "brio/collide/contact_potential.hpp"
#include "brio/core/scratch_pool.hpp"
#include "brio/energy/energy.hpp"
#include "brio/energy/motion.hpp"

#include <memory>
#include <vector>

namespace brio {

/// Vertices of a surface that moves as a scene says.
struct ObstacleVertices {
  MatrixX3d X;  ///< in the frame that moves [m]
  std::shared_ptr<const Motion> motion;
};

class SurfaceContactEnergy : public Energy, public SurfaceContact {
 public:
  /// The last vertices of the surface are those of the obstacles, in their order.
  SurfaceContactEnergy(std::shared_ptr<const CollisionSurface> surface, std::vector<ObstacleVertices> obstacles = {});
  /// Value and gradient.
  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  bool has_hessian() const override { return false; }
  void add_couplings(std::vector<std::pair<int, int>>&) const override {}
  void attach(const BlockLayout&) override {}
  bool time_dependent() const override { return moves_; }
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}
  const SurfaceContact* surfaces() const override { return this; }

  const CollisionSurface& surface() const override { return *surface_; }
  void place_obstacles(double t, VectorXd& x) const override;
  double work(double t0, const VectorXd& x0, double t1, const VectorXd& x1) const override;

 private:
  struct Scratch {
    std::unique_ptr<ContactPotential> potential;
    std::vector<ActiveContact> contacts;
    VectorXd x, later;
  };
  /// What touches at time t and the system's positions x; room->x has the obstacles, too.
  ScratchPool<Scratch>::Lease find(double t, const VectorXd& x) const;

  std::shared_ptr<const CollisionSurface> surface_;
  std::vector<ObstacleVertices> obstacles_;
  bool moves_ = false;
  ScratchPool<Scratch> scratch_;
};

}  // namespace brio
