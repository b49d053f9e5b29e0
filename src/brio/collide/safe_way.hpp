#pragma once
// Shortens the way of the vertices so that no pair of the surface passes through another: vertices that stop each other,
// directly or by way of others, by the same share, so that a way that they have in common holds none of them back.

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
  int find_group(int vertex);

  VectorXd share_, shorter_;
  double common_ = 1;
  std::vector<double> time_;        ///< the share of its way that each pair may go
  std::vector<int> open_;           ///< pairs to look at again
  std::vector<char> changed_;       ///< of each group
  std::vector<int> group_;          ///< vertices that go together: of each vertex another one, until it is itself
};

}  // namespace brio
