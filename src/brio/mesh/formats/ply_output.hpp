#pragma once
// The parts of a binary Stanford PLY file, little-endian: a header, then a row of numbers for each vertex, then the
// cells.

#include "brio/core/types.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace brio {

/// The header of a file whose vertices have these properties, all of PLY's `type` ("float" or "double"), and then
/// perhaps integers ("int").
std::string ply_header(Index vertices, const char* type, std::initializer_list<const char*> properties, Index triangles,
                       Index edges, const std::vector<const char*>& integers = {});

/// What follows the vertices.
std::string ply_cells(const MatrixX3i& triangles, const MatrixX2i& edges);

}  // namespace brio
