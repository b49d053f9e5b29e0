#pragma once
// Symmetric sparse matrices of 3x3 blocks, one block row per free vertex: the pattern is found once per topology,
// values are added in place, and products run in parallel with the same bits for any number of threads.

#include "brio/core/archive.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace brio {

/// Which blocks of the lower triangle exist (row >= column; every diagonal block does).
struct BlockPattern {
  int blocks_per_side = 0;
  std::vector<int> column_begin;  ///< per block column: its first slot; the first slot of a column is the diagonal
  std::vector<int> row;           ///< per slot: block row, increasing within a column
  std::vector<int> row_begin;     ///< the same blocks left of the diagonal, row by row (diagonal not included)
  std::vector<int> row_slot;      ///< per entry of a row: its slot
  std::vector<int> row_column;    ///< per entry of a row: its block column

  /// From the coupled pairs (any order, repeats allowed).
  BlockPattern(int blocks_per_side, std::vector<std::pair<int, int>> couplings);

  int slots() const { return static_cast<int>(row.size()); }
  /// Slot of block (max(i,j), min(i,j)); throws Error when the pattern has none.
  int slot(int i, int j) const;
};

/// Values on a pattern: nine doubles a slot, row-major within the block.
class BlockMatrix {
 public:
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  double* block(int slot) { return values_.data() + 9 * static_cast<size_t>(slot); }
  const double* block(int slot) const { return values_.data() + 9 * static_cast<size_t>(slot); }
  void archive(Archive& archive) { archive(values_); }
  void set_zero();
  /// This matrix becomes a A + b B; all three share one pattern.
  void set_sum(double a, const BlockMatrix& A, double b, const BlockMatrix& B);
  /// This matrix becomes scale K + diag(shift); both share one pattern.
  void set_shifted(double scale, const BlockMatrix& K, const VectorXd& shift);
  /// y = A x, both triangles of A counted.
  void multiply(const VectorXd& x, VectorXd& y) const;
  void multiply(const double* x, double* y) const;  ///< the same for as many numbers as A has rows
  /// Y = A X for several columns at once: eight of them share one pass over A, which takes about a quarter of the time
  /// of as many products with one vector. Y has X's size; `work` grows once and is there to be used again.
  void multiply(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y, std::vector<double>& work) const;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> values_;
};

}  // namespace brio
