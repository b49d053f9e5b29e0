#pragma once
// A pressure on a closed surface, such as the wall of a cavity: E = p V with V the volume inside the triangles, which
// face away from the material. It pushes against each triangle with p times its area, whatever way that has turned,
// and has second derivatives. On a surface with a rim no energy has such a force; the load "pressure" does.

#include "brio/energy/energy_table.hpp"

namespace brio {

class PressureEnergy : public Energy {
 public:
  /// Pressure [Pa]; the triangles must be closed.
  PressureEnergy(MatrixX3i triangles, double pressure, const Vec3& origin);

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  bool time_dependent() const override { return false; }
  /// A closed surface under one pressure feels neither a net force nor a torque.
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}

 private:
  MatrixX3i triangles_;
  double pressure_;
  Vec3 origin_;  ///< near the surface, against round-off; the volume does not depend on it
  std::vector<std::array<int, 3>> slots_;   ///< of blocks 01 12 20 of each triangle, or -1
  std::vector<std::array<bool, 3>> turned_;  ///< whether the transposed block is the one that is stored
};

EnergyEntry pressure_entry();

/// The triangles with all their corners in the set. Throws Error where there are none.
MatrixX3i triangles_within(const MatrixX3i& triangles, const std::vector<int>& vertices);

}  // namespace brio
