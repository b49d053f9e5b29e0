#pragma once
// The kinds of cell in mesh files. Each format has its own numbers for them.

#include "brio/mesh/tet_mesh.hpp"

#include <span>

namespace brio {

struct CellType {
  int type;       ///< number in the file
  int dimension;  ///< 0 point … 3 volume
  int corners;    ///< the first nodes; 0: all nodes, however many there are
  int nodes;      ///< with those inside of edges, faces and the cell; 0: any number
  const char* name;
  /// Of a tetrahedron of ten nodes: which of the last six lies on edge 01 02 03 12 13 23; null for all other cells.
  const int* mid = nullptr;

  bool tetrahedron() const { return dimension == 3 && corners == 4; }
};

using MatrixX10i = Eigen::Matrix<int, Eigen::Dynamic, 10, Eigen::RowMajor>;

/// The nodes of quadratic tetrahedra in the order of a format, which `mid` tells as in CellType.
inline MatrixX10i cells_of_ten_nodes(const TetMesh& mesh, const int* mid) {
  MatrixX10i cells(mesh.tets(), 10);
  cells.leftCols<4>() = mesh.T;
  for (int e = 0; e < 6; ++e) cells.col(4 + mid[e]) = mesh.mid.col(e);
  return cells;
}

/// The row of that type, or nullptr.
inline const CellType* find_cell_type(std::span<const CellType> table, long type) {
  for (const CellType& cell : table)
    if (cell.type == type) return &cell;
  return nullptr;
}

/// The number of the cell with so many corners and no other nodes, all of them joined by edges: 1 for a point, 2 for a
/// line, 3 for a triangle, 4 for a tetrahedron.
inline int simplex_type(std::span<const CellType> table, int corners) {
  for (const CellType& cell : table)
    if (cell.dimension == corners - 1 && cell.nodes == corners) return cell.type;
  return 0;
}

}  // namespace brio
