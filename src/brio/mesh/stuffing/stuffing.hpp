#pragma once
// Tetrahedra for a solid that is given by its signed distance: isosurface stuffing [Labelle and Shewchuk 2007]. A body-
// centered cubic lattice is cut by the surface; lattice points too near to the surface are moved onto it first, which
// keeps every dihedral angle between 10.5 and 163.8 degrees, whatever the shape.
//
//   StuffedMesh ball = stuff(*make_sphere(Vec3::Zero(), 0.5), {.vertices = 10000});
//
// The mesh of a uniform lattice is compared with the shape. Where thin limbs were torn off or gaps were bridged, cells
// follow the thickness of the body: smaller where it is thin, larger elsewhere.

#include "brio/mesh/solids/signed_distance.hpp"
#include "brio/mesh/stuffing/stuffing_losses.hpp"
#include "brio/mesh/tet_mesh.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brio {

/// Which parts a mesh that would fall apart keeps: none (it is refused), the largest, or all of them.
enum class Keep { sound, largest, all };

/// How fine: one of the first two is given.
struct StuffingTarget {
  double size = 0;      ///< edge of the lattice's cubes; the tetrahedra's edges are about that long [m]
  int vertices = 0;     ///< about so many
  bool graded = false;  ///< larger cells deep inside; at the surface they are of that size still
  Keep keep = Keep::sound;
  std::optional<int> genus = {};  ///< handles of the shape, where they are known
};

struct StuffedMesh {
  TetMesh mesh;
  double size = 0;                   ///< edge of the largest cubes at the surface [m]
  double smallest = 0;               ///< edge of the smallest ones [m]
  int components = 0;                ///< parts that share no face
  int genus = 0;                     ///< handles
  ShapeFacts shape;                  ///< of the solid, as far as a finer lattice or the surface tells
  int opened = 0;                    ///< vertices that got a copy, since parts touched in them only
  int pinched = 0;                   ///< places where the boundary still is no manifold
  std::vector<std::string> dropped;  ///< parts that were left out
  /// Lattice edges whose midpoint is on the other side of the surface than all points around, and places far from all
  /// vertices: there the body, or a gap in it, is thinner than the lattice resolves. `first_lost` is the first of them.
  int lost_places = 0;
  Vec3 first_lost = Vec3::Zero();  ///< [m]
  std::vector<Vec3> faults;        ///< places where parts came off or touch [m]
  VolumeLosses losses;             ///< where volume is missing, if more than the tolerance is
  std::vector<std::string> notes;  ///< how the mesh was made, where it is not uniform

  /// The parts and handles of the shape.
  bool is_sound() const { return components == shape.parts && genus == shape.genus && pinched == 0; }
  /// Warnings for the user: lost features, several components, a volume or genus that is not that of the shape.
  std::vector<std::string> messages() const;
};

/// Called now and then with what is being done.
using StuffingProgress = std::function<void(const std::string&)>;

/// The same bits for any number of threads. Sharp edges come out rounded at the size of a cell. Throws Error for a
/// target that cannot be met, before much memory is taken, and for one that is too coarse for the shape to hold
/// together, with the number of vertices that would do.
StuffedMesh stuff(const SignedDistance& body, const StuffingTarget& target, const StuffingProgress& progress = {});

}  // namespace brio
