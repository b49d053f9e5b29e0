#pragma once
// The drawn part as glTF wants it: one vertex for each pair of a point and a texture point, body after body, and one
// list of indices for each material of a body.

#include "brio/output/frames/drawn_part.hpp"

namespace brio {

struct GlbPrimitive {
  std::string material;
  int mode = 4;                             ///< glTF's number for what the indices make: 0 points, 1 lines, 4 triangles
  std::vector<std::uint32_t> indices = {};  ///< from the body's first vertex on
};

struct GlbBody {
  std::string name;
  size_t first = 0, count = 0;  ///< of its vertices
  bool has_normals = true;
  std::vector<GlbPrimitive> primitives = {};
};

struct GlbMesh {
  explicit GlbMesh(const DrawnPart& part);

  std::vector<int> points;  ///< the part's vertex of each vertex
  std::vector<float> uv;    ///< two numbers a vertex, from the upper left; empty without texture
  std::vector<GlbBody> bodies;

  int floats() const { return static_cast<int>(points.size()) * (normals_ ? 6 : 3); }

  /// Positions of all vertices and then, where there are triangles, normals, for the places of the part's vertices.
  std::vector<float> attributes(const MatrixX3d& x, const MatrixX3i& triangles) const;

 private:
  void take_skin(const TriangleSurface& surface, bool textured);
  void take_bodies(const DrawnPart& part);

  bool normals_;  ///< whether some body has them
};

/// Unit normals, the mean of the triangles around each vertex weighted by area; +y where there is none.
MatrixX3d vertex_normals(const MatrixX3d& x, const MatrixX3i& triangles);

}  // namespace brio
