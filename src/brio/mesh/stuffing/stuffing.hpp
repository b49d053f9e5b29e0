#pragma once
// Tetrahedra for a solid that is given by its signed distance: isosurface stuffing [Labelle and Shewchuk 2007]. A body-
// centered cubic lattice is cut by the surface; lattice points too near to the surface are moved onto it first, which
// keeps every dihedral angle between 10.5 and 163.8 degrees, whatever the shape.
//
//   StuffedMesh ball = stuff(*make_sphere(Vec3::Zero(), 0.5), {.vertices = 10000});

#include "brio/mesh/solids/signed_distance.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brio {

/// How fine: one of the first two is given.
struct StuffingTarget {
  double size = 0;      ///< edge of the lattice's cubes; the tetrahedra's edges are about that long [m]
  int vertices = 0;     ///< about so many
  bool graded = false;  ///< larger cells deep inside; at the surface they are of that size still
};

struct StuffedMesh {
  TetMesh mesh;
  double size = 0;     ///< edge of the lattice's cubes [m]
  int components = 0;  ///< parts that do not hang together
  /// Lattice edges whose midpoint is on the other side of the surface than all points around: there the body, or a gap
  /// in it, is thinner than the lattice resolves. `first_lost` is the position of the first of them.
  int lost_edges = 0;
  Vec3 first_lost = Vec3::Zero();  ///< [m]

  /// Warnings for the user: lost features, several components.
  std::vector<std::string> messages() const;
};

/// Called now and then with what is being done.
using StuffingProgress = std::function<void(const std::string&)>;

/// The same bits for any number of threads. Sharp edges come out rounded at the size of a cell. Throws Error for a
/// target that cannot be met, before much memory is taken.
StuffedMesh stuff(const SignedDistance& body, const StuffingTarget& target, const StuffingProgress& progress = {});

}  // namespace brio
