#include "brio/output/series.hpp"

#include "brio/core/error.hpp"

#include <limits>
#include <span>

namespace brio {
namespace {

using Row = Series::Row;

/// Appends the two rows that stand for the group (or the group itself when it is no longer than that).
void append_extremes(std::span<const Row> group, std::vector<Row>& to) {
  if (group.size() <= 2) {
    to.insert(to.end(), group.begin(), group.end());
    return;
  }
  Row first = group.front(), second = group.back();
  for (size_t column = 1; column < first.size(); ++column) {
    size_t least = 0, greatest = 0;
    for (size_t i = 0; i < group.size(); ++i) {
      if (group[i][column] < group[least][column]) least = i;
      if (group[i][column] > group[greatest][column]) greatest = i;
    }
    first[column] = group[std::min(least, greatest)][column];
    second[column] = group[std::max(least, greatest)][column];
  }
  to.push_back(first);
  to.push_back(second);
}

}  // namespace

Series::Series(int most, const std::vector<std::string>& extras) : most_(most) {
  columns_.insert(columns_.end(), extras.begin(), extras.end());
  if (most < 4 || most % 4 != 0) throw Error("Series: {} rows asked for; must be a multiple of 4", most);
}

void Series::add(const SeriesRow& row) {
  const double total = row.kinetic + row.elastic + row.gravity + row.contact;
  if (kept_.empty() && open_.empty()) initial_total_ = total;
  const Vec3 &p = row.linear_momentum, &l = row.angular_momentum;
  open_.push_back({row.time, row.kinetic, row.elastic, row.gravity, row.contact, total, row.injected, row.dissipated,
                   initial_total_ + row.injected - row.dissipated, p[0], p[1], p[2], l[0], l[1], l[2]});
  Row& added = open_.back();
  added.insert(added.end(), row.extras.begin(), row.extras.end());
  added.resize(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  if (open_.size() < group_) return;
  append_extremes(open_, kept_);
  open_.clear();
  if (kept_.size() < most_) return;

  std::vector<Row> halved;
  for (size_t i = 0; i < kept_.size(); i += 4) append_extremes(std::span(kept_).subspan(i, 4), halved);
  kept_ = std::move(halved);
  group_ = group_ == 1 ? 4 : 2 * group_;
}

std::vector<Row> Series::rows() const {
  std::vector<Row> all = kept_;
  append_extremes(open_, all);
  return all;
}

}  // namespace brio
