#include "brio/linalg/supernodal_symbolic.hpp"

#include "brio/linalg/supernodal_kernels.hpp"
#include "brio/linalg/supernodal_ordering.hpp"

#include <algorithm>

namespace brio {

template <class Number>
PanelOf<Number> Front::panel(Number* factor) const {
  const size_t L11_stride = padded(columns), L21_stride = padded(below);
  Number* L11 = factor + values;
  Number* inverse = L11 + columns * L11_stride;
  return {L11, inverse + L11_stride, inverse, columns, below, L11_stride, L21_stride};
}

template PanelOf<double> Front::panel(double*) const;
template PanelOf<const double> Front::panel(const double*) const;
template PanelOf<const float> Front::panel(const float*) const;

int64_t Front::panel_size() const {
  const int64_t L11_stride = padded(columns), L21_stride = padded(below);
  return padded(columns) + columns * (L11_stride + L21_stride);
}

int64_t Front::update_size() const { return below * static_cast<int64_t>(padded(below)); }

namespace {

/// Work worth a task of its own [flop]: some tens of microseconds.
constexpr double kSmallestFamily = 1e6;
/// No subtree with more than this part of the work is left to one thread.
constexpr double kLargestFamily = 1.0 / 128;

constexpr int kLongestRun = 96;

/// Squared lengths of the columns.
double front_flops(const Front& front) {
  const double k = front.columns, m = front.columns + front.below, rest = m - k;
  const auto squares = [](double n) { return n * (n + 1) * (2 * n + 1) / 6; };
  return squares(m) - squares(rest);
}

/// Turns the counts that were put in `end` into ranges, all of them still empty.
void counts_to_ranges(std::vector<Front>& fronts, int Front::*begin, int Front::*end) {
  int total = 0;
  for (Front& front : fronts) {
    const int count = front.*end;
    front.*begin = front.*end = total;
    total += count;
  }
}

/// The same supernodes with every block row written out as `block` rows.
Supernodes expanded(const Supernodes& blocks, int block) {
  Supernodes rows{blocks.ordering, {}, {}, {}, {}};
  const auto expand = [&](const std::vector<int>& from, std::vector<int>& to) {
    to.reserve(block * from.size());
    for (int i : from)
      for (int r = 0; r < block; ++r) to.push_back(block * i + r);
  };
  expand(blocks.order, rows.order);
  expand(blocks.row, rows.row);
  for (int c : blocks.first_column) rows.first_column.push_back(block * c);
  for (int r : blocks.row_begin) rows.row_begin.push_back(block * r);
  return rows;
}

class Builder {
 public:
  Builder(Symbolic& symbolic, const BlockPattern& pattern, int block, int kept)
      : symbolic_(symbolic),
        fronts_(symbolic.fronts),
        block_(block),
        supernodes_(expanded(find_supernodes(pattern, block, kept), block)) {
    symbolic_.ordering = supernodes_.ordering;
    symbolic_.order = supernodes_.order;
    add_fronts();
    if (kept > 0) fronts_.back().kept = true;
    link_parents();
    add_entries(pattern);
    add_families();
  }

 private:
  std::span<const int> rows_of(int f) const {
    return {supernodes_.row.data() + supernodes_.row_begin[f], supernodes_.row.data() + supernodes_.row_begin[f + 1]};
  }
  std::span<const int> rows_below(int f) const { return rows_of(f).subspan(fronts_[f].columns); }

  void add_fronts() {
    front_of_column_.resize(symbolic_.order.size());
    int widest = 0;
    for (int f = 0; f < supernodes_.count(); ++f) {
      Front front;
      front.first_column = supernodes_.first_column[f];
      front.columns = supernodes_.first_column[f + 1] - front.first_column;
      front.below = static_cast<int>(rows_of(f).size()) - front.columns;
      front.values = symbolic_.values;
      std::fill_n(front_of_column_.begin() + front.first_column, front.columns, f);
      symbolic_.values += front.panel_size();
      const double k = front.columns;
      symbolic_.nonzeros += k * (k + 1) / 2 + k * front.below;
      symbolic_.flops += front_flops(front);
      fronts_.push_back(front);
      widest = std::max({widest, padded(front.columns), padded(front.below)});
    }
    symbolic_.values += kTileColumns * widest;  // whole tiles of columns are read at the end of a panel
  }

  /// Appends the runs of `rows` for which target(row) goes up by one, cut where a target is `cut` and when they get
  /// so long that they could not be shared among threads.
  template <class Target>
  void add_runs(std::span<const int> rows, int cut, const Target& target) {
    for (int r = 0; r < static_cast<int>(rows.size()); ++r) {
      const int t = target(rows[r]);
      RowRun* last = r > 0 ? &symbolic_.runs.back() : nullptr;
      if (last && t != cut && t == last->target + last->length && last->length < kLongestRun)
        ++last->length;
      else
        symbolic_.runs.push_back({r, t, 1});
    }
  }

  void link_parents() {
    for (int f = 0; f < supernodes_.count(); ++f) {
      Front& front = fronts_[f];
      if (front.below == 0) continue;
      front.parent = front_of_column_[rows_below(f)[0]];
      const Front& parent = fronts_[front.parent];
      // Both lists of rows increase, and the parent has every row of its child.
      const std::span<const int> parent_rows = rows_of(front.parent);
      auto in_parent = parent_rows.begin();
      front.in_parent_begin = static_cast<int>(symbolic_.runs.size());
      add_runs(rows_below(f), parent.columns, [&](int row) {
        in_parent = std::lower_bound(in_parent, parent_rows.end(), row);
        return static_cast<int>(in_parent - parent_rows.begin());
      });
      front.in_parent_end = static_cast<int>(symbolic_.runs.size());
      front.runs_in_panel = static_cast<int>(std::ranges::count_if(
          symbolic_.runs_in_parent(front), [&](const RowRun& run) { return run.target < parent.columns; }));
      ++fronts_[front.parent].children_end;
    }
    counts_to_ranges(fronts_, &Front::children_begin, &Front::children_end);
    symbolic_.children.resize(std::ranges::count_if(fronts_, [](const Front& front) { return front.parent >= 0; }));
    for (int f = 0; f < supernodes_.count(); ++f)
      if (fronts_[f].parent >= 0) symbolic_.children[fronts_[fronts_[f].parent].children_end++] = f;
  }

  void add_entries(const BlockPattern& pattern) {
    std::vector<int> place(pattern.blocks_per_side);  // of the first row of each block row
    for (int k = 0; k < pattern.blocks_per_side; ++k) place[symbolic_.order[block_ * k] / block_] = block_ * k;
    const auto for_each_block = [&](const auto& visit) {
      for (int j = 0; j < pattern.blocks_per_side; ++j) {
        for (int s = pattern.column_begin[j]; s < pattern.column_begin[j + 1]; ++s) {
          const int p = place[pattern.row[s]], q = place[j];
          visit(s, std::max(p, q), std::min(p, q), p < q);
        }
      }
    };
    for_each_block([&](int, int, int column, bool) { ++fronts_[front_of_column_[column]].entries_end; });
    counts_to_ranges(fronts_, &Front::entries_begin, &Front::entries_end);
    symbolic_.entries.resize(pattern.slots());
    for_each_block([&](int slot, int row, int column, bool transposed) {
      const int f = front_of_column_[column];
      const std::span<const int> rows = rows_of(f);
      const auto in_front = std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
      symbolic_.entries[fronts_[f].entries_end++] = {slot, static_cast<int>(in_front), column - fronts_[f].first_column,
                                                     transposed};
    });
  }

  void add_families() {
    const int count = supernodes_.count();
    std::vector<double> flops(count);  // of the subtree
    std::vector<int> first(count);     // front of the subtree
    const double largest = std::max(kSmallestFamily, kLargestFamily * symbolic_.flops);
    for (int f = 0; f < count; ++f) {
      flops[f] = front_flops(fronts_[f]);
      first[f] = f;
      for (int child : symbolic_.children_of(fronts_[f])) {
        flops[f] += flops[child];
        first[f] = std::min(first[f], first[child]);
      }
    }
    for (int f = 0; f < count; ++f) {
      const bool small = flops[f] <= largest;
      if (!small || fronts_[f].parent < 0 || flops[fronts_[f].parent] > largest) add_family(small ? first[f] : f, f);
    }
    for (int g = 0; g < static_cast<int>(symbolic_.families.size()); ++g) {
      Family& family = symbolic_.families[g];
      const Front& top = fronts_[family.top];
      if (family.children == 0) symbolic_.leaves.push_back(g);
      if (top.parent < 0) symbolic_.roots.push_back(g);
      if (top.parent >= 0) {
        family.parent = fronts_[top.parent].family;
        ++symbolic_.families[family.parent].children;
      }
    }
    find_peak_memory();
  }

  void add_family(int first_front, int top) {
    Family family;
    family.first_front = first_front;
    family.top = top;
    family.first_column = fronts_[first_front].first_column;
    family.columns = fronts_[top].first_column + fronts_[top].columns - family.first_column;
    const std::span<const int> outside = rows_below(top);
    for (int f = first_front; f <= top; ++f) {
      fronts_[f].family = static_cast<int>(symbolic_.families.size());
      family.scratch = std::max(family.scratch, fronts_[f].below + kRowLanes);
      fronts_[f].in_family_begin = static_cast<int>(symbolic_.runs.size());
      if (f < top)
        add_runs(rows_below(f), family.columns, [&](int row) {
          const auto found = std::lower_bound(outside.begin(), outside.end(), row);
          return row < family.first_column + family.columns
                     ? row - family.first_column
                     : family.columns + static_cast<int>(found - outside.begin());
        });
      fronts_[f].in_family_end = static_cast<int>(symbolic_.runs.size());
    }
    place_updates(family);
    family.right_hand_side = symbolic_.right_hand_sides;
    symbolic_.right_hand_sides += family.columns + fronts_[top].below + family.scratch;
    symbolic_.families.push_back(family);
  }

  /// Updates of even and of odd depth go on two stacks: those of the children are on top of one when their parent
  /// puts its own on the other, so that none is ever moved.
  void place_updates(Family& family) {
    const int size = family.top - family.first_front + 1;
    std::vector<bool> odd(size, false);
    int64_t height[2] = {0, 0}, highest[2] = {0, 0};
    for (int f = family.top - 1; f >= family.first_front; --f)
      odd[f - family.first_front] = !odd[fronts_[f].parent - family.first_front];
    for (int f = family.first_front; f <= family.top; ++f) {
      const int side = odd[f - family.first_front];
      if (f < family.top) {
        fronts_[f].update = height[side];
        height[side] += fronts_[f].update_size();
        highest[side] = std::max(highest[side], height[side]);
      }
      for (int child : symbolic_.children_of(fronts_[f]))
        if (child >= family.first_front) height[1 - side] -= fronts_[child].update_size();
    }
    for (int f = family.first_front; f < family.top; ++f)
      if (odd[f - family.first_front]) fronts_[f].update += highest[0];
    family.memory = highest[0] + highest[1];
  }

  void find_peak_memory() {
    int64_t in_use = 0;
    for (const Family& family : symbolic_.families) {
      in_use += fronts_[family.top].update_size();
      symbolic_.peak_memory = std::max(symbolic_.peak_memory, in_use + family.memory);
      for (int child : symbolic_.children_of(fronts_[family.top]))
        if (child < family.first_front) in_use -= fronts_[child].update_size();
    }
  }

  Symbolic& symbolic_;
  std::vector<Front>& fronts_;
  int block_;
  Supernodes supernodes_;
  std::vector<int> front_of_column_;
};

}  // namespace

Symbolic::Symbolic(const BlockPattern& pattern, int block, int kept) { Builder(*this, pattern, block, kept); }

}  // namespace brio
