#include "brio/linalg/tall_products.hpp"

#include "brio/core/parallel.hpp"

#include <algorithm>

namespace brio {
namespace {

constexpr Index kSums = 8;  // partial sums over the rows, whatever the number of threads
constexpr int kRowsPerPanel = 2048;
constexpr int kRowsPerTile = 256;  // rows that stay in the cache; also keeps Eigen's own buffers on the stack

}  // namespace

namespace {

/// G (height x width) is the sum of add(sum number, first row, rows, sum) over tiles of rows. `room` more numbers of
/// scratch belong to each of the sums.
template <class Add>
void sum_over_tiles(Index rows, Index room, Eigen::Ref<MatrixXd> G, std::vector<double>& scratch, const Add& add) {
  const Index width = G.cols();
  const Index tiles = (rows + kRowsPerTile - 1) / kRowsPerTile, sums = std::max<Index>(1, std::min(kSums, tiles));
  const size_t needed = static_cast<size_t>((G.size() + room) * sums);
  if (scratch.size() < needed) scratch.resize(needed);
  Eigen::Map<MatrixXd> partial(scratch.data(), G.rows(), sums * width);
  parallel_for(static_cast<int>(sums), 1, [&](int begin, int end) {
    for (int s = begin; s < end; ++s) {
      auto sum = partial.middleCols(s * width, width);
      sum.setZero();
      double* own = scratch.data() + partial.size() + s * room;
      for (Index tile = tiles * s / sums; tile < tiles * (s + 1) / sums; ++tile) {
        const Index first = tile * kRowsPerTile;
        add(first, std::min<Index>(kRowsPerTile, rows - first), sum, own);
      }
    }
  });
  G = partial.leftCols(width);
  for (Index s = 1; s < sums; ++s) G += partial.middleCols(s * width, width);
}

}  // namespace

void multiply_transposed(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& Y,
                         Eigen::Ref<MatrixXd> G, std::vector<double>& scratch) {
  sum_over_tiles(X.rows(), 0, G, scratch, [&](Index first, Index count, auto& sum, double*) {
    sum.noalias() += X.middleRows(first, count).transpose() * Y.middleRows(first, count);
  });
}

void multiply_weighted(const Eigen::Ref<const MatrixXd>& X, const VectorXd& w, MatrixXd& G,
                       std::vector<double>& scratch) {
  G.resize(X.cols(), X.cols());
  sum_over_tiles(X.rows(), kRowsPerTile * X.cols(), G, scratch, [&](Index first, Index count, auto& sum, double* own) {
    Eigen::Map<MatrixXd> weighted(own, count, X.cols());
    weighted.noalias() = w.segment(first, count).asDiagonal() * X.middleRows(first, count);
    sum.noalias() += X.middleRows(first, count).transpose() * weighted;
  });
}

void multiply_transposed(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& Y, MatrixXd& G,
                         std::vector<double>& scratch) {
  G.resize(X.cols(), Y.cols());
  multiply_transposed(X, Y, Eigen::Ref<MatrixXd>(G), scratch);
}

void reserve_scratch(Index size, std::vector<double>& scratch) { scratch.reserve(kSums * size); }

namespace {

/// Calls body(first row, rows) for tiles of rows, in parallel.
template <class Body>
void for_each_tile(Index rows, const Body& body) {
  const int tiles = static_cast<int>((rows + kRowsPerTile - 1) / kRowsPerTile);
  parallel_for(tiles, 4, [&](int begin, int end) {
    for (Index tile = begin; tile < end; ++tile)
      body(tile * kRowsPerTile, std::min<Index>(kRowsPerTile, rows - tile * kRowsPerTile));
  });
}

}  // namespace

void multiply_tall(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& C, Eigen::Ref<MatrixXd> Y) {
  for_each_tile(X.rows(), [&](Index first, Index count) {
    Y.middleRows(first, count).noalias() = X.middleRows(first, count) * C;
  });
}

void add_tall(const Eigen::Ref<const MatrixXd>& X, const Eigen::Ref<const MatrixXd>& C, Eigen::Ref<MatrixXd> Y) {
  for_each_tile(X.rows(), [&](Index first, Index count) {
    Y.middleRows(first, count).noalias() += X.middleRows(first, count) * C;
  });
}

double parallel_dot(const VectorXd& a, const VectorXd& b) {
  return parallel_sum(static_cast<int>(a.size()), kRowsPerPanel, [&](int begin, int end) {
    return a.segment(begin, end - begin).dot(b.segment(begin, end - begin));
  });
}

}  // namespace brio
