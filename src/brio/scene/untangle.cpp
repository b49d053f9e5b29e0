#include "brio/scene/untangle.hpp"

#include "brio/collide/bounding_tree.hpp"
#include "brio/collide/collision_surface.hpp"
#include "brio/collide/pair_search.hpp"
#include "brio/mesh/solids/winding_number.hpp"
#include "brio/scene/contact.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>

namespace brio {
namespace {

constexpr int kSweeps = 40;      // over all pairs: one that was moved may be in the way of another
constexpr int kHalvings = 14;    // of the way to where the boxes are apart
constexpr double kNoGap = 1e-4;  // of the range: nearer than that counts as touching, as it does without untangling

/// The surface of a body where it begins; it may be moved as a whole.
struct Party {
  std::vector<int> points, edges, triangles;  ///< vertices; rows of the surface's lists
  BoundingTree edge_tree, triangle_tree;
  std::vector<Box3> edge_boxes, triangle_boxes;
  Box3 box;
  TriangleSurface closed;  ///< of a solid; without faces otherwise
  bool held = false;
  Vec3 moved = Vec3::Zero();  ///< so far [m]
};

Box3 moved(Box3 box, const Vec3& by) {
  box.low += by;
  box.high += by;
  return box;
}

class Untangling {
 public:
  explicit Untangling(const Simulation& simulation) : surface_(*simulation.system->surfaces()) {
    simulation.system->stack_positions(simulation.state.t, simulation.state.q, x_);
    parties_.resize(surface_.bodies());
    for (int v : surface_.points()) parties_[surface_.body_of(v)].points.push_back(v);
    for (int e = 0; e < surface_.edges().rows(); ++e) parties_[surface_.body_of(surface_.edges()(e, 0))].edges.push_back(e);
    for (int t = 0; t < surface_.triangles().rows(); ++t)
      parties_[surface_.body_of(surface_.triangles()(t, 0))].triangles.push_back(t);
    for (Party& party : parties_) {
      fit(surface_.edges(), party.edges, party.edge_boxes, party.edge_tree);
      fit(surface_.triangles(), party.triangles, party.triangle_boxes, party.triangle_tree);
      for (int v : party.points) {
        party.box.include(at(v));
        party.held = party.held || simulation.system->point_of(v) < 0;
      }
      // Bones stay where their joints are.
      if (simulation.bones)
        party.held = party.held || std::any_of(party.points.begin(), party.points.end(),
                                               [&](int v) { return v >= simulation.bones->first(); });
    }
    for (size_t b = 0; b < simulation.bodies.size(); ++b) {
      const Body& body = simulation.bodies[b];
      if (body.mesh.tets() == 0) continue;
      MatrixX3d X(body.vertices(), 3);
      for (int v = 0; v < body.vertices(); ++v) X.row(v) = at(body.first + v);
      parties_[b].closed = make_surface(std::move(X), body.triangles);
    }
  }

  void separate() {
    const int n = static_cast<int>(parties_.size());
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      bool any = false;
      for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < n; ++b) any = part(a, b) || any;
      if (!any) return;
    }
  }

  const Vec3& shift(int party) const { return parties_[party].moved; }

 private:
  Vec3 at(int vertex) const { return x_.segment<3>(3 * vertex); }

  template <class Parts>
  void fit(const Parts& parts, const std::vector<int>& own, std::vector<Box3>& boxes, BoundingTree& tree) const {
    MatrixX3d centers(static_cast<Index>(own.size()), 3);
    boxes.resize(own.size());
    for (size_t i = 0; i < own.size(); ++i) {
      for (Index k = 0; k < parts.cols(); ++k) boxes[i].include(at(parts(own[i], k)));
      centers.row(static_cast<Index>(i)) = 0.5 * (boxes[i].low + boxes[i].high);
    }
    tree = BoundingTree(centers, std::vector<int>(own.size(), 0));
    tree.refit(boxes);
  }

  double range(int a, int b) const {
    return std::min(surface_.body(a).range, surface_.body(b).range);
  }
  double thickness(int a, int b) const { return 0.5 * (surface_.body(a).thickness + surface_.body(b).thickness); }

  /// Whether an edge of one passes through a triangle of the other, with the first moved by `by` against the second.
  bool crosses(const Party& one, const Party& other, const Vec3& by) const {
    bool found = false;
    for (size_t i = 0; i < one.edges.size() && !found; ++i) {
      const int edge[] = {surface_.edges()(one.edges[i], 0), surface_.edges()(one.edges[i], 1)};
      other.triangle_tree.query(moved(one.edge_boxes[i], by), BoundingTree::Groups::all, 0, [&](int t) {
        if (found) return;
        const int face = other.triangles[t];
        const int corner[] = {surface_.triangles()(face, 0), surface_.triangles()(face, 1), surface_.triangles()(face, 2)};
        found = surface_.may_cross(edge, corner) && passes_through(at(edge[0]) + by, at(edge[1]) + by, at(corner[0]),
                                                                   at(corner[1]), at(corner[2]));
      });
    }
    return found;
  }

  /// Whether a point of one is nearer than `least` to a triangle of the other.
  bool point_is_near(const Party& one, const Party& other, const Vec3& by, double least) const {
    bool found = false;
    for (size_t i = 0; i < one.points.size() && !found; ++i) {
      Box3 box;
      box.include(Vec3(at(one.points[i]) + by));
      box.grow(least);
      other.triangle_tree.query(box, BoundingTree::Groups::all, 0, [&](int t) {
        if (found) return;
        const int face = other.triangles[t];
        const std::array<int, 4> vertex = {one.points[i], surface_.triangles()(face, 0), surface_.triangles()(face, 1),
                                           surface_.triangles()(face, 2)};
        if (!surface_.may_touch(PairKind::point_triangle, vertex)) return;
        const Corners x = {at(vertex[0]) + by, at(vertex[1]), at(vertex[2]), at(vertex[3])};
        found = closest_points(PairKind::point_triangle, x).distance() < least;
      });
    }
    return found;
  }

  bool edge_is_near(const Party& one, const Party& other, const Vec3& by, double least) const {
    bool found = false;
    for (size_t i = 0; i < one.edges.size() && !found; ++i) {
      Box3 box = moved(one.edge_boxes[i], by);
      box.grow(least);
      other.edge_tree.query(box, BoundingTree::Groups::all, 0, [&](int f) {
        if (found) return;
        const int e = one.edges[i], g = other.edges[f];
        const std::array<int, 4> vertex = {surface_.edges()(e, 0), surface_.edges()(e, 1), surface_.edges()(g, 0),
                                           surface_.edges()(g, 1)};
        if (!surface_.may_touch(PairKind::edge_edge, vertex)) return;
        const Corners x = {at(vertex[0]) + by, at(vertex[1]) + by, at(vertex[2]), at(vertex[3])};
        found = closest_points(PairKind::edge_edge, x).distance() < least;
      });
    }
    return found;
  }

  /// Whether the first, moved by `by`, is inside of the second.
  bool inside(const Party& one, const Party& other, const Vec3& by) const {
    if (other.closed.faces() == 0 || one.points.empty()) return false;
    const int v = one.points.front(), w = other.points.front();
    const int edge[] = {v, v}, face[] = {w, w, w};
    Box3 box = other.box, point;
    point.include(Vec3(at(v) + by));
    return box.meets(point) && surface_.may_cross(edge, face) && winding_number(other.closed, at(v) + by) > 0.5;
  }

  /// Whether a, moved by `by` against b, is clear of it by the distance `least`.
  bool clear(int a, int b, const Vec3& by, double least) const {
    const Party &one = parties_[a], &other = parties_[b];
    Box3 box = moved(one.box, by);
    box.grow(least);
    if (!box.meets(other.box)) return true;
    return !crosses(one, other, by) && !crosses(other, one, -by) && !inside(one, other, by) &&
           !inside(other, one, -by) && !point_is_near(one, other, by, least) &&
           !point_is_near(other, one, -by, least) && !edge_is_near(one, other, by, least);
  }

  /// Moves the two apart where they have to be; whether they had to.
  bool part(int a, int b) {
    Party &one = parties_[a], &other = parties_[b];
    if (one.points.empty() || other.points.empty() || (one.held && other.held)) return false;
    const Vec3 start = one.moved - other.moved;
    const double touching = thickness(a, b) + kNoGap * range(a, b), wanted = thickness(a, b) + range(a, b);
    if (clear(a, b, start, touching)) return false;
    const Vec3 between = 0.5 * (one.box.low + one.box.high) + start - 0.5 * (other.box.low + other.box.high);
    std::vector<Vec3> directions;
    if (between.norm() > 0) directions.push_back(between.normalized());
    for (int k = 0; k < 3; ++k) {
      directions.push_back(Vec3::Unit(k));
      directions.push_back(-Vec3::Unit(k));
    }
    double best = 1e300;
    Vec3 way = Vec3::Zero();
    for (const Vec3& d : directions) {
      double far = until_boxes_part(one.box, other.box, start, d) + 2 * wanted, near = 0;
      if (best < 1e300) {
        if (!clear(a, b, start + best * d, wanted)) continue;
        far = std::min(far, best);
      }
      for (int i = 0; i < kHalvings && far - near > 0.1 * wanted; ++i) {
        const double middle = 0.5 * (near + far);
        (clear(a, b, start + middle * d, wanted) ? far : near) = middle;
      }
      if (far < best) best = far, way = far * d;
    }
    const double share = one.held ? 0 : other.held ? 1 : 0.5;
    one.moved += share * way;
    other.moved -= (1 - share) * way;
    return true;
  }

  /// How far the first box has to go along d until it is apart from the second.
  static double until_boxes_part(const Box3& one, const Box3& other, const Vec3& start, const Vec3& d) {
    double least = 1e300;
    for (int k = 0; k < 3; ++k) {
      if (d[k] > 0) least = std::min(least, (other.high[k] - one.low[k] - start[k]) / d[k]);
      if (d[k] < 0) least = std::min(least, (other.low[k] - one.high[k] - start[k]) / d[k]);
    }
    return std::max(0.0, least) + 1e-9 * (other.high - other.low).norm();
  }

  const CollisionSurface& surface_;
  VectorXd x_;  ///< stacked positions at the start [m]
  std::vector<Party> parties_;
};

}  // namespace

void untangle(Simulation& simulation) {
  Untangling untangling(simulation);
  untangling.separate();
  for (size_t b = 0; b < simulation.bodies.size(); ++b) {
    const Body& body = simulation.bodies[b];
    const Vec3& by = untangling.shift(static_cast<int>(b));
    if (by.isZero(0)) continue;
    for (int v = body.first; v < body.first + body.vertices(); ++v)
      if (const int p = simulation.system->point_of(v); p >= 0) simulation.state.q.segment<3>(3 * p) += by;
    simulation.notes.push_back(fmt::format("contact.untangle: \"{}\" begins [{:.4g}, {:.4g}, {:.4g}] m from its place, "
                                           "clear of what it would have touched or passed through",
                                           shown_name(body), by[0], by[1], by[2]));
  }
}

}  // namespace brio
