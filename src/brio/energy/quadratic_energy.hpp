#pragma once
// Elastic energy of quadratic tetrahedra (mesh/quadratic.hpp), straight or curved. Each is evaluated at four points
// with barycentric coordinates (a, b, b, b), a = (5 + 3 sqrt 5)/20, b = (5 - sqrt 5)/20, which integrates quadratic
// polynomials exactly (Zienkiewicz, Taylor, Zhu 2013, table 5.3): those of the stiffness of a straight element. Four
// points see all its 24 ways to strain, so that no motion but a rigid one is without energy. Elements are evaluated
// eight at a time, in batches, patch by patch (element_patches.hpp).

#include "brio/core/scratch_pool.hpp"
#include "brio/core/vertex_packs.hpp"
#include "brio/energy/element_patches.hpp"
#include "brio/energy/quadratic_blocks.hpp"
#include "brio/energy/solid_energy.hpp"

#include <array>

namespace brio {

class QuadraticEnergy : public SolidEnergy {
 public:
  /// `first_vertex` is the number that the mesh's vertex 0 has among all vertices. Throws Error for a mesh that is not
  /// sound (validate() of tet_mesh.hpp) or not quadratic, and for parts that do not fit it.
  QuadraticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex = 0);

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  void add_projective_weights(VectorXd& slot_values) const override;
  ProjectiveFit projective_fit() const override;
  Determinants determinants(const VectorXd& x) const override;

 private:
  /// Where eight elements are evaluated.
  struct Point {
    V3<Pack> g[3];  ///< rest gradients of the barycentric coordinates 0, 1, 2 [1/m]
    Pack volume;    ///< that the point stands for, at rest, times the factor of its part [m^3]
  };
  /// Eight elements of one part. Lanes past the last element repeat the first with a volume of zero.
  struct Batch {
    VertexIndex vertex[quadratic::kNodes][kLanes];  ///< among the vertices of the patch
    Point point[quadratic::kPoints];
  };
  using Patch = ElementPatches::Patch;
  /// What the patches leave behind in one evaluation.
  struct Scratch {
    std::vector<double> copy_force;    ///< the gradient at each copy, three numbers [N]
    std::vector<double> patch_energy;  ///< [J]
  };
  void add_batches(const TetMesh& mesh, const ElasticPart& part, std::vector<int>& nodes);
  double evaluate_patch(const Patch& patch, const VectorXd& x, const EnergyWant& want, Scratch& room) const;
  void evaluate_batch(int batch, const double* positions, const EnergyWant& want, Pack& energy, double* forces) const;
  V3<Pack> fiber(int batch) const { return fibers_.empty() ? V3<Pack>{} : fibers_[batch]; }
  /// body(batch, lane, vertices) for every element.
  template <class Body>
  void for_each_element(const Body& body) const;

  std::vector<std::shared_ptr<const Material>> materials_;
  std::vector<Batch> batches_;
  std::vector<const Material*> material_;  ///< of each batch
  std::vector<QuadraticPlace> places_;     ///< of each batch
  std::vector<V3<Pack>> fibers_;           ///< of each batch, or of none
  ElementPatches patches_;
  ScratchPool<Scratch> scratch_;
};

}  // namespace brio
