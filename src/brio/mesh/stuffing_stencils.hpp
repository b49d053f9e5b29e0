#pragma once
// What is left of a tetrahedron of the lattice when the surface has cut it.

#include <array>
#include <vector>

namespace brio {

/// One tetrahedron of the lattice with positive volume. Its edges 0-1 and 2-3 are long, the other four short.
struct CutTet {
  std::array<int, 4> side;    ///< -1 inside, 0 on the surface, 1 outside
  std::array<bool, 4> even;   ///< exactly one end of every long edge is even
  std::array<int, 4> vertex;  ///< of the mesh; not read outside
  int cut[4][4];              ///< vertex of the mesh on an edge from inside to outside; symmetric
};

/// Adds the tetrahedra that fill the part inside, all with positive volume. Neighbours that share a face agree on how
/// it is divided.
void add_pieces(const CutTet& tet, std::vector<std::array<int, 4>>& pieces);

}  // namespace brio
