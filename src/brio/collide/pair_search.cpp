#include "brio/collide/pair_search.hpp"

#include "brio/core/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kPartsPerTask = 512;

Vec3 at(const VectorXd& x, int vertex) { return x.segment<3>(3 * vertex); }

template <class Parts>
MatrixX3d centers(const MatrixX3d& X, const Parts& parts) {
  MatrixX3d centers = MatrixX3d::Zero(parts.rows(), 3);
  for (Index i = 0; i < parts.rows(); ++i)
    for (Index k = 0; k < parts.cols(); ++k) centers.row(i) += X.row(parts(i, k)) / static_cast<double>(parts.cols());
  return centers;
}

template <class Parts>
std::vector<int> bodies_of(const CollisionSurface& surface, const Parts& parts) {
  std::vector<int> bodies(parts.rows());
  for (Index i = 0; i < parts.rows(); ++i) bodies[i] = surface.body_of(parts(i, 0));
  return bodies;
}

/// Six times the volume of a tetrahedron.
double volume6(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return (b - a).cross(c - a).dot(d - a); }

}  // namespace

bool passes_through(const Vec3& a, const Vec3& b, const Vec3& u, const Vec3& v, const Vec3& w) {
  constexpr double kFlat = 1e-12;
  const double length = (b - a).norm(), flat = kFlat * length * (v - u).norm() * std::max(length, (w - u).norm());
  const double p = volume6(u, v, w, a), q = volume6(u, v, w, b);
  if (std::max(std::fabs(p), std::fabs(q)) <= flat || p * q > 0) return false;
  const double s[] = {volume6(a, b, u, v), volume6(a, b, v, w), volume6(a, b, w, u)};
  // Through the border as well: meshes on one grid cross each other just there, and in no triangle's inside.
  const auto [least, most] = std::minmax({s[0], s[1], s[2]});
  return (least >= 0 && most > 0) || (least < 0 && most <= 0);
}

PairSearch::PairSearch(const CollisionSurface& surface)
    : surface_(surface),
      triangle_tree_(centers(surface.rest(), surface.triangles()), bodies_of(surface, surface.triangles())),
      edge_tree_(centers(surface.rest(), surface.edges()), bodies_of(surface, surface.edges())),
      triangle_boxes_(surface.triangles().rows()),
      edge_boxes_(surface.edges().rows()) {}

void PairSearch::fit_boxes(const VectorXd& x0, const VectorXd& x1, double share) {
  const auto fit = [&](const auto& parts, std::vector<Box3>& boxes) {
    parallel_for(static_cast<int>(boxes.size()), kPartsPerTask, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        Box3 box;
        for (Index k = 0; k < parts.cols(); ++k) {
          box.include(at(x0, parts(i, k)));
          box.include(at(x1, parts(i, k)));
        }
        box.grow(share * surface_.reach(surface_.body_of(parts(i, 0))));
        boxes[i] = box;
      }
    });
  };
  fit(surface_.triangles(), triangle_boxes_);
  fit(surface_.edges(), edge_boxes_);
  triangle_tree_.refit(triangle_boxes_);
  edge_tree_.refit(edge_boxes_);
}

void PairSearch::find(const VectorXd& x0, const VectorXd& x1, Bodies bodies, std::vector<ContactPair>& pairs) {
  pairs.clear();
  constexpr double kHalf = 0.5;  // two parts push each other from the mean of their reaches on at most
  fit_boxes(x0, x1, kHalf);
  middle_ = 0.5 * (x0 + x1);
  half_way_.resize(x0.size() / 3);
  for (int v : surface_.points()) half_way_[v] = 0.5 * (at(x1, v) - at(x0, v)).norm();
  const auto add_if_near = [&](PairKind kind, const std::array<int, 4>& vertex, double area,
                               std::vector<ContactPair>& mine) {
    if (!surface_.may_touch(kind, vertex)) return;
    Corners middle;
    double first = 0, second = 0;  // by how much the two sides can leave the middles of their boxes
    for (int i = 0; i < 4; ++i) {
      middle[i] = at(middle_, vertex[i]);
      double& largest = i < first_side(kind) ? first : second;
      largest = std::max(largest, half_way_[vertex[i]]);
    }
    const double nearest = closest_points(kind, middle).distance() - first - second;
    const int one = surface_.body_of(vertex[0]), other = surface_.body_of(vertex[3]);
    if (nearest >= kHalf * (surface_.reach(one) + surface_.reach(other))) return;
    const ContactPair pair = surface_.pair(kind, vertex, area);
    if (nearest < pair.reach() && pair.law.range > 0) mine.push_back(pair);
  };
  const auto collect = [&](int queries, const auto& query) {
    const detail::Chunks chunks(queries, kPartsPerTask);
    if (static_cast<int>(found_.size()) < chunks.count) found_.resize(chunks.count);
    parallel_for(queries, kPartsPerTask, [&](int begin, int end) {
      std::vector<ContactPair>& mine = found_[begin / chunks.length];
      mine.clear();
      for (int i = begin; i < end; ++i) query(i, mine);
    });
    for (int c = 0; c < chunks.count; ++c) pairs.insert(pairs.end(), found_[c].begin(), found_[c].end());
  };
  // Points meet triangles from both sides of a contact, edges once, and either kind is half of it.
  constexpr double kPointShare = 0.25, kEdgeShare = 0.25;
  collect(static_cast<int>(surface_.points().size()), [&](int p, std::vector<ContactPair>& mine) {
    const int point = surface_.points()[p];
    Box3 box;
    box.include(at(x0, point));
    box.include(at(x1, point));
    box.grow(kHalf * surface_.reach(surface_.body_of(point)));
    const bool obstacle = surface_.body(surface_.body_of(point)).obstacle;
    triangle_tree_.query(box, bodies, surface_.body_of(point), [&](int t) {
      // An obstacle may be made of few triangles that are far larger than what they touch.
      const double area =
          obstacle ? std::min(surface_.point_area(p), surface_.triangle_area(t)) : surface_.point_area(p);
      add_if_near(PairKind::point_triangle,
                  {point, surface_.triangles()(t, 0), surface_.triangles()(t, 1), surface_.triangles()(t, 2)},
                  kPointShare * area, mine);
    });
  });
  collect(static_cast<int>(surface_.edges().rows()), [&](int e, std::vector<ContactPair>& mine) {
    edge_tree_.query(edge_boxes_[e], bodies, surface_.body_of(surface_.edges()(e, 0)), [&](int f) {
      if (f <= e) return;
      add_if_near(PairKind::edge_edge,
                  {surface_.edges()(e, 0), surface_.edges()(e, 1), surface_.edges()(f, 0), surface_.edges()(f, 1)},
                  kEdgeShare * std::min(surface_.edge_area(e), surface_.edge_area(f)), mine);
    });
  });
}

std::vector<PairSearch::Crossing> PairSearch::find_crossings(const VectorXd& x) {
  fit_boxes(x, x, 0);
  std::vector<Crossing> crossings;
  for (int e = 0; e < surface_.edges().rows(); ++e) {
    const int edge[] = {surface_.edges()(e, 0), surface_.edges()(e, 1)};
    triangle_tree_.query(edge_boxes_[e], Bodies::all, 0, [&](int t) {
      const int triangle[] = {surface_.triangles()(t, 0), surface_.triangles()(t, 1), surface_.triangles()(t, 2)};
      if (surface_.may_cross(edge, triangle) &&
          passes_through(at(x, edge[0]), at(x, edge[1]), at(x, triangle[0]), at(x, triangle[1]), at(x, triangle[2])))
        crossings.push_back({e, t});
    });
  }
  return crossings;
}

}  // namespace brio
