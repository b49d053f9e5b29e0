#include "brio/mesh/quality.hpp"

#include "brio/core/parallel.hpp"
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
  std::array<double, 6> edges() const {
    std::array<double, 6> lengths;
    for (int e = 0; e < 6; ++e)
      lengths[e] = (x[kEdgeCorners[e][0]] - x[kEdgeCorners[e][1]]).stableNorm();  // whatever the unit
    return lengths;
  }
  double aspect(double volume, double longest_edge) const {
    double largest = 0;
    for (const Vec3& n : normal) largest = std::max(largest, n.norm());
    const double height = 6 * std::fabs(volume) / largest;
    return height > 0 ? std::sqrt(2.0 / 3) * longest_edge / height : std::numeric_limits<double>::infinity();
  }
  /// Between the faces opposite to corners i and j [radians].
  double dihedral(int i, int j) const {
    return std::numbers::pi - std::atan2(normal[i].cross(normal[j]).norm(), normal[i].dot(normal[j]));
  }
};

}  // namespace

std::vector<TetMeasures> measure_tets(const TetMesh& mesh) {
  std::vector<TetMeasures> measures(mesh.tets());
  parallel_for(mesh.tets(), 1024, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      const Shape shape(mesh, t);
      TetMeasures& m = measures[t];
      const std::array<double, 6> edges = shape.edges();
      const auto [shortest, longest] = std::minmax_element(edges.begin(), edges.end());
      m.volume = tet_volume(mesh, t);
      m.aspect = shape.aspect(m.volume, *longest);
      m.least_edge = *shortest;
      for (int e = 0; e < 6; ++e)
        m.dihedral[e] = shape.dihedral(kEdgeCorners[e][0], kEdgeCorners[e][1]) * 180 / std::numbers::pi;
    }
  });
  return measures;
}

double relative_volume(const TetMesh& mesh, int tet) {
  const Shape shape(mesh, tet);
  const std::array<double, 6> edges = shape.edges();
  const double longest = *std::max_element(edges.begin(), edges.end());
  if (!(longest > 0)) return 0;
  const auto& x = shape.x;
  const Vec3 a = (x[1] - x[0]) / longest, b = (x[2] - x[0]) / longest, c = (x[3] - x[0]) / longest;
  return a.cross(b).dot(c) / 6;
}

MeshQuality measure_quality(const TetMesh& mesh) { return summarize(measure_tets(mesh)); }

MeshQuality summarize(const std::vector<TetMeasures>& measures) {
  MeshQuality q;
  if (measures.empty()) return q;
  q.least_edge = q.least_volume = std::numeric_limits<double>::infinity();
  for (size_t t = 0; t < measures.size(); ++t) {
    const TetMeasures& m = measures[t];
    for (double degrees : m.dihedral) {
      q.least_dihedral = std::min(q.least_dihedral, degrees);
      q.most_dihedral = std::max(q.most_dihedral, degrees);
    }
    q.least_edge = std::min(q.least_edge, m.least_edge);
    if (m.aspect > q.worst_aspect) {
      q.worst_aspect = m.aspect;
      q.worst_tet = static_cast<int>(t);
    }
    q.least_volume = std::min(q.least_volume, m.volume);
    q.volume += m.volume;
  }
  return q;
}

}  // namespace brio
