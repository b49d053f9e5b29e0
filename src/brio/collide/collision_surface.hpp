#pragma once
// The surfaces of all bodies as one list of points, edges and triangles that may touch each other, and what holds
// between two bodies that do: how far contact reaches, how stiff and how rough it is.

#include "brio/collide/closest_points.hpp"
#include "brio/core/types.hpp"

#include <cstdint>
#include <vector>

namespace brio {

/// How two bodies meet.
struct ContactLaw {
  double range = 0;      ///< gap below which they push each other apart [m]
  double thickness = 0;  ///< distance at which the gap is zero [m]
  double stiffness = 0;  ///< pressure per depth [Pa/m]
  double friction = 0;   ///< Coulomb's coefficient of what slides
  double static_friction = 0;  ///< and of what holds
  double least = 0;      ///< gap below which the force grows no more, where bodies may pass through each other [m]
};

/// Two parts of the surface that may touch: a point and a triangle, or two edges.
struct ContactPair {
  PairKind kind;
  std::array<int, 4> vertex;
  double area;           ///< that the pair stands for [m^2]
  ContactLaw law;        ///< between the two
  double cross_at_rest;  ///< of edges: the squared lengths, multiplied [m^4]

  double reach() const { return law.range + law.thickness; }  ///< the distance at which they begin to push [m]
};

/// What each body brings along.
struct ContactBody {
  double range = 0;       ///< [m]
  double thickness = 0;   ///< [m]
  double stiffness = 0;   ///< [Pa/m]; of an obstacle 0 where the other body says
  double pressure = 0;    ///< that contact with it must be able to carry about half-way in the range [Pa]
  bool self = true;       ///< whether it touches itself
  bool obstacle = false;  ///< a surface whose motion is given: it has the range of what it meets, and meets no obstacle
};

/// Two sets of vertices that do not touch each other.
struct IgnoredPair {
  std::vector<int> first, second;
};
/// A coefficient of friction between two bodies.
struct RoughPair {
  int first, second;
  double friction, static_friction;
};

/// What holds between bodies.
struct ContactRules {
  bool between = true;  ///< whether bodies touch each other, and not obstacles alone
  double friction = 0, static_friction = 0;  ///< Coulomb's coefficients of what slides and of what holds
  bool guarantee = true;  ///< that ways are shortened to what is safe
  std::vector<RoughPair> rough = {};
  std::vector<IgnoredPair> ignored = {};  ///< at most 32
  std::vector<int> bones = {};            ///< vertices that touch nothing of their own body
};

class CollisionSurface {
 public:
  /// Of the parts of `triangles`, and of edges that belong to none, of vertices that are at `rest`; `body_of_vertex` is
  /// a row of `bodies`.
  CollisionSurface(MatrixX3d rest, MatrixX3i triangles, const MatrixX2i& loose_edges, std::vector<int> body_of_vertex,
                   std::vector<ContactBody> bodies, const ContactRules& rules);

  const MatrixX3d& rest() const { return rest_; }
  const std::vector<int>& points() const { return points_; }
  const MatrixX2i& edges() const { return edges_; }
  const MatrixX3i& triangles() const { return triangles_; }
  double point_area(int point) const { return point_area_[point]; }  ///< of points()[point] [m^2]
  double edge_area(int edge) const { return edge_area_[edge]; }      ///< [m^2]
  double triangle_area(int t) const { return triangle_area_[t]; }    ///< [m^2]
  int body_of(int vertex) const { return body_of_vertex_[vertex]; }
  int bodies() const { return static_cast<int>(bodies_.size()); }
  const ContactBody& body(int b) const { return bodies_[b]; }
  /// The largest distance at which a body pushes anything [m].
  double reach(int body) const { return bodies_[body].range + bodies_[body].thickness; }
  double longest_reach() const { return longest_reach_; }  ///< the largest distance at which any two push [m]
  bool has_friction() const { return has_friction_; }
  bool guarantee() const { return guarantee_; }  ///< that nothing passes through anything

  /// Whether the pair may touch: it shares no vertex, and nothing tells it to be ignored.
  bool may_touch(PairKind kind, const std::array<int, 4>& vertex) const;
  /// The pair with all that holds for it. Pairs of one body that are near at rest push from half that distance on only.
  ContactPair pair(PairKind kind, const std::array<int, 4>& vertex, double area) const;
  /// The same for an edge and a triangle, as an intersection would have them.
  bool may_cross(const int* edge, const int* triangle) const;

 private:
  bool meet(int v, int w) const;
  void find_friction(int a, int b, ContactLaw& law) const;
  ContactLaw law(PairKind kind, const std::array<int, 4>& vertex, const Corners& at_rest) const;
  bool ignored(const int* first, int n, const int* second, int m) const;

  MatrixX3d rest_;
  std::vector<int> points_;
  MatrixX2i edges_;
  MatrixX3i triangles_;
  VectorXd point_area_, edge_area_, triangle_area_;
  std::vector<int> body_of_vertex_;
  std::vector<ContactBody> bodies_;
  bool between_, guarantee_;
  double friction_, static_friction_;
  std::vector<RoughPair> rough_;                        ///< sorted, the lesser body first
  std::vector<char> bone_;  ///< of each vertex: whether it touches nothing of its own body; empty without any
  std::vector<std::uint32_t> in_first_, in_second_;  ///< of each vertex: bits of the ignored pairs; empty without any
  double longest_reach_ = 0;
  bool has_friction_ = false;
};

}  // namespace brio
