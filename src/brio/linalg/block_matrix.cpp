#include "brio/linalg/block_matrix.hpp"

#include "brio/core/error.hpp"
#include "brio/core/pack.hpp"
#include "brio/core/parallel.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

namespace brio {
namespace {

constexpr int kRowsPerChunk = 256;
constexpr int kSlotsPerChunk = 4096;

/// Turns counts in [1, n] into the begins of n + 1 consecutive ranges.
void counts_to_begins(std::vector<int>& begin) { std::partial_sum(begin.begin(), begin.end(), begin.begin()); }

void check_sizes(int blocks, const std::vector<std::pair<int, int>>& couplings) {
  constexpr int most = std::numeric_limits<int>::max();
  if (blocks < 0 || blocks > most / 3) throw Error("matrix of {} blocks a side: must be in [0, {}]", blocks, most / 3);
  if (couplings.size() > static_cast<size_t>(most - blocks))
    throw Error("matrix with {} couplings: at most {} fit its 32-bit indices; use a smaller mesh", couplings.size(),
                most - blocks);
  for (const auto& [i, j] : couplings)
    if (std::min(i, j) < 0 || std::max(i, j) >= blocks)
      throw Error("coupling ({}, {}) is outside a matrix of {} blocks a side", i, j, blocks);
}

}  // namespace

BlockPattern::BlockPattern(int blocks, std::vector<std::pair<int, int>> couplings) : blocks_per_side(blocks) {
  check_sizes(blocks, couplings);
  for (auto& [i, j] : couplings)
    if (i < j) std::swap(i, j);

  // Two counting sorts, first by row and then by column, leave every column with its rows in order and repeats
  // adjacent.
  std::vector<int> begin(blocks + 1, 0);
  for (const auto& [i, j] : couplings) ++begin[i + 1];
  counts_to_begins(begin);
  std::vector<int> column_by_row(couplings.size()), next(begin);
  for (const auto& [i, j] : couplings) column_by_row[next[i]++] = j;

  std::vector<int> last_row(blocks, -1);
  const auto for_each_block = [&](const auto& visit) {
    std::fill(last_row.begin(), last_row.end(), -1);
    for (int i = 0; i < blocks; ++i) {
      for (int k = begin[i]; k < begin[i + 1]; ++k) {
        const int j = column_by_row[k];
        if (j != i && last_row[j] != i) visit(i, j);
        last_row[j] = i;
      }
    }
  };
  column_begin.assign(blocks + 1, 0);
  for (int j = 0; j < blocks; ++j) column_begin[j + 1] = 1;  // the diagonal
  for_each_block([&](int, int j) { ++column_begin[j + 1]; });
  counts_to_begins(column_begin);
  row.resize(column_begin[blocks]);
  next = column_begin;
  for (int j = 0; j < blocks; ++j) row[next[j]++] = j;
  for_each_block([&](int i, int j) { row[next[j]++] = i; });

  row_begin.assign(blocks + 1, 0);
  for_each_block([&](int i, int) { ++row_begin[i + 1]; });
  counts_to_begins(row_begin);
  row_slot.resize(row_begin[blocks]);
  row_column.resize(row_begin[blocks]);
  next = row_begin;
  for (int j = 0; j < blocks; ++j) {
    for (int s = column_begin[j] + 1; s < column_begin[j + 1]; ++s) {
      const int k = next[row[s]]++;
      row_slot[k] = s;
      row_column[k] = j;
    }
  }
}

int BlockPattern::slot(int i, int j) const {
  const auto [low, high] = std::minmax(i, j);
  if (low >= 0 && high < blocks_per_side) {
    const auto end = row.begin() + column_begin[low + 1];
    const auto found = std::lower_bound(row.begin() + column_begin[low], end, high);
    if (found != end && *found == high) return static_cast<int>(found - row.begin());
  }
  throw Error("the pattern of {} blocks a side has no block ({}, {}): list it among the couplings", blocks_per_side, i,
              j);
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)), values_(9 * static_cast<size_t>(pattern_->slots()), 0.0) {}

void BlockMatrix::set_zero() {
  parallel_for(pattern_->slots(), kSlotsPerChunk,
               [&](int begin, int end) { std::fill(block(begin), block(end - 1) + 9, 0.0); });
}

void BlockMatrix::set_sum(double a, const BlockMatrix& A, double b, const BlockMatrix& B) {
  for (size_t i = 0; i < values_.size(); ++i) values_[i] = a * A.values_[i] + b * B.values_[i];
}

void BlockMatrix::set_shifted(double scale, const BlockMatrix& K, const VectorXd& shift) {
  const BlockPattern& p = *pattern_;
  parallel_for(p.blocks_per_side, kRowsPerChunk, [&](int begin, int end) {
    const size_t first = 9 * static_cast<size_t>(p.column_begin[begin]);
    const size_t last = 9 * static_cast<size_t>(p.column_begin[end]);
    for (size_t k = first; k < last; ++k) values_[k] = scale * K.values_[k];
    for (int i = begin; i < end; ++i)
      for (int c = 0; c < 3; ++c) block(p.column_begin[i])[4 * c] += shift[3 * static_cast<Index>(i) + c];
  });
}

void BlockMatrix::multiply(const VectorXd& x, VectorXd& y) const {
  const int n = pattern_->blocks_per_side;
  if (x.size() != 3 * static_cast<Index>(n))
    throw Error("product of a {0}x{0} matrix and a vector of {1}", 3 * n, x.size());
  y.resize(x.size());
  multiply(x.data(), y.data());
}

void BlockMatrix::multiply(const double* x, double* y) const {
  const BlockPattern& p = *pattern_;
  const int n = p.blocks_per_side;
  // Every block row is summed whole by one thread: its blocks left of the diagonal, the diagonal, and the column
  // below it, transposed.
  parallel_for(n, kRowsPerChunk, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      double sum[3] = {0, 0, 0};
      const auto add = [&](const double* a, const double* v) {
        for (int r = 0; r < 3; ++r) sum[r] += a[3 * r] * v[0] + a[3 * r + 1] * v[1] + a[3 * r + 2] * v[2];
      };
      const auto add_transposed = [&](const double* a, const double* v) {
        for (int r = 0; r < 3; ++r) sum[r] += a[r] * v[0] + a[3 + r] * v[1] + a[6 + r] * v[2];
      };
      for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k)
        add(block(p.row_slot[k]), x + 3 * static_cast<size_t>(p.row_column[k]));
      const int diagonal = p.column_begin[i];
      add(block(diagonal), x + 3 * static_cast<size_t>(i));
      for (int s = diagonal + 1; s < p.column_begin[i + 1]; ++s)
        add_transposed(block(s), x + 3 * static_cast<size_t>(p.row[s]));
      std::copy(sum, sum + 3, y + 3 * static_cast<size_t>(i));
    }
  });
}

void BlockMatrix::multiply(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y,
                           std::vector<double>& work) const {
  const BlockPattern& p = *pattern_;
  const Index n = 3 * static_cast<Index>(p.blocks_per_side);
  if (X.rows() != n || Y.rows() != n || Y.cols() != X.cols())
    throw Error("product of a {0}x{0} matrix and {1} columns of {2} into {3} columns of {4}", n, X.cols(), X.rows(),
                Y.cols(), Y.rows());
  const size_t needed = static_cast<size_t>(n) * kLanes + kLanes;
  if (X.cols() > 0 && work.size() < needed) work.resize(needed);
  for (Index first = 0; first < X.cols(); first += kLanes) {
    const int width = static_cast<int>(std::min<Index>(kLanes, X.cols() - first));
    // Row by row, so that a number of A meets a whole pack of X; the lanes without a column stay out of the result.
    void* start = work.data();
    size_t room = work.size() * sizeof(double);
    Pack* const rows =
        static_cast<Pack*>(std::align(alignof(Pack), static_cast<size_t>(n) * sizeof(Pack), start, room));
    parallel_for(p.blocks_per_side, kRowsPerChunk, [&](int begin, int end) {
      for (Index r = 3 * static_cast<Index>(begin); r < 3 * static_cast<Index>(end); ++r) {
        Pack row{};
        for (int c = 0; c < width; ++c) row[c] = X(r, first + c);
        rows[r] = row;
      }
    });
    parallel_for(p.blocks_per_side, kRowsPerChunk, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        Pack sum[3] = {};
        const auto add = [&](const double* a, const Pack* v) {
          for (int r = 0; r < 3; ++r) sum[r] += a[3 * r] * v[0] + a[3 * r + 1] * v[1] + a[3 * r + 2] * v[2];
        };
        const auto add_transposed = [&](const double* a, const Pack* v) {
          for (int r = 0; r < 3; ++r) sum[r] += a[r] * v[0] + a[3 + r] * v[1] + a[6 + r] * v[2];
        };
        for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k)
          add(block(p.row_slot[k]), rows + 3 * static_cast<size_t>(p.row_column[k]));
        const int diagonal = p.column_begin[i];
        add(block(diagonal), rows + 3 * static_cast<size_t>(i));
        for (int s = diagonal + 1; s < p.column_begin[i + 1]; ++s)
          add_transposed(block(s), rows + 3 * static_cast<size_t>(p.row[s]));
        for (int c = 0; c < width; ++c)
          for (int r = 0; r < 3; ++r) Y(3 * static_cast<Index>(i) + r, first + c) = sum[r][c];
      }
    });
  }
}

}  // namespace brio
