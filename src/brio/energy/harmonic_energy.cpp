#include "brio/energy/harmonic_energy.hpp"

#include <numbers>

namespace brio {

HarmonicEnergy::HarmonicEnergy(std::vector<int> vertices, const VectorXd& vertex_mass, const Vec3& center, double omega)
    : VertexEnergy(Ledger::elastic, std::move(vertices)), stiffness_(vertices_.size()), center_(center) {
  for (size_t i = 0; i < vertices_.size(); ++i) stiffness_[i] = vertex_mass[vertices_[i]] * omega * omega;
}

void HarmonicEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const Vec3 apart = x.segment<3>(3 * vertices_[i]) - center_;
    if (want.value) *want.value += 0.5 * stiffness_[i] * apart.squaredNorm();
    if (want.gradient) want.gradient->segment<3>(3 * vertices_[i]) += stiffness_[i] * apart;
    if (want.hessian && slot_[i] >= 0) {
      double* block = want.hessian->block(slot_[i]);
      for (int k = 0; k < 3; ++k) block[4 * k] += stiffness_[i];
    }
  }
}

void HarmonicEnergy::add_projective_weights(VectorXd& slot_values) const {
  for (size_t i = 0; i < slot_.size(); ++i)
    if (slot_[i] >= 0) slot_values[slot_[i]] += stiffness_[i];
}

EnergyEntry harmonic_entry() {
  return {
      {"harmonic",
       "a well around a point: each vertex is pulled towards it in proportion to its mass and its distance",
       {Option::vec3("center", "m", "the point").with_default(Vec3(0, 0, 0)),
        Option::number("frequency", "Hz", "of the oscillation of a body with all its vertices in the well").above(0)}},
      [](const Options& o, const EnergyTarget& target) {
        return std::make_unique<HarmonicEnergy>(target.vertices, target.mass, o.vec3("center"),
                                                2 * std::numbers::pi * o.number("frequency"));
      }};
}

}  // namespace brio
