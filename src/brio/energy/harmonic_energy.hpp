#pragma once
// A harmonic well around a point: E = sum_i m_i omega^2 / 2 |x_i - c|^2. The pull on a vertex grows with its mass and
// its distance from c, as inside a homogeneous planet, so that the center of mass of a free body with all its vertices
// in the well oscillates about c with angular frequency omega, whatever the material and the mesh.

#include "brio/energy/energy_table.hpp"
#include "brio/energy/vertex_energies.hpp"

namespace brio {

class HarmonicEnergy : public VertexEnergy, public ProjectiveEnergy {
 public:
  /// Masses [kg] of all vertices, center [m], omega [rad/s].
  HarmonicEnergy(std::vector<int> vertices, const VectorXd& vertex_mass, const Vec3& center, double omega);
  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_projective_weights(VectorXd& slot_values) const override;
  const ProjectiveEnergy* projective() const override { return this; }
  bool time_dependent() const override { return false; }
  void add_held(std::vector<int>& vertices) const override {
    vertices.insert(vertices.end(), vertices_.begin(), vertices_.end());
  }

 private:
  VectorXd stiffness_;  ///< m omega^2 of each vertex of the set [N/m]
  Vec3 center_;
};

EnergyEntry harmonic_entry();

}  // namespace brio
