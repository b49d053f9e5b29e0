#include "brio/mesh/generators/given_mesh.hpp"

#include "brio/core/error.hpp"

namespace brio {
namespace {

TetMesh mesh_of_numbers(const Options& o) {
  const std::vector<Vec3>& vertices = o.vec3s("vertices");
  const std::vector<double>&tets = o.numbers("tets"), &regions = o.numbers("regions");
  if (tets.empty() || tets.size() % 4 != 0)
    throw Error("given mesh: tets has {} numbers; expected four for each tetrahedron", tets.size());
  TetMesh mesh;
  mesh.X.resize(static_cast<Index>(vertices.size()), 3);
  for (size_t v = 0; v < vertices.size(); ++v) mesh.X.row(static_cast<Index>(v)) = vertices[v];
  const Index count = static_cast<Index>(tets.size() / 4);
  if (!regions.empty() && static_cast<Index>(regions.size()) != count)
    throw Error("given mesh: regions has {} numbers; expected one for each of the {} tetrahedra, or none",
                regions.size(), count);
  mesh.T.resize(count, 4);
  mesh.region = VectorXi::Zero(count);
  mesh.fiber = MatrixX3d::Zero(count, 3);
  for (Index t = 0; t < count; ++t) {
    for (int i = 0; i < 4; ++i) mesh.T(t, i) = static_cast<int>(tets[4 * t + i]);
    if (!regions.empty()) mesh.region[t] = static_cast<int>(regions[t]);
  }
  validate(mesh, "given mesh");
  return mesh;
}

}  // namespace

GeneratorEntry given_mesh_generator() {
  return {{"given",
           "tetrahedra whose numbers stand in the scene, as a program writes them",
           {Option::vec3s("vertices", "m", "places of the vertices at rest"),
            Option::integers("tets", "four vertices of each tetrahedron, counted from 0, one after the other").at_least(0),
            Option::integers("regions", "the region of each tetrahedron; all are in region 0 without")
                .with_default(std::vector<double>{})
                .at_least(0)}},
          mesh_of_numbers};
}

}  // namespace brio
