#include "brio/linalg/tall_products.hpp"

#include "brio/core/parallel.hpp"

namespace brio {
namespace {

constexpr int kRowsPerChunk = 2048;  // 16 kB of each column: several of them stay in the first-level cache

}  // namespace

void multiply_transposed(const MatrixXd& A, int columns, const VectorXd& x, VectorXd& y) {
  const int rows = static_cast<int>(A.rows());
  const detail::Chunks chunks(rows, kRowsPerChunk);
  MatrixXd partial(columns, chunks.count);
  parallel_for(rows, kRowsPerChunk, [&](int begin, int end) {
    partial.col(begin / chunks.length).noalias() =
        A.block(begin, 0, end - begin, columns).transpose() * x.segment(begin, end - begin);
  });
  y = VectorXd::Zero(columns);
  for (int c = 0; c < chunks.count; ++c) y += partial.col(c);
}

void add_product(const MatrixXd& A, const VectorXd& c, VectorXd& x) {
  parallel_for(static_cast<int>(A.rows()), kRowsPerChunk, [&](int begin, int end) {
    x.segment(begin, end - begin).noalias() += A.block(begin, 0, end - begin, c.size()) * c;
  });
}

double parallel_dot(const VectorXd& a, const VectorXd& b) {
  return parallel_sum(static_cast<int>(a.size()), kRowsPerChunk, [&](int begin, int end) {
    return a.segment(begin, end - begin).dot(b.segment(begin, end - begin));
  });
}

}  // namespace brio
