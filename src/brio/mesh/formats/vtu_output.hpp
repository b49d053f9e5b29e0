#pragma once
// Writes VTK's XML format for unstructured grids, with raw appended data.

#include "brio/mesh/formats/grid.hpp"

#include <span>

namespace brio {

/// Reals are written in double precision; regions and bodies become the cell arrays "region" and "body". `at_cells` are
/// fields with values for each cell, kind by kind.
void write_vtu(const MatrixX3d& x, std::span<const GridCells> kinds, std::span<const PointField> fields,
               const ByteSink& sink, std::span<const PointField> at_cells = {});

}  // namespace brio
