#include "brio/mesh/cutting/separate.hpp"

#include "brio/mesh/union_find.hpp"

namespace brio {
namespace {

int corner_of(const TetMesh& mesh, int tet, int vertex) {
  for (int c = 0; c < 4; ++c)
    if (mesh.T(tet, c) == vertex) return 4 * tet + c;
  return -1;
}

}  // namespace

std::vector<int> separate(TetMesh& mesh, const Faces& faces, const std::vector<char>& cut) {
  std::vector<char> on_cut(mesh.vertices(), 0);
  for (size_t f = 0; f < faces.shared.size(); ++f)
    if (cut[f])
      for (int v : vertices_of(mesh, faces.shared[f][0])) on_cut[v] = 1;

  UnionFind together(4 * static_cast<size_t>(mesh.tets()));  // corners, 4 tet + corner
  for (size_t f = 0; f < faces.shared.size(); ++f) {
    if (cut[f]) continue;
    const auto [one, other] = faces.shared[f];
    for (int v : vertices_of(mesh, one)) {
      if (!on_cut[v]) continue;
      together.join(corner_of(mesh, tet_of(one), v), corner_of(mesh, tet_of(other), v));
    }
  }

  const int n = mesh.vertices();
  std::vector<int> copies;
  std::vector<char> taken(n, 0);  // vertices whose old number has an owner
  std::vector<int> number(4 *
                          static_cast<size_t>(mesh.tets()));  // of the vertex at each leading corner, which comes first
  MatrixX4i renumbered = mesh.T;
  for (int corner = 0; corner < 4 * mesh.tets(); ++corner) {
    const int v = mesh.T(corner / 4, corner % 4);
    if (!on_cut[v]) continue;
    const int representative = together.representative(corner);
    if (representative == corner && taken[v]) {
      number[corner] = n + static_cast<int>(copies.size());
      copies.push_back(v);
    } else if (representative == corner) {
      number[corner] = v;
      taken[v] = 1;
    }
    renumbered(corner / 4, corner % 4) = number[representative];
  }
  mesh.T = std::move(renumbered);
  return copies;
}

}  // namespace brio
