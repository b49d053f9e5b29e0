#pragma once
// A report on a mesh before it is used: counts, extent, quality of the elements, and problems.

#include "brio/mesh/loaded_mesh.hpp"
#include "brio/mesh/quality.hpp"
#include "brio/mesh/topology.hpp"

#include <limits>

namespace brio {

/// How many values lie between each two neighboring bounds; the last bound may be infinite.
struct Histogram {
  std::vector<double> bounds;
  std::vector<long> counts;  ///< one less than bounds

  explicit Histogram(std::vector<double> bounds);
  void add(double value);  ///< values outside go into the first or the last one
};

struct MeshInspection {
  bool tets = false;  ///< tetrahedra; else a surface
  int vertices = 0, cells = 0;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< corners of the box around it [m]
  int components = 0;                            ///< parts that share no vertex
  std::vector<FaceParts::Part> parts;            ///< of tetrahedra: parts that share no face, the largest first
  int pinched_edges = 0, pinched_vertices = 0;   ///< where the boundary of tetrahedra is no manifold
  std::vector<Vec3> pinches;                     ///< places of the first of them [m]
  std::optional<int> genus;                      ///< handles of the boundary or closed surface, if it is a manifold
  std::vector<int> worst_tets;                   ///< by aspect, the worst first; 20 at most
  int euler = 0;                                 ///< vertices - edges + faces (- tetrahedra) of what the cells use
  int boundary_euler = 0;                        ///< of the boundary of tetrahedra: 2 for a ball, 0 for a torus
  double volume = 0;                             ///< [m^3]; of a surface what it encloses, if it is closed
  double area = 0;                               ///< of the surface or boundary [m^2]
  int boundary_triangles = 0;                    ///< of tetrahedra
  bool closed = true;                            ///< no open edges
  std::map<int, int> regions;                    ///< how many tetrahedra each has
  MeshQuality quality;                           ///< of tetrahedra
  Histogram dihedral = dihedral_classes();       ///< of tetrahedra: all angles between faces [degrees]
  /// Of tetrahedra: longest edge over smallest height, 1 is best.
  Histogram aspect{{1, 1.5, 2, 3, 5, 10, 100, std::numeric_limits<double>::infinity()}};
  std::vector<std::string> problems;  ///< one line each; empty when all is well

  static Histogram dihedral_classes();
};

MeshInspection inspect(const LoadedMesh& loaded);

/// How far a mesh's volume may be from that of the shape that it fills before it is called a problem.
constexpr double kVolumeTolerance = 0.02;

}  // namespace brio
