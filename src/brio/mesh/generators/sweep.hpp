#pragma once
// Bodies made by moving a triangulated plane figure through space: cylinders, ropes, honeycombs.

#include "brio/mesh/tet_mesh.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace brio {

/// A triangulated figure in the plane.
struct PlaneFigure {
  std::vector<Eigen::Vector2d> points;        ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise
  std::vector<int> region;                    ///< per triangle; empty for all 0
};

/// A disc of near-equilateral triangles: ring k of `rings` has 6k points.
PlaneFigure make_disc(double radius, int rings);

/// Appends the three tetrahedra of the prism between two triangles that face each other, `top` on the side to which
/// `bottom` turns counter-clockwise. The quadrilaterals between them are cut from the bottom's smaller vertex to the
/// top's larger one, so that neighboring prisms agree.
void add_prism(std::array<int, 3> bottom, std::array<int, 3> top, std::vector<std::array<int, 4>>& tets);

/// Where a point of the figure lies in layer 0, 1 … `layers`; the third axis of the motion is x cross y of the figure.
using Placement = std::function<Vec3(int layer, const Eigen::Vector2d& point)>;

/// The body swept by the figure: three tetrahedra for each triangle and layer, regions from the figure.
TetMesh sweep(std::string_view generator, const PlaneFigure& figure, int layers, const Placement& place,
              std::string_view remedy);

/// How many tetrahedra sweep() makes, to be checked before the figure is built.
inline double swept_tets(double triangles, double layers) { return 3 * triangles * layers; }

}  // namespace brio
