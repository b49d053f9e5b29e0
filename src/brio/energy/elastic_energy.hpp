#pragma once
// Elastic energy of linear tetrahedra, which are evaluated eight at a time, in batches, patch by patch
// (element_patches.hpp).

#include "brio/core/scratch_pool.hpp"
#include "brio/core/vertex_packs.hpp"
#include "brio/energy/element_patches.hpp"
#include "brio/energy/solid_energy.hpp"

#include <array>

namespace brio {

class ElasticEnergy : public SolidEnergy {
 public:
  /// `first_vertex` is the number that the mesh's vertex 0 has among all vertices. Throws Error for a mesh that is not
  /// sound (validate() of tet_mesh.hpp) or not linear, and for parts that do not fit it.
  ElasticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex = 0);

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  void add_projective_weights(VectorXd& slot_values) const override;
  ProjectiveFit projective_fit() const override;
  Determinants determinants(const VectorXd& x) const override;

 private:
  /// Eight elements of one part: what every evaluation reads. Lanes past the last element repeat the first with a
  /// volume of zero.
  struct Batch {
    VertexIndex vertex[4][kLanes];  ///< among the vertices of the patch
    V3<Pack> g[3];                  ///< rest gradients of the shape functions of vertices 0, 1, 2 [1/m]
    Pack volume;                    ///< at rest, times the factor of its part [m^3]
  };
  /// Data that only some evaluations read. The local vertices of an element are ordered by falling block row, so that
  /// block (a, b), a < b, lies in the lower triangle.
  struct BatchPlace {
    int count;             ///< of elements
    int slot[10][kLanes];  ///< of blocks 00 11 22 33 01 02 03 12 13 23, or -1
  };
  using Patch = ElementPatches::Patch;

  /// Adds the batches of a part, and the vertices of their elements to `corners`, batch by batch.
  void add_batches(const TetMesh& mesh, const ElasticPart& part, std::vector<int>& corners);
  /// What the patches leave behind in one evaluation.
  struct Scratch {
    std::vector<double> copy_force;    ///< the gradient at each copy, three numbers [N]
    std::vector<double> patch_energy;  ///< [J]
  };
  /// Adds hessian, leaves forces at its copies of the vertices, and returns the energy; each of them where wanted.
  double evaluate_patch(const Patch& patch, const VectorXd& x, const EnergyWant& want, Scratch& room) const;
  static M3<Pack> deformation_gradient(const Batch& batch, const double* positions);
  static void fetch_blocks(const BatchPlace& place, const BlockMatrix& hessian);
  static void add_blocks(const BatchPlace& place, const M3<Pack> (&K)[6], const Pack& volume, BlockMatrix& hessian);
  V3<Pack> fiber(int batch) const { return fibers_.empty() ? V3<Pack>{} : fibers_[batch]; }
  /// body(batch, lane, vertices) for every element.
  template <class Body>
  void for_each_element(const Body& body) const;

  std::vector<std::shared_ptr<const Material>> materials_;
  std::vector<Batch> batches_;
  std::vector<const Material*> material_;  ///< of each batch
  std::vector<BatchPlace> places_;         ///< of each batch
  std::vector<V3<Pack>> fibers_;           ///< of each batch, or of none
  ElementPatches patches_;
  ScratchPool<Scratch> scratch_;
};

}  // namespace brio
