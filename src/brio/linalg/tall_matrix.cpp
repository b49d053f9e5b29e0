#include "brio/linalg/tall_matrix.hpp"

#include "brio/core/parallel.hpp"

namespace brio {
namespace {

constexpr int kRows = 1024;  // of a piece of the work: with two dozen columns it stays in the second-level cache

}  // namespace

void tall_inner(const Eigen::Ref<const MatrixXd>& Q, const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> C,
                std::vector<double>& work) {
  const int n = static_cast<int>(Q.rows());
  const detail::Chunks chunks(n, kRows);
  const Index size = C.size();
  work.resize(std::max<size_t>(work.size(), chunks.count * size));
  parallel_for(n, kRows, [&](int begin, int end) {
    Eigen::Map<MatrixXd> sum(work.data() + (begin / chunks.length) * size, C.rows(), C.cols());
    const auto rows = Q.middleRows(begin, end - begin);
    // Column by column: Eigen's product of two matrices would allocate.
    for (Index j = 0; j < X.cols(); ++j) {
      sum.col(j).setZero();
      sum.col(j).noalias() += rows.transpose() * X.col(j).segment(begin, end - begin);
    }
  });
  C.setZero();
  for (int c = 0; c < chunks.count; ++c) C += Eigen::Map<MatrixXd>(work.data() + c * size, C.rows(), C.cols());
}

void tall_combine(const Eigen::Ref<const MatrixXd>& Q, const Eigen::Ref<const MatrixXd>& C, Eigen::Ref<MatrixXd> X,
                  bool add) {
  parallel_for(static_cast<int>(Q.rows()), kRows, [&](int begin, int end) {
    const auto rows = Q.middleRows(begin, end - begin);
    for (Index j = 0; j < C.cols(); ++j) {
      auto x = X.col(j).segment(begin, end - begin);
      if (!add) x.setZero();
      x.noalias() += rows * C.col(j);
    }
  });
}

}  // namespace brio
