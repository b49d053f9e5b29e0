#include "brio/linalg/mass_orthonormal.hpp"

#include "brio/core/parallel.hpp"

#include <cmath>
#include <vector>

namespace brio {
namespace {

constexpr int kRowsPerSweep = 2048;

/// column . M column
double squared_length(const VectorXd& mass, const VectorXd& column) {
  return parallel_sum(static_cast<int>(mass.size()), kRowsPerSweep, [&](int begin, int end) {
    const auto part = column.segment(begin, end - begin).array();
    return (part.square() * mass.segment(begin, end - begin).array()).sum();
  });
}

/// column - Q Q^T M column, all projections taken of the same column, so that Q is read twice and not once a vector.
void project_out(const VectorXd& mass, const MatrixXd& Q, Index count, VectorXd& column, std::vector<double>& work) {
  const int n = static_cast<int>(mass.size());
  const detail::Chunks chunks(n, kRowsPerSweep);
  const size_t needed = static_cast<size_t>(count) * (chunks.count + 1);
  if (work.size() < needed) work.resize(needed);
  Eigen::Map<MatrixXd> partial(work.data(), count, chunks.count);
  Eigen::Map<VectorXd> shares(work.data() + count * chunks.count, count);
  parallel_for(n, kRowsPerSweep, [&](int begin, int end) {
    const int size = end - begin;
    for (Index k = 0; k < count; ++k) {
      partial(k, begin / chunks.length) = (Q.col(k).segment(begin, size).array() * mass.segment(begin, size).array() *
                                           column.segment(begin, size).array())
                                              .sum();
    }
  });
  shares.setZero();
  for (int c = 0; c < chunks.count; ++c) shares += partial.col(c);
  parallel_for(n, kRowsPerSweep, [&](int begin, int end) {
    for (Index k = 0; k < count; ++k)
      column.segment(begin, end - begin) -= shares[k] * Q.col(k).segment(begin, end - begin);
  });
}

}  // namespace

bool append_orthonormal(const VectorXd& mass, MatrixXd& Q, Index count, VectorXd& column) {
  constexpr double kDependent = 1e-10;
  static thread_local std::vector<double> work;  // of the thread that calls; the loops within only borrow it
  const double before = std::sqrt(squared_length(mass, column));
  if (!(before > 0)) return false;
  column /= before;
  // The second pass removes what rounding left of the first ("twice is enough").
  for (int pass = 0; pass < 2 && count > 0; ++pass) project_out(mass, Q, count, column, work);
  const double left = std::sqrt(squared_length(mass, column));
  if (!(left > kDependent)) return false;
  Q.col(count) = column / left;
  return true;
}

}  // namespace brio
