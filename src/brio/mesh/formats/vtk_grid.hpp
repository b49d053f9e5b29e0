#pragma once
// Cells of VTK's files, legacy and XML: shared by both readers and both writers.

#include "brio/mesh/formats/mesh_builder.hpp"

#include <span>

namespace brio {

/// One piece of a grid as the file has it; nothing is checked yet.
struct VtkGrid {
  std::vector<double> points;              ///< three numbers each [m]
  std::vector<std::int64_t> connectivity;  ///< points of all cells
  std::vector<std::int64_t> offsets;       ///< where each cell's points end
  std::vector<std::int64_t> types;
  std::vector<std::int64_t> region;  ///< of each cell; may be empty
};

/// VTK's number of the cell with any number of corners in a plane.
constexpr int kVtkPolygon = 7;

/// VTK's number of a line (2 corners), a triangle (3) or a tetrahedron (4).
int vtk_type(int corners);

/// True for the names under which programs store the region of a cell.
bool names_regions(std::string_view array);

/// Checks the piece and adds it. Throws Error naming the cell.
void add_grid(const VtkGrid& grid, const std::string& path, MeshBuilder& builder);

}  // namespace brio
