#pragma once
// Repairs a mesh from a file so that it can be simulated: fixes what can be fixed and reports it, refuses the rest.
// Tetrahedra and vertices are counted from 0, as in the mesh before the repair.

#include "brio/mesh/tet_mesh.hpp"

#include <string>
#include <vector>

namespace brio {

struct RepairReport {
  /// How many tetrahedra or vertices, and the first of them in words.
  struct Finding {
    int count = 0;
    std::string first;
  };
  Finding flipped;       ///< tetrahedra that were inside out; two of their vertices were exchanged
  Finding flat;          ///< tetrahedra without volume, dropped
  Finding duplicate;     ///< tetrahedra with the four vertices of an earlier one, dropped
  Finding unreferenced;  ///< vertices of no tetrahedron, dropped
  Finding coincident;    ///< vertices at the same position as another one; they are kept and not joined

  std::vector<int> new_vertex;  ///< for each old vertex its new number, -1 where it was dropped
  std::vector<int> old_tet;     ///< for each new tetrahedron its old number

  /// One line for each kind of finding; empty when the mesh was in order.
  std::vector<std::string> lines() const;
};

/// Repairs the mesh in place. Throws Error, naming the element, for vertex numbers out of range or repeated,
/// coordinates or fibers that are not finite, and a mesh with nothing left. A tetrahedron is flat when its volume is at
/// most `flat` times the cube of its longest edge. An empty `region` or `fiber` is filled with zeros.
RepairReport repair(TetMesh& mesh, const std::string& where = "mesh", double flat = 1e-10);

}  // namespace brio
