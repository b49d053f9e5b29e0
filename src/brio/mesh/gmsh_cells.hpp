#pragma once
// The kinds of cell in Gmsh files.

namespace brio {

struct GmshCell {
  int type;       ///< number in the file
  int dimension;  ///< 0 point … 3 volume
  int corners;    ///< the first nodes
  int nodes;      ///< with those inside of edges, faces and the cell
  const char* name;
};

/// The cell of that type, or nullptr.
const GmshCell* find_gmsh_cell(long type);

}  // namespace brio
