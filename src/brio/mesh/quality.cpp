#include "brio/mesh/quality.hpp"

#include "brio/mesh/faces.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace brio {
namespace {

/// A tetrahedron's corners and the outward normals of its faces, face i opposite to corner i.
struct Shape {
  std::array<Vec3, 4> x;
  std::array<Vec3, 4> normal;  ///< as long as twice the area [m^2]

  Shape(const TetMesh& mesh, int tet) {
    for (int i = 0; i < 4; ++i) x[i] = mesh.X.row(mesh.T(tet, i));
    for (int f = 0; f < 4; ++f) {
      const Vec3 &a = x[kFaceCorners[f][0]], &b = x[kFaceCorners[f][1]], &c = x[kFaceCorners[f][2]];
      normal[f] = (b - a).cross(c - a);
    }
  }
  double edge(int e) const { return (x[kEdgeCorners[e][0]] - x[kEdgeCorners[e][1]]).stableNorm(); }
  double longest_edge() const {
    double longest = 0;
    for (int e = 0; e < 6; ++e) longest = std::max(longest, edge(e));
    return longest;
  }
  double aspect(double volume) const {
    double largest = 0;
    for (const Vec3& n : normal) largest = std::max(largest, n.norm());
    const double height = 6 * std::fabs(volume) / largest;
    return height > 0 ? std::sqrt(2.0 / 3) * longest_edge() / height : std::numeric_limits<double>::infinity();
  }
  /// Between the faces opposite to corners i and j [radians].
  double dihedral(int i, int j) const {
    return std::numbers::pi - std::atan2(normal[i].cross(normal[j]).norm(), normal[i].dot(normal[j]));
  }
};

}  // namespace

double tet_aspect(const TetMesh& mesh, int tet) { return Shape(mesh, tet).aspect(tet_volume(mesh, tet)); }

std::array<double, 6> tet_dihedrals(const TetMesh& mesh, int tet) {
  const Shape shape(mesh, tet);
  std::array<double, 6> degrees;
  for (int e = 0; e < 6; ++e)
    degrees[e] = shape.dihedral(kEdgeCorners[e][0], kEdgeCorners[e][1]) * 180 / std::numbers::pi;
  return degrees;
}

double relative_volume(const TetMesh& mesh, int tet) {
  const Shape shape(mesh, tet);
  const double longest = shape.longest_edge();
  if (!(longest > 0)) return 0;
  const auto& x = shape.x;
  const Vec3 a = (x[1] - x[0]) / longest, b = (x[2] - x[0]) / longest, c = (x[3] - x[0]) / longest;
  return a.cross(b).dot(c) / 6;
}

MeshQuality measure_quality(const TetMesh& mesh) {
  MeshQuality q;
  if (mesh.tets() == 0) return q;
  q.least_edge = q.least_volume = std::numeric_limits<double>::infinity();
  for (int t = 0; t < mesh.tets(); ++t) {
    const Shape shape(mesh, t);
    const double volume = tet_volume(mesh, t), aspect = shape.aspect(volume);
    for (const auto& [i, j] : kEdgeCorners) {
      const double degrees = shape.dihedral(i, j) * 180 / std::numbers::pi;
      q.least_dihedral = std::min(q.least_dihedral, degrees);
      q.most_dihedral = std::max(q.most_dihedral, degrees);
    }
    for (int e = 0; e < 6; ++e) q.least_edge = std::min(q.least_edge, shape.edge(e));
    if (aspect > q.worst_aspect) {
      q.worst_aspect = aspect;
      q.worst_tet = t;
    }
    q.least_volume = std::min(q.least_volume, volume);
    q.volume += volume;
  }
  return q;
}

}  // namespace brio
