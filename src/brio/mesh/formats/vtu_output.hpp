#pragma once
// Writes VTK's XML format for unstructured grids, with raw appended data.

#include "brio/mesh/formats/grid.hpp"

#include <span>

namespace brio {

/// Point data are written in double precision; the regions become the cell array "region".
void write_vtu(const MatrixX3d& x, const GridCells& cells, std::span<const PointField> fields, const ByteSink& sink);

}  // namespace brio
