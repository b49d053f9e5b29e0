#pragma once
// The edges and faces of the tetrahedra, and which of them two tetrahedra share.

#include "brio/mesh/tet_mesh.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brio {

/// A face of one tetrahedron: 4 tet + the corner that it leaves out.
using FaceId = std::int64_t;

/// The corners of each edge.
inline constexpr int kEdgeCorners[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
/// The corners of each face, outward from a positive tetrahedron.
inline constexpr int kFaceCorners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

inline int tet_of(FaceId face) { return static_cast<int>(face / 4); }
/// The vertices of a face, wound outwards.
inline std::array<int, 3> vertices_of(const TetMesh& mesh, FaceId face) {
  const auto& corners = kFaceCorners[face % 4];
  const int t = tet_of(face);
  return {mesh.T(t, corners[0]), mesh.T(t, corners[1]), mesh.T(t, corners[2])};
}

struct Faces {
  std::vector<FaceId> single;                 ///< of one tetrahedron only, ascending
  std::vector<std::array<FaceId, 2>> shared;  ///< a face of two tetrahedra, seen from each; ascending
};

Faces find_faces(const TetMesh& mesh);

}  // namespace brio
