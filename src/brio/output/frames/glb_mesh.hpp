#pragma once
// The drawn part as glTF wants it: one vertex for each pair of a point and a texture point, and one list of indices for
// each material.

#include "brio/output/frames/drawn_part.hpp"

namespace brio {

struct GlbPrimitive {
  std::string material;
  std::vector<std::uint32_t> indices;
};

struct GlbMesh {
  explicit GlbMesh(const DrawnPart& part);

  int mode = 4;             ///< glTF's number for what the indices make: 0 points, 1 lines, 4 triangles
  std::vector<int> points;  ///< the part's vertex of each vertex
  std::vector<float> uv;    ///< two numbers a vertex, from the upper left; empty without texture
  std::vector<GlbPrimitive> primitives;

  bool has_normals() const { return mode == 4; }
  int floats() const { return static_cast<int>(points.size()) * (has_normals() ? 6 : 3); }

  /// Positions of all vertices and then, where there are triangles, normals, for the places of the part's vertices.
  std::vector<float> attributes(const MatrixX3d& x, const MatrixX3i& triangles) const;

 private:
  void take_skin(const TriangleSurface& surface, bool textured);
};

/// Unit normals, the mean of the triangles around each vertex weighted by area; +y where there is none.
MatrixX3d vertex_normals(const MatrixX3d& x, const MatrixX3i& triangles);

}  // namespace brio
