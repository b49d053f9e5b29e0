#include "brio/linalg/supernodal_symbolic.hpp"

#include "brio/core/error.hpp"

#include <cholmod.h>

#include <algorithm>

namespace brio {
namespace {

/// Work worth a task of its own [flop]: some tens of microseconds.
constexpr double kSmallestFamily = 1e6;
/// No subtree with more than this part of the work is left to one thread.
constexpr double kLargestFamily = 1.0 / 128;

/// CHOLMOD's settings and workspace; its errors become exceptions here and nothing is printed.
class Cholmod {
 public:
  Cholmod() {
    cholmod_start(&common);
    common.print = 0;
    common.error_handler = [](int, const char*, int, const char*) {};
  }
  ~Cholmod() { cholmod_finish(&common); }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  cholmod_common common;
};

struct Analysis {
  Cholmod cholmod;
  cholmod_factor* factor = nullptr;
  ~Analysis() { cholmod_free_factor(&factor, &cholmod.common); }

  explicit Analysis(const BlockPattern& pattern) {
    cholmod_common& c = cholmod.common;
    c.nmethods = 2;
    c.method[0].ordering = CHOLMOD_METIS;
    c.method[1].ordering = CHOLMOD_AMD;
    c.postorder = true;
    c.supernodal = CHOLMOD_SUPERNODAL;
    // Columns of the vertex graph are three columns each: CHOLMOD's own 4, 16 and 48 in blocks.
    c.nrelax[0] = 2;
    c.nrelax[1] = 6;
    c.nrelax[2] = 16;

    cholmod_sparse graph{};
    graph.nrow = graph.ncol = pattern.blocks_per_side;
    graph.nzmax = pattern.slots();
    graph.p = const_cast<int*>(pattern.column_begin.data());
    graph.i = const_cast<int*>(pattern.row.data());
    graph.stype = -1;
    graph.itype = CHOLMOD_INT;
    graph.xtype = CHOLMOD_PATTERN;
    graph.dtype = CHOLMOD_DOUBLE;
    graph.sorted = graph.packed = true;
    factor = cholmod_analyze(&graph, &c);
    if (c.status == CHOLMOD_OUT_OF_MEMORY || c.status == CHOLMOD_TOO_LARGE)
      throw Error(
          "a matrix of {} blocks on {} block rows does not fit the memory that its factor needs: use a coarser "
          "mesh or a method that does not factor",
          pattern.slots(), pattern.blocks_per_side);
    if (!factor || c.status < CHOLMOD_OK) throw Error("CHOLMOD's analysis failed with status {}", c.status);
  }
};

const int* ints(const void* array) { return static_cast<const int*>(array); }

/// Flops of a front with these scalar sizes: the squared lengths of its columns.
double front_flops(const Front& front) {
  double flops = 0;
  for (int j = 0; j < 3 * front.columns; ++j) flops += (3.0 * front.rows - j) * (3.0 * front.rows - j);
  return flops;
}

}  // namespace

Symbolic::Symbolic(const BlockPattern& pattern) {
  const int n = pattern.blocks_per_side;
  const Analysis analysis(pattern);
  const cholmod_factor& L = *analysis.factor;
  const cholmod_common& c = analysis.cholmod.common;
  ordering = c.method[c.selected].ordering == CHOLMOD_METIS ? "metis" : "amd";
  order.assign(ints(L.Perm), ints(L.Perm) + n);
  place.resize(n);
  for (int k = 0; k < n; ++k) place[order[k]] = k;
  const int *row_begin = ints(L.pi), *row = ints(L.s);
  add_fronts(static_cast<int>(L.nsuper), ints(L.super), row_begin, row);
  add_entries(pattern, row_begin, row);
  add_families(row_begin, row);
}

/// From CHOLMOD's first columns, and the rows of every supernode.
void Symbolic::add_fronts(int count, const int* first_column, const int* row_begin, const int* row) {
  std::vector<int> front_of_column(first_column[count]);
  int below = 0;
  for (int f = 0; f < count; ++f) {
    Front front;
    front.first_column = first_column[f];
    front.columns = first_column[f + 1] - first_column[f];
    front.rows = row_begin[f + 1] - row_begin[f];
    front.below = below;
    front.values = values;
    below += front.rows_below();
    values += 9 * static_cast<int64_t>(front.rows) * front.columns;
    fronts.push_back(front);
    std::fill_n(front_of_column.begin() + front.first_column, front.columns, f);
    const double k = 3 * front.columns, m = 3 * front.rows;
    nonzeros += k * m - k * (k - 1) / 2;
    flops += front_flops(front);
  }

  rows_in_parent.resize(below);
  for (int f = 0; f < count; ++f) {
    Front& front = fronts[f];
    if (front.rows_below() == 0) continue;
    front.parent = front_of_column[row[row_begin[f] + front.columns]];
    ++fronts[front.parent].children_end;
    // Both lists increase, and the parent has every row of its child.
    int in_parent = 0;
    for (int r = 0; r < front.rows_below(); ++r) {
      while (row[row_begin[front.parent] + in_parent] != row[row_begin[f] + front.columns + r]) ++in_parent;
      rows_in_parent[front.below + r] = in_parent;
    }
  }
  int children_count = 0;
  for (Front& front : fronts) {
    front.children_begin = children_count;
    children_count += front.children_end;
    front.children_end = front.children_begin;
  }
  children.resize(children_count);
  for (int f = 0; f < count; ++f)
    if (fronts[f].parent >= 0) children[fronts[fronts[f].parent].children_end++] = f;
}

void Symbolic::add_entries(const BlockPattern& pattern, const int* row_begin, const int* row) {
  std::vector<int> front_of_column(pattern.blocks_per_side);
  for (size_t f = 0; f < fronts.size(); ++f)
    std::fill_n(front_of_column.begin() + fronts[f].first_column, fronts[f].columns, static_cast<int>(f));
  const auto for_each_block = [&](const auto& visit) {
    for (int j = 0; j < pattern.blocks_per_side; ++j) {
      for (int s = pattern.column_begin[j]; s < pattern.column_begin[j + 1]; ++s) {
        const int p = place[pattern.row[s]], q = place[j];
        visit(s, std::max(p, q), std::min(p, q), p < q);
      }
    }
  };
  for (Front& front : fronts) front.entries_end = 0;
  for_each_block([&](int, int, int column, bool) { ++fronts[front_of_column[column]].entries_end; });
  int count = 0;
  for (Front& front : fronts) {
    front.entries_begin = count;
    count += front.entries_end;
    front.entries_end = front.entries_begin;
  }
  entries.resize(count);
  for_each_block([&](int slot, int r, int column, bool transposed) {
    const int f = front_of_column[column];
    Front& front = fronts[f];
    const int in_front =
        static_cast<int>(std::lower_bound(row + row_begin[f], row + row_begin[f + 1], r) - (row + row_begin[f]));
    entries[front.entries_end++] = {slot, in_front, column - front.first_column, transposed};
  });
}

void Symbolic::add_families(const int* row_begin, const int* row) {
  const int count = static_cast<int>(fronts.size());
  std::vector<double> subtree_flops(count);
  std::vector<int> subtree_begin(count);
  const double largest = std::max(kSmallestFamily, kLargestFamily * flops);
  for (int f = 0; f < count; ++f) {
    subtree_flops[f] = front_flops(fronts[f]);
    subtree_begin[f] = f;
    for (int k = fronts[f].children_begin; k < fronts[f].children_end; ++k) {
      subtree_flops[f] += subtree_flops[children[k]];
      subtree_begin[f] = std::min(subtree_begin[f], subtree_begin[children[k]]);
    }
  }
  for (int f = 0; f < count; ++f) {
    const bool small = subtree_flops[f] <= largest;
    if (small && fronts[f].parent >= 0 && subtree_flops[fronts[f].parent] <= largest) continue;
    Family family;
    family.first_front = small ? subtree_begin[f] : f;
    family.top = f;
    family.first_column = fronts[family.first_front].first_column;
    family.columns = fronts[f].first_column + fronts[f].columns - family.first_column;
    for (int k = family.first_front; k <= f; ++k) {
      fronts[k].family = static_cast<int>(families.size());
      family.scratch = std::max(family.scratch, fronts[k].rows_below());
    }
    family.right_hand_side = right_hand_side_rows;
    right_hand_side_rows += 3 * static_cast<int64_t>(family.columns + fronts[f].rows_below() + family.scratch);
    families.push_back(family);
  }

  rows_in_family.resize(rows_in_parent.size());
  for (size_t g = 0; g < families.size(); ++g) {
    Family& family = families[g];
    if (fronts[family.top].parent >= 0) {
      family.parent = fronts[fronts[family.top].parent].family;
      ++families[family.parent].children;
    }
    place_rows(family, row_begin, row);
    place_updates(family);
  }
  int64_t in_use = 0;
  for (size_t g = 0; g < families.size(); ++g) {
    const Family& family = families[g];
    if (family.children == 0) leaves.push_back(static_cast<int>(g));
    if (family.parent < 0) roots.push_back(static_cast<int>(g));
    in_use += fronts[family.top].update_size();
    peak_memory = std::max(peak_memory, in_use + family.memory);
    for (int k = fronts[family.top].children_begin; k < fronts[family.top].children_end; ++k)
      if (fronts[children[k]].family != static_cast<int>(g)) in_use -= fronts[children[k]].update_size();
  }
}

/// Every row below a front of the family is one of the family's columns or a row below its top.
void Symbolic::place_rows(const Family& family, const int* row_begin, const int* row) {
  const int end = family.first_column + family.columns;
  const int* outside = row + row_begin[family.top] + fronts[family.top].columns;
  const int* outside_end = row + row_begin[family.top + 1];
  for (int f = family.first_front; f <= family.top; ++f) {
    const Front& front = fronts[f];
    for (int r = 0; r < front.rows_below(); ++r) {
      const int global = row[row_begin[f] + front.columns + r];
      rows_in_family[front.below + r] =
          global < end ? global - family.first_column
                       : family.columns + static_cast<int>(std::lower_bound(outside, outside_end, global) - outside);
    }
  }
}

/// Updates of even and odd depth go on two stacks that grow towards each other: those of the children are on top of
/// one when their parent puts its own on the other, so that none is ever moved.
void Symbolic::place_updates(Family& family) {
  const int size = family.top - family.first_front + 1;
  std::vector<bool> odd(size, false);
  int64_t height[2] = {0, 0}, highest[2] = {0, 0};
  for (int f = family.top - 1; f >= family.first_front; --f)
    odd[f - family.first_front] = !odd[fronts[f].parent - family.first_front];
  for (int f = family.first_front; f <= family.top; ++f) {
    const int side = odd[f - family.first_front];
    if (f < family.top) {
      fronts[f].update = height[side];
      height[side] += fronts[f].update_size();
      highest[side] = std::max(highest[side], height[side]);
    }
    for (int k = fronts[f].children_begin; k < fronts[f].children_end; ++k)
      if (children[k] >= family.first_front) height[1 - side] -= fronts[children[k]].update_size();
  }
  for (int f = family.first_front; f < family.top; ++f)
    if (odd[f - family.first_front]) fronts[f].update += highest[0];
  family.memory = highest[0] + highest[1];
}

}  // namespace brio
