#pragma once
// Cuts a mesh with a surface, between its tetrahedra or through them (docs/cutting.md).
//
//   const CutMesh cut = cut_mesh(mesh, x, *cutting_plane(point, normal), {});
//   if (cut.changed()) … carried(cut.origin, velocities) …

#include "brio/mesh/cutting/cutting_surface.hpp"
#include "brio/mesh/cutting/split_edges.hpp"

#include <vector>

namespace brio {

struct CutOptions {
  enum class Through { elements, faces } through = Through::elements;
  /// Through elements: a vertex this close to the surface, in parts of its edges, is taken to be on it. No part of a
  /// tetrahedron is then smaller than about the cube of this.
  double snap = 0.1;
};

struct CutMesh {
  TetMesh mesh;                      ///< old vertices keep their numbers; without a change, the old mesh
  std::vector<VertexOrigin> origin;  ///< of each vertex, in old ones
  std::vector<int> old_tet;          ///< of each tetrahedron
  int subdivided = 0;                ///< old tetrahedra that were
  int faces = 0;                     ///< where the body was taken apart
  int pieces_before = 0, pieces = 0;

  bool changed() const { return faces > 0; }
};

/// x: where the vertices are as the surface sees them, at rest or now; parts of edges are the same in both. Nothing
/// changes where the surface misses the body, or reaches into it by less than an element.
CutMesh cut_mesh(const TetMesh& mesh, const MatrixX3d& x, const CuttingSurface& surface, const CutOptions& options);

}  // namespace brio
