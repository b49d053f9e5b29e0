#pragma once
// Boxes of equal cells, each cut into five or six tetrahedra.

#include "brio/mesh/generators/generators.hpp"

#include <array>

namespace brio {

/// The box [origin, origin + size] of cells[0] x cells[1] x cells[2] cells. Six tetrahedra a cell share one space
/// diagonal, the same in every cell; five are a regular one and its four caps, mirrored from cell to cell.
TetMesh make_box(const Vec3& size, std::array<int, 3> cells, int tets_per_cell = 5, const Vec3& origin = Vec3::Zero());

/// A box with length along x, height along y, width along z and near-cubic cells, `cells_across` over the width; or as
/// many over the length as `cells_along` says.
TetMesh make_bar(double length, double width, double height, int cells_across, int tets_per_cell = 5,
                 int cells_along = 0);

GeneratorEntry box_generator();
GeneratorEntry bar_generator();

}  // namespace brio
