#pragma once
// Springs: E = k/2 (|xi - xj| - L)^2. Each vertex gathers from its springs, so threads never write to the same place.

#include "brio/energy/energy.hpp"

namespace brio {

class SpringEnergy : public Energy, public ProjectiveEnergy {
 public:
  /// Rest lengths are taken from X [m]; stiffness [N/m] of each spring.
  /// `first_vertex` is the number that row 0 of X has among all vertices.
  SpringEnergy(const MatrixX3d& X, const MatrixX2i& springs, const VectorXd& stiffness, int first_vertex = 0);

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  void add_projective_weights(VectorXd& slot_values) const override;
  const ProjectiveEnergy* projective() const override { return this; }
  bool time_dependent() const override { return false; }
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}

 private:
  /// One end of a spring, as its vertex sees it.
  struct End {
    int other;  ///< vertex, among all
    double length, stiffness;
    bool counts_energy;     ///< true for one of the two ends
    int off_diagonal = -1;  ///< slot of the coupling block, at the end that has the larger block row
  };
  int first_vertex_;
  std::vector<int> begin_;  ///< per vertex of the net: its first end
  std::vector<End> ends_;
  std::vector<int> diagonal_;  ///< per vertex: slot of its diagonal block, or -1
};

}  // namespace brio
