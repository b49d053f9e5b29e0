#pragma once
// The kinds of cell in mesh files. Each format has its own numbers for them.

#include <span>

namespace brio {

struct CellType {
  int type;       ///< number in the file
  int dimension;  ///< 0 point … 3 volume
  int corners;    ///< the first nodes; 0: all nodes, however many there are
  int nodes;      ///< with those inside of edges, faces and the cell; 0: any number
  const char* name;

  bool tetrahedron() const { return dimension == 3 && corners == 4; }
};

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
