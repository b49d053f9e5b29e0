#include "brio/linalg/aggregates.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

/// A coupling is strong when its block is at least this part of the largest ones of its two points (geometric mean).
constexpr double kStrong = 0.02;

class Grouping {
 public:
  Grouping(const BlockPattern& pattern, const VectorXd& couplings, int size)
      : pattern_(pattern), size_(size), weight_(couplings.cwiseAbs()) {
    const int n = pattern_.blocks_per_side;
    largest_.assign(n, 0);
    for (int j = 0; j < n; ++j)
      for (int s = pattern_.column_begin[j] + 1; s < pattern_.column_begin[j + 1]; ++s) {
        largest_[j] = std::max(largest_[j], weight_[s]);
        largest_[pattern_.row[s]] = std::max(largest_[pattern_.row[s]], weight_[s]);
      }
  }

  Aggregates find() {
    grow();
    merge_small();
    return numbered();
  }

 private:
  /// Calls visit(other point, weight) for each strong coupling of the point.
  template <class Visit>
  void for_each_strong(int i, const Visit& visit) const {
    const auto look = [&](int j, int slot) {
      if (weight_[slot] > 0 && weight_[slot] >= kStrong * std::sqrt(largest_[i] * largest_[j])) visit(j, weight_[slot]);
    };
    for (int k = pattern_.row_begin[i]; k < pattern_.row_begin[i + 1]; ++k)
      look(pattern_.row_column[k], pattern_.row_slot[k]);
    for (int s = pattern_.column_begin[i] + 1; s < pattern_.column_begin[i + 1]; ++s) look(pattern_.row[s], s);
  }

  /// In rings around the first point that is in no group yet.
  void grow() {
    const int n = pattern_.blocks_per_side;
    group_.assign(n, Aggregates::kNone);
    std::vector<int> members;
    for (int seed = 0; seed < n; ++seed) {
      if (group_[seed] != Aggregates::kNone) continue;
      const int group = static_cast<int>(count_.size());
      members.assign(1, seed);
      group_[seed] = group;
      for (size_t next = 0; next < members.size() && static_cast<int>(members.size()) < size_; ++next)
        for_each_strong(members[next], [&](int j, double) {
          if (group_[j] != Aggregates::kNone || static_cast<int>(members.size()) >= size_) return;
          group_[j] = group;
          members.push_back(j);
        });
      count_.push_back(static_cast<int>(members.size()));
    }
  }

  /// What is left between groups joins the one that it hangs on most; what hangs on nothing stays alone.
  void merge_small() {
    const int n = pattern_.blocks_per_side, small = std::max(2, size_ / 3);
    std::vector<std::vector<int>> of_small(count_.size());
    for (int i = 0; i < n; ++i)
      if (count_[group_[i]] < small) of_small[group_[i]].push_back(i);
    std::vector<std::pair<int, double>> ties;
    for (size_t g = 0; g < of_small.size(); ++g) {
      if (of_small[g].empty() || count_[g] >= small) continue;
      ties.clear();
      for (int i : of_small[g])
        for_each_strong(i, [&](int j, double weight) {
          if (group_[j] == static_cast<int>(g)) return;
          const auto known =
              std::find_if(ties.begin(), ties.end(), [&](const auto& t) { return t.first == group_[j]; });
          if (known == ties.end())
            ties.emplace_back(group_[j], weight);
          else
            known->second += weight;
        });
      if (ties.empty()) continue;
      const int into = std::max_element(ties.begin(), ties.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                       })->first;
      for (int i : of_small[g]) group_[i] = into;
      count_[into] += count_[g];
      count_[g] = 0;
      if (!of_small[into].empty()) of_small[into].insert(of_small[into].end(), of_small[g].begin(), of_small[g].end());
    }
  }

  Aggregates numbered() const {
    const int n = pattern_.blocks_per_side;
    Aggregates result;
    std::vector<int> number(count_.size(), Aggregates::kNone);
    result.begin.push_back(0);
    for (size_t g = 0; g < count_.size(); ++g) {
      if (count_[g] < 2) continue;
      number[g] = result.count();
      result.begin.push_back(result.begin.back() + count_[g]);
    }
    result.of_point.resize(n);
    result.points.resize(result.begin.back());
    std::vector<int> next(result.begin.begin(), result.begin.end() - 1);
    for (int i = 0; i < n; ++i) {
      const int g = result.of_point[i] = number[group_[i]];
      if (g != Aggregates::kNone) result.points[next[g]++] = i;
    }
    return result;
  }

  const BlockPattern& pattern_;
  int size_;
  VectorXd weight_;              ///< of couplings, by slot
  std::vector<double> largest_;  ///< of each point
  std::vector<int> group_, count_;
};

}  // namespace

Aggregates find_aggregates(const BlockPattern& pattern, const VectorXd& couplings, int size) {
  return Grouping(pattern, couplings, size).find();
}

}  // namespace brio
