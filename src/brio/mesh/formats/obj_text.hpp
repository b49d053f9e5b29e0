#pragma once
// Wavefront OBJ with texture points, groups and names of materials.

#include "brio/mesh/triangle_surface.hpp"

namespace brio {

/// `x` are the positions of the surface's vertices, which may have moved. Normals are not written, as they would have
/// to move too: programs compute them.
std::string obj_text(const TriangleSurface& surface, const MatrixX3d& x,
                     const std::vector<std::string>& material_files);

}  // namespace brio
