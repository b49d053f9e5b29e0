#pragma once
// The shape functions of quadratic tetrahedra (mesh/quadratic.hpp) and their slopes at the four points of
// QuadraticEnergy, as tables.

#include "brio/core/types.hpp"

#include <array>

namespace brio::quadratic {

constexpr int kNodes = 10, kPoints = 4, kPairs = kNodes * (kNodes + 1) / 2;

constexpr double kFar = 0.13819660112501051518;  // (5 - sqrt 5) / 20, the three equal coordinates of a point
constexpr double kNear = 1 - 3 * kFar;           // the one that is not
constexpr double kMore = kNear - kFar;           // coordinate c of point q is kFar + kMore where c = q, kFar elsewhere

/// Corners of the edge that node 4 + e is on.
constexpr int kNodeEdge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
/// The node on the edge between two corners.
constexpr int kNodeBetween[4][4] = {{-1, 4, 5, 6}, {4, -1, 7, 8}, {5, 7, -1, 9}, {6, 8, 9, -1}};

/// The derivative of a shape function by L_c is base + 4 kMore where point q is k, base elsewhere.
struct SlopeTerm {
  int c, k;
  double base;
};
struct NodeSlope {
  int terms;
  SlopeTerm term[2];
};
constexpr NodeSlope slope_of(int node) {
  if (node < 4) return {1, {{node, node, 4 * kFar - 1}, {}}};
  const int c = kNodeEdge[node - 4][0], d = kNodeEdge[node - 4][1];
  return {2, {{c, d, 4 * kFar}, {d, c, 4 * kFar}}};
}

/// Columns dx/dL_c - dx/dL_3 at point q of an element with nodes at X.
inline Mat3 columns_at_point(const std::array<Vec3, kNodes>& X, int q) {
  Vec3 by[4];
  for (int c = 0; c < 4; ++c) {
    by[c] = (4 * (c == q ? kNear : kFar) - 1) * X[c];
    for (int d = 0; d < 4; ++d)
      if (d != c) by[c] += 4 * (d == q ? kNear : kFar) * X[kNodeBetween[c][d]];
  }
  Mat3 D;
  for (int c = 0; c < 3; ++c) D.col(c) = by[c] - by[3];
  return D;
}

}  // namespace brio::quadratic
