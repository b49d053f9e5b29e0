#pragma once
// Elastic energy of linear tetrahedra. Elements are evaluated eight at a time, in batches; a patch is up to 32 batches
// that are neighbors in space. A patch has its own copies of the vertices that it touches: it reads positions and adds
// up forces there, in the nearest cache, and what the patches left at a vertex is then added up in the order of the
// patches. Second derivatives go where they belong directly, by colors: patches of one color share no vertex. So
// every sum is taken in the same order for any number of threads.

#include "brio/core/scratch_pool.hpp"
#include "brio/core/vertex_packs.hpp"
#include "brio/energy/energy.hpp"
#include "brio/material/material.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace brio {

/// Of the deformation gradients of all elements.
struct Determinants {
  double smallest = std::numeric_limits<double>::infinity();
  int inverted = 0;  ///< elements that are flat or inside out

  Determinants& operator+=(const Determinants& others) {
    smallest = std::min(smallest, others.smallest);
    inverted += others.inverted;
    return *this;
  }
};

/// Elements made of one material. Parts may overlap: a fiber law acts on top of the matrix around it.
struct ElasticPart {
  std::shared_ptr<const Material> material;
  std::vector<int> tets;
  std::vector<double> factor = {};  ///< on the energy of each tetrahedron, for graded stiffness; 1 where empty
};

class ElasticEnergy : public Energy, public ProjectiveEnergy {
 public:
  /// `first_vertex` is the number that the mesh's vertex 0 has among all vertices. Throws Error for a mesh that is not
  /// sound (validate() of tet_mesh.hpp) and for parts that do not fit it.
  ElasticEnergy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex = 0);

  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override;
  void add_couplings(std::vector<std::pair<int, int>>& pairs) const override;
  void attach(const BlockLayout& layout) override;
  void add_projective_weights(VectorXd& slot_values) const override;
  ProjectiveFit projective_fit() const override;
  const ProjectiveEnergy* projective() const override { return this; }
  bool time_dependent() const override { return false; }
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}

  Determinants determinants(const VectorXd& x) const;

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
  struct Patch {
    int batch_begin, batch_end;
    int copy_begin, copy_end;  ///< in copy_vertex_
  };
  /// The vertices of eight elements.
  using Corners = std::array<std::array<int, kLanes>, 4>;

  void add_batches(const TetMesh& mesh, const ElasticPart& part, std::vector<Corners>& corners);
  void cut_into_patches(const std::vector<Corners>& corners);
  void color_patches(int vertices);
  void list_copies(int vertices);
  /// What the patches leave behind in one evaluation.
  struct Scratch {
    std::vector<double> copy_force;    ///< the gradient at each copy, three numbers [N]
    std::vector<double> patch_energy;  ///< [J]
  };
  /// Adds hessian, leaves forces at its copies of the vertices, and returns the energy; each of them where wanted.
  double evaluate_patch(const Patch& patch, const VectorXd& x, const EnergyWant& want, Scratch& room) const;
  static M3<Pack> deformation_gradient(const Batch& batch, const double* positions);
  static void add_blocks(const BatchPlace& place, const M3<Pack> (&K)[6], const Pack& volume, BlockMatrix& hessian);
  void add_forces(const Scratch& room, VectorXd& gradient) const;
  std::span<const int> vertices_of(const Patch& patch) const {
    return {copy_vertex_.data() + patch.copy_begin, copy_vertex_.data() + patch.copy_end};
  }
  V3<Pack> fiber(int batch) const { return fibers_.empty() ? V3<Pack>{} : fibers_[batch]; }
  /// body(batch, lane, vertices) for every element.
  template <class Body>
  void for_each_element(const Body& body) const;

  int first_vertex_;
  std::vector<std::shared_ptr<const Material>> materials_;
  std::vector<Batch> batches_;
  std::vector<const Material*> material_;  ///< of each batch
  std::vector<BatchPlace> places_;         ///< of each batch
  std::vector<V3<Pack>> fibers_;           ///< of each batch, or of none
  std::vector<Patch> patches_;
  std::vector<int> colored_, color_begin_;  ///< the patches of each color
  std::vector<int> copy_vertex_;            ///< the vertex that each copy is of
  std::vector<int> copies_begin_, copies_;  ///< the copies of each vertex, in the order of the patches
  ScratchPool<Scratch> scratch_;
};

}  // namespace brio
