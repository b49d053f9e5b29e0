#include "brio/mesh/solids/winding_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace brio {
namespace {

constexpr int kLeafTriangles = 8;
constexpr double kFarAway = 2.5;  // radii from which a group is seen as a dipole
constexpr int kDeepest = 128;     // halving gives 31 levels at most

Box box_of(const Triangle& t) {
  Box box(t[0]);
  return box.extend(t[1]).extend(t[2]);
}

Vec3 area_vector(const Triangle& t) { return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]); }

}  // namespace

/// [Van Oosterom and Strackee 1983].
double winding_of(const Triangle& t, const Vec3& x) {
  const Vec3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return std::atan2(a.dot(b.cross(c)), below) / (2 * std::numbers::pi);
}

/// To the plane where the foot of the perpendicular lies in the triangle, otherwise to the nearest edge.
double squared_distance(const Triangle& t, const Vec3& x) {
  const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  bool over = normal.squaredNorm() > 0;
  double edges = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const Vec3 edge = t[(i + 1) % 3] - t[i], to = x - t[i];
    over = over && edge.cross(to).dot(normal) >= 0;
    const double length = edge.squaredNorm();
    const double s = length > 0 ? std::clamp(edge.dot(to) / length, 0.0, 1.0) : 0;
    edges = std::min(edges, (to - s * edge).squaredNorm());
  }
  if (!over) return edges;
  const double height = normal.dot(x - t[0]);
  return height * height / normal.squaredNorm();
}

WindingTree::WindingTree(const TriangleSurface& surface) {
  std::vector<Vec3> centroids;
  for (int f = 0; f < surface.faces(); ++f) {
    Triangle t;
    for (int c = 0; c < 3; ++c) t[c] = surface.X.row(surface.triangles(f, c));
    triangles_.push_back(t);
    centroids.push_back((t[0] + t[1] + t[2]) / 3);
  }
  order_.resize(triangles_.size());
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(triangles_.size());
  build(0, static_cast<int>(order_.size()), centroids);
}

int WindingTree::build(int begin, int end, const std::vector<Vec3>& centroids) {
  const int self = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Node node;
  node.begin = begin, node.end = end;
  gather(node);
  if (end - begin > kLeafTriangles) {
    Box middles;
    for (int i = begin; i < end; ++i) middles.extend(centroids[order_[i]]);
    int axis;
    middles.sizes().maxCoeff(&axis);
    const int half = (begin + end) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end,
                     [&](int a, int b) { return std::pair(centroids[a][axis], a) < std::pair(centroids[b][axis], b); });
    node.left = build(begin, half, centroids);
    node.right = build(half, end, centroids);
  }
  nodes_[self] = node;
  return self;
}

void WindingTree::gather(Node& node) const {
  double area = 0;
  for (int i = node.begin; i < node.end; ++i) {
    const Triangle& t = triangles_[order_[i]];
    node.box.extend(box_of(t));
    node.normal += area_vector(t);
    const double own = area_vector(t).norm();
    area += own;
    node.middle += own / 3 * (t[0] + t[1] + t[2]);
  }
  node.middle = area > 0 ? Vec3(node.middle / area) : node.box.center();
  for (int i = node.begin; i < node.end; ++i)
    for (const Vec3& corner : triangles_[order_[i]]) node.radius = std::max(node.radius, (corner - node.middle).norm());
}

double WindingTree::distance(const Vec3& x) const {
  double best = INFINITY;
  std::array<int, kDeepest> open;
  int count = 0;
  open[count++] = 0;
  while (count > 0) {
    const Node& node = nodes_[open[--count]];
    if (node.box.squaredExteriorDistance(x) >= best) continue;
    if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i) best = std::min(best, squared_distance(triangles_[order_[i]], x));
      continue;
    }
    int near = node.left, far = node.right;
    if (nodes_[far].box.squaredExteriorDistance(x) < nodes_[near].box.squaredExteriorDistance(x)) std::swap(near, far);
    open[count++] = far;
    open[count++] = near;
  }
  return std::sqrt(best);
}

double WindingTree::winding(const Vec3& x) const {
  double sum = 0;
  std::array<int, kDeepest> open;
  int count = 0;
  open[count++] = 0;
  while (count > 0) {
    const Node& node = nodes_[open[--count]];
    const Vec3 to = node.middle - x;
    const double away = to.norm();
    if (away > kFarAway * node.radius) {
      sum += node.normal.dot(to) / (4 * std::numbers::pi * away * away * away);
    } else if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i) sum += winding_of(triangles_[order_[i]], x);
    } else {
      open[count++] = node.right;
      open[count++] = node.left;
    }
  }
  return sum;
}

void WindingTree::for_each_near(const Box& box, const std::function<void(int)>& found) const {
  std::array<int, kDeepest> open;
  int count = 0;
  open[count++] = 0;
  while (count > 0) {
    const Node& node = nodes_[open[--count]];
    if (!node.box.intersects(box)) continue;
    if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i)
        if (box_of(triangles_[order_[i]]).intersects(box)) found(order_[i]);
    } else {
      open[count++] = node.right;
      open[count++] = node.left;
    }
  }
}

}  // namespace brio
