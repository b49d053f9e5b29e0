#pragma once
// Elastic energy of linear tetrahedra. Elements are evaluated eight at a time; groups of batches that share no vertex
// have the same colour and are added in parallel, so every sum is taken in the same order for any number of threads.

#include "brio/energy/energy.hpp"
#include "brio/material/material.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <memory>
#include <vector>

namespace brio {

/// Elements made of one material. Parts may overlap: a fibre law acts on top of the matrix around it.
struct ElasticPart {
  std::shared_ptr<const Material> material;
  std::vector<int> tets;
  std::vector<double> factor = {};  ///< on the energy of each tetrahedron, for graded stiffness; 1 where empty
};

class ElasticEnergy : public Energy {
 public:
  ElasticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts);

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  void add_projective_weights(VectorXd& slot_values) const override;
  bool time_dependent() const override { return false; }
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}

  /// Smallest determinant of the deformation gradient over all elements; below zero an element is inside out.
  double smallest_determinant(const VectorXd& x) const;

 private:
  /// Eight elements of one part. Local vertices are ordered by falling block row, so that block (a, b), a < b, lies in
  /// the lower triangle. Lanes past `count` repeat the first.
  struct Batch {
    int count;
    const Material* material;
    int vertex[4][kLanes];
    int slot[10][kLanes];  ///< of blocks 00 11 22 33 01 02 03 12 13 23, or -1
    V3<Pack> g[3];         ///< rest gradients of the shape functions of vertices 0, 1, 2 [1/m]
    V3<Pack> fibre;
    Pack volume;  ///< at rest, times the factor of its part [m^3]
  };
  using Vertices = const int (*)[kLanes];

  void build(const TetMesh& mesh, const ElasticPart& part);
  void colour(int vertices);
  /// Adds gradient and hessian; returns the energy when want.value is set, else 0.
  double add_batch(const Batch& batch, const VectorXd& x, const EnergyWant& want) const;
  double energy(const VectorXd& x) const;
  template <class Body>
  void for_each_batch_by_colour(const Body& body) const;
  static M3<Pack> deformation_gradient(const Batch& batch, const VectorXd& x);

  std::vector<std::shared_ptr<const Material>> materials_;
  std::vector<Batch> batches_;
  std::vector<int> group_begin_;              ///< groups of consecutive batches
  std::vector<int> colour_begin_;             ///< colours: ranges of consecutive groups
  mutable std::vector<double> batch_energy_;  ///< of an evaluation that wants value and gradient in one pass [J]
};

}  // namespace brio
