#include "brio/energy/surface_contact_energy.hpp"

namespace brio {

SurfaceContactEnergy::SurfaceContactEnergy(std::shared_ptr<const CollisionSurface> surface,
                                           std::vector<ObstacleVertices> obstacles)
    : Energy(Ledger::contact), surface_(std::move(surface)), obstacles_(std::move(obstacles)) {
  for (const ObstacleVertices& obstacle : obstacles_) moves_ = moves_ || obstacle.motion->moves();
}

void SurfaceContactEnergy::place_obstacles(double t, VectorXd& x) const {
  Index at = x.size();
  for (const ObstacleVertices& obstacle : obstacles_) at -= obstacle.X.size();
  for (const ObstacleVertices& obstacle : obstacles_) {
    const Pose pose = obstacle.motion->pose(t);
    for (Index v = 0; v < obstacle.X.rows(); ++v, at += 3)
      x.segment<3>(at) = pose.position(obstacle.X.row(v).transpose());
  }
}

ScratchPool<SurfaceContactEnergy::Scratch>::Lease SurfaceContactEnergy::find(double t, const VectorXd& x) const {
  auto room = scratch_.take();
  if (!room->potential) room->potential = std::make_unique<ContactPotential>(*surface_);
  room->x.resize(surface_->rest().size());
  room->x.head(x.size()) = x;
  place_obstacles(t, room->x);
  room->potential->find(room->x, room->contacts);
  return room;
}

void SurfaceContactEnergy::evaluate(double t, const VectorXd& x, const EnergyWant& want) const {
  const auto room = find(t, x);
  const int vertices = static_cast<int>(x.size() / 3);
  for (const ActiveContact& contact : room->contacts) {
    if (want.value) *want.value += contact.energy;
    if (!want.gradient) continue;
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v < vertices) want.gradient->segment<3>(3 * v) += contact.gradient[i];
  }
}

double SurfaceContactEnergy::work(double t0, const VectorXd& x0, double t1, const VectorXd& x1) const {
  const auto room = find(t0, x0);
  room->later.resize(room->x.size());
  room->later.head(x1.size()) = x1;
  place_obstacles(t1, room->later);
  double sum = 0;
  for (const ActiveContact& contact : room->contacts)
    for (int i = 0; i < 4; ++i) {
      const Index at = 3 * contact.vertex[i];
      sum += contact.gradient[i].dot(room->later.segment<3>(at) - room->x.segment<3>(at));
    }
  return sum;
}

}  // namespace brio
