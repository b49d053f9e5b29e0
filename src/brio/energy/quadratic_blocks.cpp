#include "brio/energy/quadratic_blocks.hpp"

#include "brio/energy/element_patches.hpp"

#include <utility>

namespace brio {
namespace {

using namespace quadratic;
using detail::Quad;

/// Row and column of the numbers of a symmetric part, and of a skew part.
constexpr int kSymmetric[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
constexpr int kSkew[3][2] = {{0, 1}, {0, 2}, {1, 2}};

constexpr int kAhead = 4;  // pairs of nodes whose blocks are on their way

/// -1 where a bit is set, 1 elsewhere.
struct Signs {
  alignas(32) double of[16][4];
};
constexpr Signs kSigns = [] {
  Signs signs{};
  for (int bits = 0; bits < 16; ++bits)
    for (int i = 0; i < 4; ++i) signs.of[bits][i] = bits >> i & 1 ? -1 : 1;
  return signs;
}();

/// Adds term m of a pair, symmetric part and skew part.
template <int kind, int m>
BRIO_INLINE void add_term(const Quad* at, const PairTerms& terms, Quad (&symmetric)[6], Quad (&skew)[3]) {
  constexpr TermWeights w = kPairTables.kind[kind].term[m];
  const Quad *k = at + terms.at_k[m], *l = at + terms.at_l[m], *h = at + terms.half_sum[m];
  for (int i = 0; i < 6; ++i) {
    Quad own = w.at_k == 1 ? k[kSums * i] : w.at_k * k[kSums * i];
    if constexpr (w.at_l != 0) own += w.at_l == 1 ? l[kSums * i] : w.at_l * l[kSums * i];
    if constexpr (w.half_sum != 0) own += w.half_sum * h[kSums * i];
    symmetric[i] = m == 0 ? own : symmetric[i] + own;
  }
  if constexpr (w.skew) {
    const double sign = terms.sign[m], at_k = w.at_k * sign, at_l = w.at_l * sign, half_sum = w.half_sum * sign;
    for (int i = 0; i < 3; ++i) {
      skew[i] += at_k * k[kSums * (6 + i)];
      if constexpr (w.at_l != 0) skew[i] += at_l * l[kSums * (6 + i)];
      if constexpr (w.half_sum != 0) skew[i] += half_sum * h[kSums * (6 + i)];
    }
  }
}

}  // namespace

/// The coordinates add up to one, so that the blocks of a row add up to zero.
void QuadraticBlocks::combine(int half) {
  Quad volume[kPoints], half_volume[kPoints];
  for (int q = 0; q < kPoints; ++q) {
    volume[q] = detail::quad_of(point_[q].volume, half);
    half_volume[q] = 0.5 * volume[q];
  }
  const auto entry = [&](int q, int n, int i, int j) { return detail::quad_of(point_[q].K[n](i, j), half); };
  const auto sums = [](const Quad(&at)[kPoints], Quad(&to)[kSums]) {
    to[kHalfSum] = (kEdgeBase / 2) * ((at[0] + at[1]) + (at[2] + at[3]));
    const Quad shift = kEdgeBase * to[kHalfSum];
    for (int q = 0; q < kPoints; ++q) to[q] = (kEdgeBase * kSlopeMore) * at[q] + shift;
  };
  for (int s = 0; s < 6; ++s) {
    const auto [i, j] = kSymmetric[s];
    Quad block[6][kSums];
#pragma GCC unroll 6
    for (int n = 0; n < 6; ++n) {
      Quad at[kPoints];
      for (int q = 0; q < kPoints; ++q)
        at[q] = n < 3 ? volume[q] * entry(q, n, i, j) : half_volume[q] * (entry(q, n, i, j) + entry(q, n, j, i));
      sums(at, block[n]);
    }
#pragma GCC unroll 5
    for (int q = 0; q < kSums; ++q) {
      const Quad k00 = block[0][q], k11 = block[1][q], k22 = block[2][q];
      const Quad k01 = block[3][q], k02 = block[4][q], k12 = block[5][q];
      const Quad k03 = -(k00 + k01 + k02), k13 = -(k01 + k11 + k12), k23 = -(k02 + k12 + k22);
      const Quad same[4] = {k00, k11, k22, -(k03 + k13 + k23)}, other[6] = {k01, k02, k03, k12, k13, k23};
      for (int n = 0; n < 4; ++n) at_[6 * n + s][q] = same[n];
      for (int n = 0; n < 6; ++n) at_[24 + 9 * n + s][q] = other[n];
    }
  }
  for (int s = 0; s < 3; ++s) {
    const auto [i, j] = kSkew[s];
    Quad block[3][kSums];
#pragma GCC unroll 3
    for (int n = 0; n < 3; ++n) {
      Quad at[kPoints];
      for (int q = 0; q < kPoints; ++q) at[q] = half_volume[q] * (entry(q, 3 + n, i, j) - entry(q, 3 + n, j, i));
      sums(at, block[n]);
    }
#pragma GCC unroll 5
    for (int q = 0; q < kSums; ++q) {
      const Quad k01 = block[0][q], k02 = block[1][q], k12 = block[2][q];  // (1, 0), (2, 0), (2, 1) have the other sign
      const Quad other[6] = {k01, k02, -(k01 + k02), k12, k01 - k12, k02 + k12};
      for (int n = 0; n < 6; ++n) at_[24 + 9 * n + 6 + s][q] = other[n];
    }
  }
}

template <int kind>
void QuadraticBlocks::add_kind(int half, const QuadraticPlace& place, double* values) const {
  constexpr NodePairKind shape = kPairTables.kind[kind];
  for (int n = shape.begin; n < shape.end; ++n) {
    if (n + kAhead < kPairs) fetch_four_blocks(place.slot[n + kAhead] + 4 * half, values);
    Quad s[6], skew[3] = {};
    [&]<int... m>(std::integer_sequence<int, m...>) {
      (add_term<kind, m>(&at_[0][0], kPairTables.terms[n], s, skew), ...);
    }
    (std::make_integer_sequence<int, shape.terms>());
    Quad out[9] = {s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]};
    if constexpr (kNodePairs[shape.begin].a != kNodePairs[shape.begin].b) {
      const Quad turned = load_vector<Quad>(kSigns.of[place.flipped[n] >> 4 * half & 15]);
      for (int i = 0; i < 3; ++i) {
        const auto [r, c] = kSkew[i];
        out[3 * r + c] += turned * skew[i];
        out[3 * c + r] -= turned * skew[i];
      }
    }
    add_four_blocks(out, place.slot[n] + 4 * half, values);
  }
}

void QuadraticBlocks::fetch_first(const QuadraticPlace& place, const BlockMatrix& matrix) {
  for (int n = 0; n < kAhead; ++n)
    for (int half = 0; half < 2; ++half) fetch_four_blocks(place.slot[n] + 4 * half, matrix.block(0));
}

void QuadraticBlocks::add_to(const QuadraticPlace& place, BlockMatrix& matrix) {
  for (int half = 0; half < 2; ++half) {
    combine(half);
    [&]<int... kind>(std::integer_sequence<int, kind...>) { (add_kind<kind>(half, place, matrix.block(0)), ...); }
    (std::make_integer_sequence<int, kKinds>());
  }
}

}  // namespace brio
