#pragma once
// Rows of numbers against time, thinned so that a run of any length stays small and no peak is lost. When there are too
// many rows, groups of them become two: for each column the least and the greatest number of the group, in the order in
// which they came; for the time, which is the first column, the first and the last.

#include "brio/core/archive.hpp"
#include "brio/core/error.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace brio {

/// Row: a vector or an array of doubles, equally long in every call.
template <class Row>
class ThinnedRows {
 public:
  /// Keeps at most `most` rows (a multiple of four).
  explicit ThinnedRows(int most) : most_(static_cast<size_t>(most)) {
    if (most < 4 || most % 4 != 0) throw Error("Series: {} rows asked for; must be a multiple of 4", most);
  }

  bool empty() const { return kept_.empty() && open_.empty(); }

  void add(Row row) {
    open_.push_back(std::move(row));
    if (open_.size() < group_) return;
    append_extremes(open_, kept_);
    open_.clear();
    if (kept_.size() < most_) return;

    std::vector<Row> halved;
    for (size_t i = 0; i < kept_.size(); i += 4) append_extremes(std::span(kept_).subspan(i, 4), halved);
    kept_ = std::move(halved);
    group_ = group_ == 1 ? 4 : 2 * group_;
  }

  std::vector<Row> rows() const {
    std::vector<Row> all = kept_;
    append_extremes(open_, all);
    return all;
  }

  void archive(Archive& archive) { archive(group_, kept_, open_); }

 private:
  /// Appends the two rows that stand for the group (or the group itself when it is no longer than that).
  static void append_extremes(std::span<const Row> group, std::vector<Row>& to) {
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
    to.push_back(std::move(first));
    to.push_back(std::move(second));
  }

  size_t most_;
  size_t group_ = 1;  ///< rows that make two; 1 as long as all are kept
  std::vector<Row> kept_;
  std::vector<Row> open_;  ///< rows of the group that is not yet complete
};

}  // namespace brio
