#include "brio/collide/collision_surface.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <tuple>

namespace brio {
namespace {

/// An edge with the area that a triangle gives it.
struct SharedEdge {
  int a, b;
  double area;
};

std::vector<SharedEdge> edges_of(const MatrixX3d& X, const MatrixX3i& triangles, const MatrixX2i& loose) {
  std::vector<SharedEdge> edges;
  for (Index t = 0; t < triangles.rows(); ++t) {
    const Vec3 a = X.row(triangles(t, 0)), b = X.row(triangles(t, 1)), c = X.row(triangles(t, 2));
    const double third = (b - a).cross(c - a).norm() / 6;
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(triangles(t, k), triangles(t, (k + 1) % 3));
      edges.push_back({low, high, third});
    }
  }
  for (Index e = 0; e < loose.rows(); ++e) {
    const auto [low, high] = std::minmax(loose(e, 0), loose(e, 1));
    const double length2 = (X.row(low) - X.row(high)).squaredNorm();
    edges.push_back({low, high, length2});  // as if the rope were as wide as its edges are long
  }
  std::stable_sort(edges.begin(), edges.end(),
                   [](const SharedEdge& e, const SharedEdge& f) { return std::tie(e.a, e.b) < std::tie(f.a, f.b); });
  std::vector<SharedEdge> unique;
  for (const SharedEdge& edge : edges) {
    if (!unique.empty() && unique.back().a == edge.a && unique.back().b == edge.b)
      unique.back().area += edge.area;
    else
      unique.push_back(edge);
  }
  return unique;
}

}  // namespace

CollisionSurface::CollisionSurface(MatrixX3d rest, MatrixX3i triangles, const MatrixX2i& loose_edges,
                                   std::vector<int> body_of_vertex, std::vector<ContactBody> bodies,
                                   const ContactRules& rules)
    : rest_(std::move(rest)),
      triangles_(std::move(triangles)),
      body_of_vertex_(std::move(body_of_vertex)),
      bodies_(std::move(bodies)),
      between_(rules.between),
      guarantee_(rules.guarantee),
      friction_(rules.friction),
      static_friction_(rules.static_friction),
      rough_(rules.rough) {
  const std::vector<SharedEdge> edges = edges_of(rest_, triangles_, loose_edges);
  edges_.resize(static_cast<Index>(edges.size()), 2);
  edge_area_.resize(edges_.rows());
  for (Index e = 0; e < edges_.rows(); ++e) {
    edges_.row(e) << edges[e].a, edges[e].b;
    edge_area_[e] = edges[e].area;
  }
  triangle_area_.resize(triangles_.rows());
  for (Index t = 0; t < triangles_.rows(); ++t) {
    const Vec3 a = rest_.row(triangles_(t, 0)), b = rest_.row(triangles_(t, 1)), c = rest_.row(triangles_(t, 2));
    triangle_area_[t] = 0.5 * (b - a).cross(c - a).norm();
  }
  VectorXd area = VectorXd::Zero(rest_.rows());
  for (Index e = 0; e < edges_.rows(); ++e)  // a triangle's area is three thirds of its edges, each for two vertices
    for (int k = 0; k < 2; ++k) area[edges_(e, k)] += edge_area_[e] / 2;
  for (int v = 0; v < rest_.rows(); ++v)
    if (area[v] > 0) points_.push_back(v);
  point_area_ = area(points_);
  for (RoughPair& pair : rough_)
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
  std::sort(rough_.begin(), rough_.end(), [](const RoughPair& p, const RoughPair& q) {
    return std::tie(p.first, p.second) < std::tie(q.first, q.second);
  });
  has_friction_ = static_friction_ > 0 || std::any_of(rough_.begin(), rough_.end(),
                                                      [](const RoughPair& pair) { return pair.static_friction > 0; });
  if (!rules.bones.empty()) bone_.assign(rest_.rows(), 0);
  for (int v : rules.bones) bone_[v] = 1;
  const std::vector<IgnoredPair>& ignored = rules.ignored;
  if (!ignored.empty()) {
    in_first_.assign(rest_.rows(), 0);
    in_second_.assign(rest_.rows(), 0);
  }
  for (size_t i = 0; i < ignored.size(); ++i) {
    for (int v : ignored[i].first) in_first_[v] |= std::uint32_t{1} << i;
    for (int v : ignored[i].second) in_second_[v] |= std::uint32_t{1} << i;
  }
  double range = 0, thickness = 0;
  for (const ContactBody& body : bodies_) {
    range = std::max(range, body.range);
    thickness = std::max(thickness, body.thickness);
  }
  longest_reach_ = range + thickness;
}

bool CollisionSurface::ignored(const int* first, int n, const int* second, int m) const {
  if (in_first_.empty()) return false;
  const auto common = [](const std::vector<std::uint32_t>& bits, const int* vertices, int count) {
    std::uint32_t all = ~std::uint32_t{0};
    for (int i = 0; i < count; ++i) all &= bits[vertices[i]];
    return all;
  };
  return (common(in_first_, first, n) & common(in_second_, second, m)) != 0 ||
         (common(in_second_, first, n) & common(in_first_, second, m)) != 0;
}

/// Whether the parts that the two vertices belong to do.
bool CollisionSurface::meet(int v, int w) const {
  const int a = body_of_vertex_[v], b = body_of_vertex_[w];
  const int obstacles = (bodies_[a].obstacle ? 1 : 0) + (bodies_[b].obstacle ? 1 : 0);
  if (obstacles > 0) return obstacles == 1;
  if (a == b) return bodies_[a].self && (bone_.empty() || !(bone_[v] || bone_[w]));
  return between_;
}

bool CollisionSurface::may_touch(PairKind kind, const std::array<int, 4>& vertex) const {
  const int n = first_side(kind);
  for (int i = 0; i < n; ++i)
    for (int j = n; j < 4; ++j)
      if (vertex[i] == vertex[j]) return false;
  return meet(vertex[0], vertex[3]) &&
         !ignored(vertex.data(), n, vertex.data() + n, 4 - n);
}

bool CollisionSurface::may_cross(const int* edge, const int* triangle) const {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      if (edge[i] == triangle[j]) return false;
  return meet(edge[0], triangle[0]) && !ignored(edge, 2, triangle, 3);
}

void CollisionSurface::find_friction(int a, int b, ContactLaw& law) const {
  if (a > b) std::swap(a, b);
  const auto found = std::lower_bound(rough_.begin(), rough_.end(), std::pair(a, b), [](const RoughPair& r, auto key) {
    return std::pair(r.first, r.second) < key;
  });
  const bool own = found != rough_.end() && found->first == a && found->second == b;
  law.friction = own ? found->friction : friction_;
  law.static_friction = own ? found->static_friction : static_friction_;
}

ContactLaw CollisionSurface::law(PairKind kind, const std::array<int, 4>& vertex, const Corners& at_rest) const {
  const int a = body_of_vertex_[vertex[0]], b = body_of_vertex_[vertex[3]];
  const ContactBody &one = bodies_[a], &other = bodies_[b];
  ContactLaw law{std::min(one.range, other.range), 0.5 * (one.thickness + other.thickness),
                 std::min(one.stiffness, other.stiffness)};
  find_friction(a, b, law);
  law.stiffness = std::max(law.stiffness, std::max(one.pressure, other.pressure) / law.range);
  if (one.obstacle || other.obstacle) {
    const ContactBody &obstacle = one.obstacle ? one : other, &body = one.obstacle ? other : one;
    law.stiffness = obstacle.stiffness > 0 ? obstacle.stiffness : std::max(body.stiffness, body.pressure / law.range);
  }
  constexpr double kLeast = 0.1;  // of the range
  if (!guarantee_) law.least = kLeast * law.range;
  if (a != b) return law;
  // Neighbors push each other only when they come far nearer than they are made.
  const double apart = closest_points(kind, at_rest).distance();
  law.thickness = std::min(law.thickness, 0.25 * apart);
  law.range = std::min(law.range, 0.5 * apart - law.thickness);
  if (!guarantee_) law.least = kLeast * law.range;
  return law;
}

ContactPair CollisionSurface::pair(PairKind kind, const std::array<int, 4>& vertex, double area) const {
  Corners at_rest;
  for (int i = 0; i < 4; ++i) at_rest[i] = rest_.row(vertex[i]).transpose();
  const double cross = (at_rest[1] - at_rest[0]).squaredNorm() * (at_rest[3] - at_rest[2]).squaredNorm();
  return {kind, vertex, area, law(kind, vertex, at_rest), cross};
}

}  // namespace brio
