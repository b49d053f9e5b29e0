#include "brio/collide/safe_way.hpp"

#include "brio/collide/time_of_impact.hpp"
#include "brio/core/parallel.hpp"

#include <algorithm>
#include <numeric>

namespace brio {

int SafeWay::find_group(int vertex) {
  while (group_[vertex] != vertex) vertex = group_[vertex] = group_[group_[vertex]];
  return vertex;
}

int SafeWay::shorten(const std::vector<ContactPair>& pairs, const std::vector<double>& distances, const VectorXd& x,
                     VectorXd& way) {
  constexpr int kPairsPerTask = 128;
  // What stays: so much of the range that the barrier is not met where it is a wall, or of a gap that is smaller
  // already.
  constexpr double kShareOfRange = 0.3, kShareOfGap = 0.3;
  constexpr int kGentlePasses = 20;  // then what still meets stays where it is
  const int n = static_cast<int>(pairs.size());
  share_.setOnes(x.size() / 3);
  group_.resize(x.size() / 3);
  std::iota(group_.begin(), group_.end(), 0);
  changed_.assign(x.size() / 3, 0);
  time_.resize(n);
  open_.resize(n);
  std::iota(open_.begin(), open_.end(), 0);
  common_ = 1;
  for (int pass = 0; !open_.empty(); ++pass) {
    parallel_for(static_cast<int>(open_.size()), kPairsPerTask, [&](int begin, int end) {
      Corners at, own;
      for (int k = begin; k < end; ++k) {
        const ContactPair& pair = pairs[open_[k]];
        for (int i = 0; i < 4; ++i) {
          at[i] = x.segment<3>(3 * pair.vertex[i]);
          own[i] = share_[pair.vertex[i]] * way.segment<3>(3 * pair.vertex[i]);
        }
        const double distance = distances[open_[k]];
        const double kept = pair.law.thickness +
                            std::min(kShareOfGap * (distance - pair.law.thickness), kShareOfRange * pair.law.range);
        time_[open_[k]] = time_of_impact(pair.kind, at, own, distance, kept);
      }
    });
    // Vertices that stop each other go together from here on. With a share of its own each, what they had in common
    // would bring them nearer, and hold them back again, until hardly anything were left of their ways.
    bool any = false;
    shorter_ = share_;
    for (int i : open_) {
      if (time_[i] >= 1) continue;
      any = true;
      const std::array<int, 4>& v = pairs[i].vertex;
      if (pass == 0) common_ = std::min(common_, time_[i]);
      const double least = std::min({share_[v[0]], share_[v[1]], share_[v[2]], share_[v[3]]});
      const double most = std::max({share_[v[0]], share_[v[1]], share_[v[2]], share_[v[3]]});
      const int root = std::min({find_group(v[0]), find_group(v[1]), find_group(v[2]), find_group(v[3])});
      double shorter = pass >= kGentlePasses ? 0 : least == most ? least * time_[i] : least;
      for (int w : v) shorter = std::min(shorter, shorter_[find_group(w)]);
      for (int w : v) group_[find_group(w)] = root;
      shorter_[root] = shorter;
      changed_[root] = 1;
    }
    open_.clear();
    if (!any) break;
    for (Index v = 0; v < share_.size(); ++v) share_[v] = shorter_[find_group(static_cast<int>(v))];
    // Whoever has a vertex with another way now is looked at again.
    for (int i = 0; i < n; ++i) {
      const std::array<int, 4>& v = pairs[i].vertex;
      if (std::any_of(v.begin(), v.end(), [&](int w) { return changed_[find_group(w)] != 0; })) open_.push_back(i);
    }
    std::fill(changed_.begin(), changed_.end(), 0);
  }
  int held = 0;
  for (Index v = 0; v < share_.size(); ++v) {
    if (share_[v] >= 1) continue;
    ++held;
    way.segment<3>(3 * v) *= share_[v];
  }
  return held;
}

}  // namespace brio
