// Eigen's simplicial LDL^T on the matrix permuted here: the back end of builds without SuiteSparse.

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/linalg/cholesky_backend.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <tuple>

namespace brio {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

constexpr int kSlotsPerTask = 2048;

/// Per block row its place in the minimum-degree order of the vertex graph.
std::vector<int> minimum_degree_places(const BlockPattern& pattern) {
  const int n = pattern.blocks_per_side;
  const std::vector<double> ones(pattern.slots(), 1.0);
  const Eigen::Map<const SparseMatrix> graph(n, n, pattern.slots(), pattern.column_begin.data(), pattern.row.data(),
                                             ones.data());
  Permutation order;
  Eigen::AMDOrdering<int>()(SparseMatrix(graph).selfadjointView<Eigen::Lower>(), order);
  const Permutation place = order.inverse();
  return {place.indices().begin(), place.indices().end()};
}

/// Upper triangle and no ordering of its own: then Eigen factors the matrix where it lies. Opens what Eigen only
/// copies.
class Ldlt : public Eigen::SimplicialLDLT<SparseMatrix, Eigen::Upper, Eigen::NaturalOrdering<int>> {
 public:
  const int* column_begin() const { return m_matrix.outerIndexPtr(); }
  const VectorXd& pivots() const { return m_diag; }
  /// Entries below the diagonal, which Eigen itself counts in 32 bits.
  double nonzeros() const { return m_nonZerosPerCol.cast<double>().sum(); }
};

template <int Block>
class EigenCholesky final : public CholeskyBackend {
 public:
  explicit EigenCholesky(std::shared_ptr<const BlockPattern> pattern) : CholeskyBackend(std::move(pattern), Block) {
    if (rows() == 0) return;
    if (1.0 * Block * Block * pattern_->slots() > std::numeric_limits<int>::max()) refuse();
    try {
      place_ = minimum_degree_places(*pattern_);
      build_upper_triangle();
      ldlt_.analyzePattern(A_);
      diagonal_.resize(rows());
    } catch (const std::bad_alloc&) {
      refuse();
    }
    if (ldlt_.nonzeros() > std::numeric_limits<int>::max()) refuse();
  }

  CholeskyStats stats() const override {
    CholeskyStats stats{"eigen", "amd", 0, 0};
    if (rows() == 0) return stats;
    const int* begin = ldlt_.column_begin();
    for (Index j = 0; j < rows(); ++j) {
      const double column = begin[j + 1] - begin[j] + 1;  // with the diagonal, which Eigen keeps apart
      stats.factor_nonzeros += column;
      stats.factor_flops += column * column;
    }
    return stats;
  }

 private:
  /// Where a block of the pattern goes in the permuted upper triangle.
  struct Target {
    int column, entry;  // block column, scalar entries above the block
    bool transposed;
  };

  [[noreturn]] void refuse() const {
    throw Error(
        "a matrix of {} blocks on {} block rows is too large for Eigen's LDLT or for the memory: build with "
        "SuiteSparse, or use a coarser mesh",
        pattern_->slots(), pattern_->blocks_per_side);
  }

  void build_upper_triangle() {
    const BlockPattern& p = *pattern_;
    const int n = p.blocks_per_side;
    struct Entry {
      int row, column, slot;
      bool transposed;
    };
    std::vector<Entry> blocks;
    for (int j = 0; j < n; ++j) {
      for (int s = p.column_begin[j]; s < p.column_begin[j + 1]; ++s) {
        const auto [row, column] = std::minmax(place_[p.row[s]], place_[j]);
        blocks.push_back({row, column, s, place_[p.row[s]] > place_[j]});
      }
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const Entry& a, const Entry& b) { return std::tie(a.column, a.row) < std::tie(b.column, b.row); });

    target_.resize(p.slots());
    A_.resize(rows(), rows());
    A_.resizeNonZeros(Block * Block * static_cast<Index>(p.slots()) - Block * (Block - 1) / 2 * n);
    int* outer = A_.outerIndexPtr();
    int* inner = A_.innerIndexPtr();
    int filled = 0;
    for (size_t first = 0, last = 0; first < blocks.size(); first = last) {
      const int column = blocks[first].column;
      while (last < blocks.size() && blocks[last].column == column) ++last;
      for (int c = 0; c < Block; ++c) {
        outer[Block * column + c] = filled;
        for (size_t k = first; k < last; ++k)
          for (int r = 0; r < (blocks[k].row == column ? c + 1 : Block); ++r)
            inner[filled++] = Block * blocks[k].row + r;
      }
      for (size_t k = first; k < last; ++k)
        target_[blocks[k].slot] = {column, Block * static_cast<int>(k - first), blocks[k].transposed};
    }
    outer[rows()] = filled;
  }

  bool factor_values(const double* K, double scale, const VectorXd& shift) override {
    if (rows() == 0) return true;
    const BlockPattern& p = *pattern_;
    parallel_for(p.slots(), kSlotsPerTask, [&](int begin, int end) {
      for (int s = begin; s < end; ++s) {
        const Target& t = target_[s];
        const int diagonal = p.column_begin[p.row[s]] == s ? p.row[s] : -1;
        for (int c = 0; c < Block; ++c) {
          double* column = A_.valuePtr() + A_.outerIndexPtr()[Block * t.column + c] + t.entry;
          for (int r = 0; r < (diagonal >= 0 ? c + 1 : Block); ++r)
            column[r] =
                scale * K[Block * Block * static_cast<size_t>(s) + (t.transposed ? Block * c + r : Block * r + c)];
          if (diagonal >= 0) diagonal_[Block * t.column + c] = column[c] += shift[Block * diagonal + c];
        }
      }
    });
    ldlt_.factorize(A_);
    if (ldlt_.info() != Eigen::Success) return false;
    const VectorXd& D = ldlt_.pivots();
    for (Index i = 0; i < rows(); ++i)
      if (!(D[i] > kSmallestPivot * diagonal_[i]) || !std::isfinite(D[i])) return false;
    return true;
  }

  void solve_factored(Eigen::Ref<MatrixXd> B) override {
    X_.resize(B.rows(), B.cols());
    for (Index c = 0; c < B.cols(); ++c)
      for (size_t v = 0; v < place_.size(); ++v)
        X_.col(c).template segment<Block>(Block * place_[v]) = B.col(c).template segment<Block>(Block * v);
    ldlt_.matrixL().solveInPlace(X_);
    for (Index c = 0; c < B.cols(); ++c) X_.col(c).array() /= ldlt_.pivots().array();
    ldlt_.matrixU().solveInPlace(X_);
    for (Index c = 0; c < B.cols(); ++c)
      for (size_t v = 0; v < place_.size(); ++v)
        B.col(c).template segment<Block>(Block * v) = X_.col(c).template segment<Block>(Block * place_[v]);
  }

  Ldlt ldlt_;
  std::vector<int> place_;
  std::vector<Target> target_;
  SparseMatrix A_;
  VectorXd diagonal_;
  MatrixXd X_;
};

}  // namespace

std::unique_ptr<Cholesky> make_eigen_cholesky(std::shared_ptr<const BlockPattern> pattern, int block) {
  if (block == 1) return std::make_unique<EigenCholesky<1>>(std::move(pattern));
  return std::make_unique<EigenCholesky<3>>(std::move(pattern));
}

}  // namespace brio
