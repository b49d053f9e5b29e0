#pragma once
// The elastic energy of a body of tetrahedra, whatever the order of its elements.

#include "brio/energy/energy.hpp"
#include "brio/material/material.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <algorithm>
#include <limits>
#include <memory>
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

/// Throws Error for parts that do not fit the mesh.
void check_parts(const TetMesh& mesh, const std::vector<ElasticPart>& parts);

class SolidEnergy : public Energy, public ProjectiveEnergy {
 public:
  SolidEnergy() : Energy(Ledger::elastic) {}
  const ProjectiveEnergy* projective() const override { return this; }
  bool time_dependent() const override { return false; }
  bool internal() const override { return true; }
  void add_held(std::vector<int>&) const override {}

  /// Of the deformation gradients at all places where the elements are evaluated.
  virtual Determinants determinants(const VectorXd& x) const = 0;
};

/// That of the mesh's order; see ElasticEnergy and QuadraticEnergy. `first_vertex` is the number that the mesh's vertex
/// 0 has among all vertices. Throws Error for a mesh that is not sound (validate() of tet_mesh.hpp) and for parts that
/// do not fit it.
std::unique_ptr<SolidEnergy> make_solid_energy(const TetMesh& mesh, std::vector<ElasticPart> parts,
                                               int first_vertex = 0);

}  // namespace brio
