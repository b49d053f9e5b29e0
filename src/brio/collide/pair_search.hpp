#pragma once
// Finds what may touch: the pairs of points and triangles, and of edges, whose boxes meet on a way. The same pairs in
// the same order for any number of threads.

#include "brio/collide/bounding_tree.hpp"
#include "brio/collide/collision_surface.hpp"

namespace brio {

class PairSearch {
 public:
  explicit PairSearch(const CollisionSurface& surface);

  /// Overwrites the list with the pairs that come nearer than `reach` [m] while the vertices go on straight lines from
  /// x0 to x1 (stacked positions [m]), and possibly some more.
  void find(const VectorXd& x0, const VectorXd& x1, double reach, std::vector<ContactPair>& pairs);
  /// An edge that passes through a triangle: their numbers.
  struct Crossing {
    int edge, triangle;
  };
  std::vector<Crossing> find_crossings(const VectorXd& x);

 private:
  void fit_boxes(const VectorXd& x0, const VectorXd& x1, double margin);

  const CollisionSurface& surface_;
  BoundingTree triangle_tree_, edge_tree_;
  std::vector<Box3> triangle_boxes_, edge_boxes_;
  std::vector<std::vector<ContactPair>> found_;  ///< of each chunk of queries
};

}  // namespace brio
