#pragma once
// Springs between vertices and points of another body: E = k/2 (|x - sum w_i x_i| - L)^2. The point is a fixed mixture
// of up to four vertices, so that bodies with meshes that do not match can be tied to each other. With L = 0 the spring
// resists every way, as glue does; otherwise only along its length.

#include "brio/energy/energy.hpp"

#include <array>

namespace brio {

/// A vertex tied to a point that other vertices carry.
struct Tie {
  int vertex = 0;
  std::array<int, 4> carriers = {};  ///< where fewer are needed, the first again with weight 0
  std::array<double, 4> weights = {1, 0, 0, 0};
  double length = 0;  ///< at rest [m]
};

class TieEnergy : public Energy, public ProjectiveEnergy {
 public:
  /// Stiffness of each spring [N/m].
  TieEnergy(std::vector<Tie> ties, double stiffness);

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  void add_projective_weights(VectorXd& slot_values) const override;
  const ProjectiveEnergy* projective() const override { return this; }
  bool time_dependent() const override { return false; }
  /// Weights add up to one and the force is along d, so that neither momentum nor angular momentum changes.
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}

 private:
  /// The five vertices of a tie and what each counts: 1 for the vertex, -w for the carriers.
  struct Member {
    int vertex;
    double share;
  };
  static std::array<Member, 5> members(const Tie& tie);

  std::vector<Tie> ties_;
  double stiffness_;
  std::vector<std::array<std::array<int, 5>, 5>> slots_;  ///< of each tie's blocks in the lower triangle, or -1
};

}  // namespace brio
