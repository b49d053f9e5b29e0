#pragma once
// Whether a mesh holds together as its shape does: parts by faces, pinches and handles, and what they are compared
// with.

#include "brio/mesh/stuffing/stuffing.hpp"

#include <algorithm>

namespace brio {

/// Separates parts that only touch, by copies of vertices; counts parts by faces and handles, and notes the places
/// where something is wrong. `on_surface` per vertex.
void settle(StuffedMesh& stuffed, const std::vector<char>& on_surface);

/// Leaves out the parts after the first `count`, or, of those, only crumbs.
void drop_parts(StuffedMesh& stuffed, int count, bool only_crumbs);

/// What a mesh is compared with.
struct ShapeReference {
  ShapeFacts facts;
  /// Where walls meet at an acute angle, a lattice may find tunnels that are not there, and each lattice others: a mesh
  /// is believed that agrees with one of them. One number where the genus is known.
  std::vector<int> genera;
  bool certain = true;  ///< false where lattices differ and the genus is not known: then only parts are compared

  bool agrees(const StuffedMesh& stuffed) const {
    if (stuffed.components != facts.parts || !certain) return stuffed.components == facts.parts;
    return stuffed.pinched == 0 && std::count(genera.begin(), genera.end(), stuffed.genus) > 0;
  }
};

/// Of the solid itself, or from lattices that get finer until one agrees with the mesh.
ShapeReference reference_for(const SignedDistance& body, const StuffingTarget& target, const StuffedMesh& stuffed);

double volume_of(const TetMesh& mesh);  ///< [m^3]
std::string place_text(const Vec3& x);  ///< "[1, 2, 3]"

}  // namespace brio
