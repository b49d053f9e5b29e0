#pragma once
// Takes a mesh apart along chosen faces. Around each vertex of those faces, tetrahedra that still hang together by a
// face keep one copy of the vertex; a vertex at the border of the cut, around which all of them do, stays whole.

#include "brio/mesh/faces.hpp"

namespace brio {

/// Renumbers corners of mesh.T and returns the old vertex of each copy; copy i has the number n + i, and the first
/// tetrahedron around a vertex keeps the old number. X is left to the caller.
std::vector<int> separate(TetMesh& mesh, const Faces& faces, const std::vector<char>& cut);

}  // namespace brio
