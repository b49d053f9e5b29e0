#pragma once
// A mesh from a file, with the names that the file gives to its parts.

#include "brio/mesh/tet_mesh.hpp"
#include "brio/mesh/triangle_surface.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace brio {

/// Material constants that a mesh file gives for a region.
struct FileMaterial {
  std::string name;
  double rho = 0;  ///< [kg/m^3]
  double E = 0;    ///< Young's modulus [Pa]
  double nu = 0;   ///< Poisson's ratio [1]
};

/// What is known of the shape that a mesh was made to fill.
struct ShapeFacts {
  double volume = 0;  ///< [m^3]
  int parts = 1;      ///< that do not touch
  int genus = 0;      ///< handles of its surface, of all parts together
};

struct LoadedMesh {
  TetMesh mesh;                                         ///< without rows when the file has no tetrahedra
  TriangleSurface surface;                              ///< of a file without tetrahedra; without rows otherwise
  std::map<std::string, std::vector<int>> vertex_sets;  ///< named groups of vertices, ascending
  std::map<int, std::string> region_names;              ///< for the regions that the file names
  std::map<int, FileMaterial> materials;                ///< of regions, where the file has them
  std::map<std::string, int> other_cells;               ///< cells that are not in the mesh or surface, by kind
  std::vector<std::string> messages;                    ///< what was left out, changed or repaired
  std::optional<ShapeFacts> shape;                      ///< that the tetrahedra fill, where it is known

  bool has_tets() const { return mesh.tets() > 0; }
};

}  // namespace brio
