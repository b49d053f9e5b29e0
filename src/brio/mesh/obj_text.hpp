#pragma once
// Wavefront OBJ with texture points and groups.

#include "brio/mesh/triangle_surface.hpp"

namespace brio {

/// `x` are the positions of the surface's vertices, which may have moved.
std::string obj_text(const TriangleSurface& surface, const MatrixX3d& x);

}  // namespace brio
