#pragma once
// Stencils: the tetrahedra that fill the inner part of a lattice tetrahedron cut by the surface.

#include "brio/core/types.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brio {

/// One tetrahedron of the lattice with positive volume. In the uniform lattice its edges 0-1 and 2-3 are long, the
/// other four short.
struct CutTet {
  std::array<int, 4> side;            ///< -1 inside, 0 on the surface, 1 outside
  std::array<std::uint64_t, 4> rank;  ///< decides between edges of the same length; lower for even ends
  std::array<int, 4> vertex;          ///< of the mesh; not read outside
  int cut[4][4];                      ///< vertex of the mesh on an edge from inside to outside; symmetric
  int length[4][4];                   ///< squared, of an edge from inside to outside, in any unit; symmetric
};

/// How near to a lattice point, as a part of the edge, a cut must be to draw the point to itself.
constexpr double kNearOnLong = 0.28, kNearOnShort = 0.40;

/// Adds the tetrahedra that fill the part inside, all with positive volume, where X are the vertices of the mesh.
/// Neighbors that share a face agree on how it is divided. With points drawn to near cuts, dihedral angles are between
/// 10.5 and 163.8 degrees: found by going through all ways to cut a tetrahedron, as the test does.
void add_pieces(const CutTet& tet, const MatrixX3d& X, std::vector<std::array<int, 4>>& pieces);

}  // namespace brio
