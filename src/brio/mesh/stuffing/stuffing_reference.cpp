#include "brio/mesh/stuffing/stuffing_reference.hpp"

#include "brio/core/parallel.hpp"
#include "brio/mesh/union_find.hpp"

#include <algorithm>
#include <array>

namespace brio {
namespace {

/// The part of a tetrahedron in which a linear function with these values at the corners is negative.
double negative_part(std::array<double, 4> v) {
  std::sort(v.begin(), v.end());
  const auto part = [](double inside, double outside) { return inside / (inside - outside); };
  if (v[0] >= 0) return 0;
  if (v[3] < 0) return 1;
  if (v[1] >= 0) return part(v[0], v[1]) * part(v[0], v[2]) * part(v[0], v[3]);
  if (v[2] < 0) return 1 - part(v[3], v[0]) * part(v[3], v[1]) * part(v[3], v[2]);
  // The prism between the two corners inside, as three tetrahedra.
  const double ac = part(v[0], v[2]), ad = part(v[0], v[3]), bc = part(v[1], v[2]), bd = part(v[1], v[3]);
  return ac * ad + (1 - ac) * ad * bc + (1 - ad) * bc * bd;
}

/// The four points around a long edge that starts at p.
std::array<LatticePoint, 4> around_long_edge(const LatticePoint& p, int axis) {
  const LatticePoint e = LatticePoint::Unit(axis), u = LatticePoint::Unit((axis + 1) % 3),
                     v = LatticePoint::Unit((axis + 2) % 3);
  return {p + e - u - v, p + e + u - v, p + e + u + v, p + e - u + v};
}

}  // namespace

/// Every point owns itself, 7 edges, 12 triangles and 6 tetrahedra: a triangle is a long edge and one of four points
/// around it, a tetrahedron a long edge and two neighbors of these, and has two long edges. Deep inside a point's
/// share of the Euler number is 1 - 7 + 12 - 6 = 0.
ShapeFacts count_on_lattice(const SignedDistance& body, double size) {
  const StuffingLattice lattice(body, size);
  const int near = lattice.points_near_surface(), points = lattice.points();
  std::vector<double> value(near);
  parallel_for(near, 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) value[i] = body.value(lattice.place(lattice.point(i)));
  });
  const auto at = [&](int i) { return i < 0 ? size : i < near ? value[i] : -size; };

  constexpr int kChunk = 1024;
  struct Sums {
    double volume = 0;  ///< in tetrahedra, twice
    long euler = 0;     ///< twice
  };
  std::vector<Sums> sums((near + kChunk - 1) / kChunk);
  parallel_for(near, kChunk, [&](int begin, int end) {
    Sums& sum = sums[begin / kChunk];
    for (int i = begin; i < end; ++i) {
      const LatticePoint p = lattice.point(i);
      const bool own = value[i] < 0;
      if (own) sum.euler += 2;
      for (int d = 0; d < kEdges; ++d) {
        const double other = at(lattice.index(p + lattice_step(d)));
        if (own && other < 0) sum.euler -= 2;
        if (!is_long(d)) continue;
        std::array<double, 4> ring;
        const auto places = around_long_edge(p, d);
        for (int k = 0; k < 4; ++k) ring[k] = at(lattice.index(places[k]));
        for (int k = 0; k < 4; ++k) {
          sum.volume += negative_part({value[i], other, ring[k], ring[(k + 1) % 4]});
          if (!own || other >= 0) continue;
          sum.euler += 2 * (ring[k] < 0);
          sum.euler -= ring[k] < 0 && ring[(k + 1) % 4] < 0;
        }
      }
    }
  });
  double tets = 12.0 * (points - near);
  long euler = 0;
  for (const Sums& sum : sums) tets += sum.volume, euler += sum.euler;

  // Regions inside and outside; what is not stored is one region outside. A brick deep inside is of one piece.
  UnionFind together(static_cast<size_t>(points) + 1);
  for (int i = 0; i < near; ++i) {
    const LatticePoint p = lattice.point(i);
    for (int d = 0; d < 2 * kEdges; ++d) {
      const int j = lattice.index(p + lattice_step(d));
      if (d >= kEdges && j >= 0 && j < near) continue;  // seen from j
      if ((at(i) < 0) == (at(j) < 0)) together.join(i, j < 0 ? points : j);
    }
  }
  for (int i = near; i < points; ++i) {
    const int first = i / StuffingLattice::kPointsPerBrick * StuffingLattice::kPointsPerBrick;
    together.join(i, first);
    for (int axis = 0; axis < 3 && i == first; ++axis)
      if (const int j = lattice.index(lattice.point(i) + 8 * LatticePoint::Unit(axis)); j >= near) together.join(i, j);
  }
  int inside = 0, outside = 0;
  for (int i = 0; i <= points; ++i) {
    if (together.representative(i) != i) continue;
    ++(i < points && at(i) < 0 ? inside : outside);
  }
  // In space, the surfaces between regions are one less than the regions.
  return {tets / 2 * size * size * size / 12, inside, inside + outside - 1 - static_cast<int>(euler / 2)};
}

}  // namespace brio
