#pragma once
// Elastic energy of quadratic tetrahedra (mesh/quadratic.hpp), straight or curved. Each is evaluated at four points
// with barycentric coordinates (a, b, b, b), a = (5 + 3 sqrt 5)/20, b = (5 - sqrt 5)/20, which integrates quadratic
// polynomials exactly (Zienkiewicz, Taylor, Zhu 2013, table 5.3): those of the stiffness of a straight element. Four
// points see all its 24 ways to strain, so that no motion but a rigid one is without energy.

#include "brio/energy/batched_solid.hpp"
#include "brio/energy/quadratic_blocks.hpp"

namespace brio {

struct QuadraticTets {
  static constexpr int kNodes = quadratic::kNodes;
  static constexpr ElementPatches::Sizes kSizes{.nodes = kNodes, .fewest_batches = 2, .most_batches = 16};
  /// Where eight elements are evaluated.
  struct Point {
    V3<Pack> g[3];  ///< rest gradients of the barycentric coordinates 0, 1, 2 [1/m]
    Pack volume;    ///< that the point stands for, at rest, times the factor of its part [m^3]
  };
  struct Batch {
    VertexIndex vertex[kNodes][kLanes];  ///< among the vertices of the patch
    Point point[quadratic::kPoints];
  };
  using Place = QuadraticPlace;
};

class QuadraticEnergy : public BatchedSolid<QuadraticTets> {
 public:
  /// As make_solid_energy(), of a mesh of that order.
  QuadraticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex = 0);

  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  void add_projective_weights(VectorXd& slot_values) const override;

 private:
  void evaluate_batch(int batch, const double* positions, const EnergyWant& want, Pack& energy,
                      double* forces) const override;
  Pack least_determinant(const Batch& batch, const double* positions) const override;
};

}  // namespace brio
