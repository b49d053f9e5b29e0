#pragma once
// What a condensed body needs besides the nodes that were chosen. A piece that nothing holds has a singular K_qq unless
// three of its points that are not in a line are dynamic: their velocities are the piece's place in space.

#include "brio/system/nodal_system.hpp"

namespace brio {

/// Vertices to be dynamic as well, so that every free piece has three that span a triangle: far from each other and
/// from those that are there. A piece that is all in a line gets its two ends and stays singular about that line.
/// `led`: per vertex, whether a bone leads it; a piece with such a vertex is held.
std::vector<int> missing_anchors(const NodalSystem& system, const std::vector<int>& dynamic_vertices,
                                 const std::vector<char>& led = {});

/// Those of the dynamic vertices by which free pieces are held in space when all others are quasistatic, completed by
/// missing_anchors: at most three a piece.
std::vector<int> lasting_anchors(const NodalSystem& system, const std::vector<int>& dynamic_vertices,
                                 const std::vector<char>& led = {});

}  // namespace brio
