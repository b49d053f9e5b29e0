#pragma once
// The pairs that may touch, kept for as long as they can be: each vertex has a box around the way that it was looked
// for on, and while all vertices stay in their boxes no other pair can come near (Verlet's list of neighbors). For
// pairs of one body the boxes move with it. What is found with a kept list has the bits that it would have with a new
// one, since pairs that are too far apart do nothing.

#include "brio/collide/pair_search.hpp"

namespace brio {

class NearPairs {
 public:
  explicit NearPairs(const CollisionSurface& surface);

  /// All pairs that can come within their reach while the vertices go on straight lines from x0 to x1 (stacked
  /// positions [m]), and some more; until the next call.
  const std::vector<ContactPair>& along(const VectorXd& x0, const VectorXd& x1);
  double longest_reach() const { return surface_.longest_reach(); }
  const std::vector<ContactPair>& pairs() const { return *pairs_; }  ///< that were found last
  int searches() const { return searches_; }                         ///< so far

 private:
  static constexpr double kMargin = 0.5;  // of its body's reach: what a vertex may leave its way by

  /// A list, and the boxes in which it is complete.
  struct List {
    VectorXd low, high;
    std::vector<ContactPair> pairs;
  };
  /// Whether the list had to be made anew.
  bool renew(const VectorXd& x0, const VectorXd& x1, PairSearch::Bodies bodies, List& list);
  /// Positions as they are seen from the middle of each body, with the bodies where they are at rest.
  void see_from_bodies(const VectorXd& x, VectorXd& seen);

  const CollisionSurface& surface_;
  PairSearch search_;
  bool touch_themselves_ = false;
  List own_, others_;
  std::vector<ContactPair> both_;
  const std::vector<ContactPair>* pairs_ = &both_;
  std::vector<double> count_;        ///< vertices of each body that can touch
  std::vector<Vec3> rest_, middle_;  ///< of each body
  VectorXd seen0_, seen1_;
  int searches_ = 0;
};

}  // namespace brio
