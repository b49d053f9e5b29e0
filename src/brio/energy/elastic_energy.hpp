#pragma once
// Elastic energy of linear tetrahedra.

#include "brio/energy/batched_solid.hpp"

namespace brio {

struct LinearTets {
  static constexpr int kNodes = 4;
  static constexpr ElementPatches::Sizes kSizes{.nodes = kNodes, .fewest_batches = 4, .most_batches = 32};
  struct Batch {
    VertexIndex vertex[kNodes][kLanes];  ///< among the vertices of the patch
    V3<Pack> g[3];                       ///< rest gradients of the shape functions of vertices 0, 1, 2 [1/m]
    Pack volume;                         ///< at rest, times the factor of its part [m^3]
  };
  /// The local vertices of an element are ordered by falling block row, so that block (a, b), a < b, lies in the lower
  /// triangle.
  struct Place {
    int count;             ///< of elements
    int slot[10][kLanes];  ///< of blocks 00 11 22 33 01 02 03 12 13 23, or -1
  };
};

class ElasticEnergy : public BatchedSolid<LinearTets> {
 public:
  /// As make_solid_energy(), of a mesh of that order.
  ElasticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex = 0);

  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  void add_projective_weights(VectorXd& slot_values) const override;

 private:
  void evaluate_batch(int batch, const double* positions, const EnergyWant& want, Pack& energy,
                      double* forces) const override;
  Pack least_determinant(const Batch& batch, const double* positions) const override;
};

}  // namespace brio
