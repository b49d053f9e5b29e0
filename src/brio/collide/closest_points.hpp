#pragma once
// The nearest points of a point and a triangle, or of two edges. Where they lie on a border (point and edge, point and
// point) the weights of the other vertices are zero.

#include "brio/core/types.hpp"

#include <array>

namespace brio {

/// Four vertices that make a pair: a point and the corners of a triangle, or the ends of one edge and of another.
enum class PairKind { point_triangle, edge_edge };
using Corners = std::array<Vec3, 4>;

/// How many of a pair's vertices belong to its first side.
constexpr int first_side(PairKind kind) { return kind == PairKind::point_triangle ? 1 : 2; }

/// r = sum weight_i x_i leads from the nearest point of the second side to that of the first. The weights are those of
/// a minimum, so that the derivative of |r|^2 by x_i is 2 weight_i r.
struct ClosestPoints {
  std::array<double, 4> weight;
  Vec3 r;
  double distance() const { return r.norm(); }
};

ClosestPoints closest_points(PairKind kind, const Corners& x);

/// sin^2 of the angle between two edges times their squared lengths, |e1 x e2|^2 [m^4]; with its derivative.
double edge_cross(const Corners& x, Corners& derivative);

}  // namespace brio
