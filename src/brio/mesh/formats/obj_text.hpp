#pragma once
// Text of Wavefront OBJ files.

#include "brio/mesh/triangle_surface.hpp"

namespace brio {

/// A surface with texture points, groups and names of materials. `x` are the positions of its vertices, which may have
/// moved. Normals are not written, as they would have to move too: programs compute them.
std::string obj_text(const TriangleSurface& surface, const MatrixX3d& x,
                     const std::vector<std::string>& material_files);

/// Points, triangles and lines of a frame, with the nine digits that single precision needs. `group` says of each point
/// which of the named groups its triangles and lines belong to; empty: there are no groups.
std::string obj_text(const MatrixX3d& x, const MatrixX3i& triangles, const MatrixX2i& edges,
                     const std::vector<int>& group = {}, const std::vector<std::string>& group_names = {});

}  // namespace brio
