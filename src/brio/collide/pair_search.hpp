#pragma once
// Finds what may touch: the pairs of points and triangles, and of edges, that can come near each other while each
// vertex stays in a box. The same pairs in the same order for any number of threads, and pairs that are found with
// larger boxes, too, have the same order among each other.

#include "brio/collide/bounding_tree.hpp"
#include "brio/collide/collision_surface.hpp"

namespace brio {

/// Whether the segment from a to b passes through the triangle u, v, w. Parts in one plane do not, whatever round-off
/// says.
bool passes_through(const Vec3& a, const Vec3& b, const Vec3& u, const Vec3& v, const Vec3& w);

class PairSearch {
 public:
  explicit PairSearch(const CollisionSurface& surface);

  using Bodies = BoundingTree::Groups;
  /// Overwrites the list with the pairs that can come within their reach while each vertex is anywhere in the box with
  /// the corners x0 and x1 (stacked positions [m]), and possibly some more; all of them, those of one body, or those of
  /// two.
  void find(const VectorXd& x0, const VectorXd& x1, Bodies bodies, std::vector<ContactPair>& pairs);
  /// An edge that passes through a triangle: their numbers.
  struct Crossing {
    int edge, triangle;
  };
  std::vector<Crossing> find_crossings(const VectorXd& x);

 private:
  /// Around the way of each part, larger by a share of what its body reaches.
  void fit_boxes(const VectorXd& x0, const VectorXd& x1, double share);

  const CollisionSurface& surface_;
  BoundingTree triangle_tree_, edge_tree_;
  std::vector<Box3> triangle_boxes_, edge_boxes_;
  VectorXd middle_, half_way_;  ///< of the box of each vertex, and how far its corners are from there [m]
  std::vector<std::vector<ContactPair>> found_;  ///< of each chunk of queries
};

}  // namespace brio
