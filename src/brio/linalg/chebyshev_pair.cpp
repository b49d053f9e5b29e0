#include "brio/linalg/chebyshev_pair.hpp"

#include "brio/core/parallel.hpp"

#include <algorithm>

namespace brio {
namespace {

constexpr int kPairRowsPerChunk = 128;

}  // namespace

void ChebyshevPair::begin(const VectorXd& mass, double low, double high, const VectorXd& first,
                          const VectorXd& second) {
  const size_t n = static_cast<size_t>(mass.size());
  now_.resize(n);
  before_.assign(n, NumberPair{});
  sums_.assign(n, NumberPair{});
  for (size_t i = 0; i < n; ++i) now_[i] = NumberPair{first[i], second[i]};
  scale_ = (2 / (high - low)) * mass.cwiseInverse();
  shift_ = (high + low) / (high - low);
  degree_ = 0;
}

void ChebyshevPair::add(const Shares& shares) {
  for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += now_[i][0] * shares.first + now_[i][1] * shares.second;
}

void ChebyshevPair::set_matrix(const BlockMatrix& K) {
  const BlockPattern& p = K.pattern();
  const int n = p.blocks_per_side;
  row_begin_.resize(n + 1);
  for (int i = 0; i <= n; ++i) row_begin_[i] = p.row_begin[i] + p.column_begin[i];
  column_.resize(row_begin_[n]);
  values_.resize(9 * column_.size());
  parallel_for(n, kPairRowsPerChunk, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      int at = row_begin_[i];
      for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k, ++at) {
        column_[at] = p.row_column[k];
        const double* block = K.block(p.row_slot[k]);
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r) values_[9 * static_cast<size_t>(at) + 3 * c + r] = block[3 * r + c];
      }
      for (int s = p.column_begin[i]; s < p.column_begin[i + 1]; ++s, ++at) {
        column_[at] = p.row[s];
        std::copy_n(K.block(s), 9, values_.data() + 9 * static_cast<size_t>(at));  // the transpose's columns
      }
    }
  });
}

void ChebyshevPair::next(const Shares& shares) {
  const NumberPair* const now = now_.data();
  const double factor = degree_ == 0 ? 1 : 2;
  parallel_for(static_cast<int>(row_begin_.size()) - 1, kPairRowsPerChunk, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      NumberPair sum[3] = {};
      const double* a = values_.data() + 9 * static_cast<size_t>(row_begin_[i]);
      for (int k = row_begin_[i]; k < row_begin_[i + 1]; ++k, a += 9) {
        const NumberPair* x = now + 3 * static_cast<size_t>(column_[k]);
        for (int r = 0; r < 3; ++r) sum[r] += a[r] * x[0] + a[3 + r] * x[1] + a[6 + r] * x[2];
      }
      for (int r = 0; r < 3; ++r) {
        const size_t row = 3 * static_cast<size_t>(i) + r;
        const NumberPair next = factor * (scale_[row] * sum[r] - shift_ * now[row]) - before_[row];
        before_[row] = next;
        sums_[row] += next[0] * shares.first + next[1] * shares.second;
      }
    }
  });
  now_.swap(before_);
  ++degree_;
}

NumberPair ChebyshevPair::squares(const VectorXd& mass) const {
  NumberPair sum{};
  for (size_t i = 0; i < now_.size(); ++i) sum += mass[i] * now_[i] * now_[i];
  return sum;
}

NumberPair ChebyshevPair::products_with_last(const VectorXd& mass) const {
  NumberPair sum{};
  for (size_t i = 0; i < now_.size(); ++i) sum += mass[i] * now_[i] * before_[i];
  return sum;
}

VectorXd ChebyshevPair::polynomial(int index) const {
  VectorXd x(static_cast<Index>(now_.size()));
  for (size_t i = 0; i < now_.size(); ++i) x[i] = now_[i][index];
  return x;
}

void ChebyshevPair::get_sums(VectorXd& first, VectorXd& second) const {
  first.resize(static_cast<Index>(sums_.size()));
  second.resize(first.size());
  for (size_t i = 0; i < sums_.size(); ++i) {
    first[i] = sums_[i][0];
    second[i] = sums_[i][1];
  }
}

}  // namespace brio
