#include "brio/core/time_profile.hpp"

#include "brio/core/error.hpp"

#include <algorithm>

namespace brio {

TimeProfile::TimeProfile(std::vector<Pair> points, const std::string& where) : points_(std::move(points)) {
  if (points_.empty()) throw Error("{} = []: expected at least one pair [time, value]", where);
  for (size_t i = 1; i < points_.size(); ++i) {
    if (!(points_[i][0] > points_[i - 1][0]))
      throw Error("{}[{}]: the time {} must be later than the one before ({})", where, i, points_[i][0],
                  points_[i - 1][0]);
  }
}

double TimeProfile::operator()(double t) const {
  const auto after =
      std::upper_bound(points_.begin(), points_.end(), t, [](double s, const Pair& p) { return s < p[0]; });
  if (after == points_.begin()) return points_.front()[1];
  if (after == points_.end()) return points_.back()[1];
  const Pair &a = *(after - 1), &b = *after;
  return a[1] + (t - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
}

bool TimeProfile::constant() const {
  return std::all_of(points_.begin(), points_.end(), [&](const Pair& p) { return p[1] == points_[0][1]; });
}

}  // namespace brio
