#include "brio/collide/safe_way.hpp"

#include "brio/collide/time_of_impact.hpp"
#include "brio/core/parallel.hpp"

#include <algorithm>
#include <numeric>

namespace brio {

int SafeWay::shorten(const std::vector<ContactPair>& pairs, const std::vector<double>& distances, const VectorXd& x,
                     VectorXd& way) {
  constexpr int kPairsPerTask = 128;
  // What stays: so much of the range that the barrier is not met where it is a wall; of a gap that is smaller already,
  // most. Where bodies slide over each other a pair may be in the way again and again, and a smaller share each time
  // would make it ever stiffer.
  constexpr double kShareOfRange = 0.3, kShareOfGap = 0.8;
  constexpr int kGentlePasses = 20;    // then what still meets stays where it is
  const int n = static_cast<int>(pairs.size());
  share_.setOnes(x.size() / 3);
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
        const double kept =
            pair.law.thickness +
            std::min(kShareOfGap * (distance - pair.law.thickness), kShareOfRange * pair.law.range);
        time_[open_[k]] = time_of_impact(pair.kind, at, own, distance, kept);
      }
    });
    shorter_ = share_;
    for (int i : open_) {
      if (time_[i] >= 1) continue;
      if (pass == 0) common_ = std::min(common_, time_[i]);
      for (int v : pairs[i].vertex) {
        changed_[v] = 1;
        shorter_[v] = pass < kGentlePasses ? std::min(shorter_[v], share_[v] * time_[i]) : 0;
      }
    }
    std::swap(share_, shorter_);
    // Whoever has a vertex with another way now is looked at again.
    open_.clear();
    for (int i = 0; i < n; ++i) {
      const std::array<int, 4>& v = pairs[i].vertex;
      if (changed_[v[0]] || changed_[v[1]] || changed_[v[2]] || changed_[v[3]]) open_.push_back(i);
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
