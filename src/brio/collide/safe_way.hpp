#pragma once
// Shortens the way of the vertices so that no pair of the surface passes through another: each vertex by as much as the
// pairs that it belongs to ask for, and no other.

#include "brio/collide/collision_surface.hpp"

namespace brio {

class SafeWay {
 public:
  /// Shortens the ways (stacked over all vertices [m]) from x until every pair keeps a share of its gap on them, all
  /// vertices on straight lines. `pairs`: all that come near on the way, `distances`: theirs at x, or less where they are beyond their reach [m]. Returns how many
  /// vertices were held back; their shares are in share().
  int shorten(const std::vector<ContactPair>& pairs, const std::vector<double>& distances, const VectorXd& x,
              VectorXd& way);
  /// What was left of the way of each vertex, from 0 to 1.
  const VectorXd& share() const { return share_; }
  /// The share of their ways that all vertices could have gone together.
  double common() const { return common_; }

 private:
  VectorXd share_, shorter_;
  double common_ = 1;
  std::vector<double> time_;        ///< the share of its way that each pair may go
  std::vector<int> open_;           ///< pairs to look at again
  std::vector<char> changed_;       ///< of each vertex
};

}  // namespace brio
