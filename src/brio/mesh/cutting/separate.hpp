#pragma once
// Separates a mesh along chosen faces by duplicating vertices. Around each vertex of those faces, tetrahedra that are
// still connected through faces share one copy of it; a vertex at the border of the cut, where all of them are
// connected, is not duplicated.

#include "brio/mesh/faces.hpp"

namespace brio {

/// Renumbers corners of mesh.T and returns the old vertex of each copy; copy i has the number n + i, and the first
/// tetrahedron around a vertex keeps the old number. X is left to the caller.
std::vector<int> separate(TetMesh& mesh, const Faces& faces, const std::vector<char>& cut);

}  // namespace brio
