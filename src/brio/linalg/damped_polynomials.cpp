#include "brio/linalg/damped_polynomials.hpp"

#include "brio/core/load_vector.hpp"
#include "brio/core/parallel.hpp"

namespace brio {
namespace {

constexpr int kDampedRowsPerChunk = 128;
using TwoPairs = double __attribute__((vector_size(32)));

}  // namespace

void DampedPolynomials::set_matrices(const VectorXd& mass, const BlockMatrix& K, const BlockMatrix& K_damping,
                                     double alpha, double beta, double omega) {
  const BlockPattern& p = K.pattern();
  const int n = p.blocks_per_side;
  const double inverse = 1 / omega;
  omega_ = omega;
  alpha_ = alpha;
  inverse_mass_ = mass.cwiseInverse();
  row_begin_.resize(n + 1);
  for (int i = 0; i <= n; ++i) row_begin_[i] = p.row_begin[i] + p.column_begin[i];
  column_.resize(row_begin_[n]);
  blocks_.resize(9 * column_.size());
  parallel_for(n, kDampedRowsPerChunk, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      int at = row_begin_[i];
      // Half of each matrix is stored; a block right of the diagonal is the transpose of one below it.
      const auto add = [&](int column, int slot, int row_stride, int column_stride) {
        column_[at] = column;
        NumberPair* to = blocks_.data() + 9 * static_cast<size_t>(at++);
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r) {
            const int from = r * row_stride + c * column_stride;
            *to++ = NumberPair{inverse * K.block(slot)[from], beta * K_damping.block(slot)[from]};
          }
      };
      for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k) add(p.row_column[k], p.row_slot[k], 3, 1);
      for (int s = p.column_begin[i]; s < p.column_begin[i + 1]; ++s) add(p.row[s], s, 1, 3);
    }
  });
}

void DampedPolynomials::begin(const VectorXd& x, const VectorXd& v, double tau) {
  const size_t n = static_cast<size_t>(x.size());
  tau_ = tau;
  degree_ = 0;
  now_.resize(n);
  before_.assign(n, NumberPair{});
  sum_.assign(n, NumberPair{});
  for (size_t i = 0; i < n; ++i) now_[i] = NumberPair{omega_ * x[i], v[i]};
}

void DampedPolynomials::add(double share) {
  for (size_t i = 0; i < sum_.size(); ++i) sum_[i] += share * now_[i];
}

void DampedPolynomials::next(const EllipseSeries& series) {
  const NumberPair* const now = now_.data();
  const double factor = (degree_ == 0 ? 1 : 2) / series.focus(), center = series.center(), sign = series.sign();
  const double share = series.term(degree_ + 1);
  parallel_for(static_cast<int>(row_begin_.size()) - 1, kDampedRowsPerChunk, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      TwoPairs uppers[3] = {};  // one a column: additions of different columns need not wait for each other
      NumberPair lowers[3] = {};
      const NumberPair* a = blocks_.data() + 9 * static_cast<size_t>(row_begin_[i]);
      for (int k = row_begin_[i]; k < row_begin_[i + 1]; ++k, a += 9) {
        const NumberPair* x = now + 3 * static_cast<size_t>(column_[k]);
#pragma GCC unroll 3
        for (int c = 0; c < 3; ++c) {
          uppers[c] += load_vector<TwoPairs>(reinterpret_cast<const double*>(a + 3 * c)) *
                       TwoPairs{x[c][0], x[c][1], x[c][0], x[c][1]};
          lowers[c] += a[3 * c + 2] * x[c];
        }
      }
      const TwoPairs upper = uppers[0] + uppers[1] + uppers[2];
      const NumberPair lower = lowers[0] + lowers[1] + lowers[2];
      const double sum[3] = {upper[0] + upper[1], upper[2] + upper[3], lower[0] + lower[1]};
      for (int r = 0; r < 3; ++r) {
        const size_t row = 3 * static_cast<size_t>(i) + r;
        const double v = now[row][1];
        const NumberPair J{omega_ * v, -inverse_mass_[row] * sum[r] - alpha_ * v};
        const NumberPair next = factor * (tau_ * J - center * now[row]) - sign * before_[row];
        before_[row] = next;
        sum_[row] += share * next;
      }
    }
  });
  now_.swap(before_);
  ++degree_;
}

double DampedPolynomials::square(const VectorXd& mass) const {
  double sum = 0;
  for (size_t i = 0; i < now_.size(); ++i) {
    const NumberPair squares = now_[i] * now_[i];
    sum += mass[i] * (squares[0] + squares[1]);
  }
  return sum;
}

void DampedPolynomials::get_sum(VectorXd& x, VectorXd& v) const {
  x.resize(static_cast<Index>(sum_.size()));
  v.resize(x.size());
  for (size_t i = 0; i < sum_.size(); ++i) {
    x[i] = sum_[i][0] / omega_;
    v[i] = sum_[i][1];
  }
}

}  // namespace brio
