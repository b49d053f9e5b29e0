#pragma once
// By how much contact has moved all points in the last steps, from where the method led them. While contact lasts, the
// next step is nearly a combination of these ways: its space begins with them (contact_basis.hpp).

#include "brio/system/state.hpp"

#include <algorithm>

namespace brio {

class RecentWays {
 public:
  /// Takes them out of the state: the method knows what is its own by its place.
  void take(State& state) {
    const Remembered* stored = find_remembered(state.memory, kName);
    const Index n = state.q.size(), count = stored && stored->values.size() % n == 0 ? stored->values.size() / n : 0;
    ways_.resize(n, count);
    if (count > 0) std::copy_n(stored->values.data(), ways_.size(), ways_.data());
    std::erase_if(state.memory, [](const Remembered& remembered) { return remembered.name == kName; });
  }

  /// Keeps these and the latest way with a state.
  void keep(const VectorXd& latest, State& state) const {
    const Index n = latest.size(), kept = std::min(ways_.cols(), kMost - 1);
    Remembered& stored = state.memory.emplace_back();
    stored.name = kName;
    stored.values.resize(n * (1 + kept));
    stored.values.head(n) = latest;
    std::copy_n(ways_.data(), n * kept, stored.values.data() + n);
  }

  const MatrixXd& ways() const { return ways_; }  ///< a column for each, the latest one first [m]
  static constexpr Index kMost = 3;

 private:
  static constexpr std::string_view kName = "contact ways";
  MatrixXd ways_;
};

}  // namespace brio
