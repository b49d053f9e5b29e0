#include "brio/energy/solid_energy.hpp"

#include "brio/core/error.hpp"
#include "brio/energy/elastic_energy.hpp"
#include "brio/energy/quadratic_energy.hpp"

namespace brio {

void check_parts(const TetMesh& mesh, const std::vector<ElasticPart>& parts) {
  for (const ElasticPart& part : parts) {
    if (!part.material) throw Error("a part of an elastic energy has no material");
    if (!part.factor.empty() && part.factor.size() != part.tets.size())
      throw Error("a part of an elastic energy has {} tetrahedra, but {} factors", part.tets.size(),
                  part.factor.size());
    for (int e : part.tets)
      if (e < 0 || e >= mesh.tets())
        throw Error("a part of an elastic energy names tetrahedron {}; the mesh has {}, counted from 0", e,
                    mesh.tets());
  }
}

std::unique_ptr<SolidEnergy> make_solid_energy(const TetMesh& mesh, std::vector<ElasticPart> parts, int first_vertex) {
  if (mesh.order() == 2) return std::make_unique<QuadraticEnergy>(mesh, std::move(parts), first_vertex);
  return std::make_unique<ElasticEnergy>(mesh, std::move(parts), first_vertex);
}

}  // namespace brio
