#include "brio/collide/closest_points.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace brio {
namespace {

ClosestPoints with_weights(const std::array<double, 4>& w, const Corners& x) {
  return {w, w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3]};
}

/// The nearest of several candidates, each a vertex of one side against an edge of the other.
struct Nearest {
  const Corners& x;
  double least = 1e300;
  int point = 0, from = 0, to = 0;
  double along = 0;  ///< from 0 to 1

  void point_edge(int p, int a, int b) {
    const Vec3 edge = x[b] - x[a], way = x[p] - x[a];
    const double length2 = edge.squaredNorm();
    const double s = length2 > 0 ? std::clamp(edge.dot(way) / length2, 0.0, 1.0) : 0;
    const double apart = (way - s * edge).squaredNorm();
    if (apart >= least) return;
    least = apart;
    point = p, from = a, to = b;
    along = s;
  }
  ClosestPoints found(int points_of_first_side) const {
    const double sign = point < points_of_first_side ? 1 : -1;
    std::array<double, 4> w = {0, 0, 0, 0};
    w[point] = sign;
    w[from] = -sign * (1 - along);
    w[to] = -sign * along;
    return with_weights(w, x);
  }
};

ClosestPoints point_and_triangle(const Corners& x) {
  const Vec3 u = x[2] - x[1], v = x[3] - x[1], p = x[0] - x[1];
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), pu = p.dot(u), pv = p.dot(v);
  const double det = uu * vv - uv * uv;
  constexpr double kFlat = 1e-20;  // of a triangle without area: its edges are all there is
  if (det > kFlat * uu * vv) {
    const double b = (vv * pu - uv * pv) / det, c = (uu * pv - uv * pu) / det;
    if (b >= 0 && c >= 0 && b + c <= 1) return with_weights({1, -(1 - b - c), -b, -c}, x);
  }
  Nearest nearest{x};
  nearest.point_edge(0, 1, 2);
  nearest.point_edge(0, 2, 3);
  nearest.point_edge(0, 3, 1);
  return nearest.found(1);
}

ClosestPoints edge_and_edge(const Corners& x) {
  const Vec3 e = x[1] - x[0], f = x[3] - x[2], o = x[0] - x[2];
  const double ee = e.dot(e), ef = e.dot(f), ff = f.dot(f), eo = e.dot(o), fo = f.dot(o);
  const double det = ee * ff - ef * ef;
  constexpr double kParallel = 1e-16;  // parallel edges are nearest at one of their ends, too
  if (det > kParallel * ee * ff) {
    const double s = (ef * fo - ff * eo) / det, t = (ee * fo - ef * eo) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return with_weights({1 - s, s, -(1 - t), -t}, x);
  }
  Nearest nearest{x};
  nearest.point_edge(0, 2, 3);
  nearest.point_edge(1, 2, 3);
  nearest.point_edge(2, 0, 1);
  nearest.point_edge(3, 0, 1);
  return nearest.found(2);
}

}  // namespace

ClosestPoints closest_points(PairKind kind, const Corners& x) {
  return kind == PairKind::point_triangle ? point_and_triangle(x) : edge_and_edge(x);
}

double edge_cross(const Corners& x, Corners& derivative) {
  const Vec3 e = x[1] - x[0], f = x[3] - x[2];
  const double ee = e.dot(e), ef = e.dot(f), ff = f.dot(f);
  derivative[1] = 2 * (ff * e - ef * f);
  derivative[3] = 2 * (ee * f - ef * e);
  derivative[0] = -derivative[1];
  derivative[2] = -derivative[3];
  return ee * ff - ef * ef;
}

}  // namespace brio
