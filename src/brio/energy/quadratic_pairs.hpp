#pragma once
// How the stiffness between two nodes of a quadratic tetrahedron is made of the blocks B_cd(q) of second derivatives by
// the columns dx/dL_c and dx/dL_d at its four points, as tables. With the slopes of slope_of(),
//   K_ab = sum over the terms (c, k, p) of a and (d, l, r) of b of  p r S + m r B(k) + m p B(l) [+ m^2 B(k) if k = l],
// S the sum of B over the points, m = 4 kMore. All of them are sums of two or three of
//   b(q) = e m B(q) + e H,  H = e S / 2,  e = 4 kFar:
// between two nodes on edges, where p = r = e, a term is just b(k) + b(l).

#include "brio/energy/quadratic_shape.hpp"

#include <cstdint>
#include <utility>

namespace brio::quadratic {

constexpr double kEdgeBase = 4 * kFar, kSlopeMore = 4 * kMore;
constexpr int kSums = 5;      ///< b at the four points, and H
constexpr int kHalfSum = 4;   ///< H
constexpr int kNumbers = 78;  ///< of a 4 x 4 of blocks: six of each of the four with c = d, nine of the other six

/// Where the numbers of block (c, d), c <= d, begin: six of its symmetric part (00 01 02 11 12 22), and where c < d
/// three of its skew part (01 02 12).
constexpr int kFirstNumber[4][4] = {{0, 24, 33, 42}, {24, 6, 51, 60}, {33, 51, 12, 69}, {42, 60, 69, 18}};

/// A term between two nodes: weights of b(k), b(l) and H.
struct TermWeights {
  bool skew;  ///< has a skew part: c != d, and the nodes are not the same
  double at_k, at_l, half_sum;
};
/// Pairs of nodes that differ by the numbers of their corners only.
struct NodePairKind {
  int begin, end;  ///< of kNodePairs
  int terms;
  TermWeights term[4];
};
struct NodePair {
  int a, b;
};
/// Where each term of a pair finds its first number, as an index of [kNumbers][kSums], and the sign of its skew part.
struct PairTerms {
  std::uint16_t at_k[4], at_l[4], half_sum[4];
  double sign[4];
};

constexpr int kKinds = 7;

struct PairTables {
  std::array<NodePair, kPairs> pair{};
  std::array<PairTerms, kPairs> terms{};
  std::array<NodePairKind, kKinds> kind{};
};

/// Corner with itself, two corners, corner and edge that meet, that do not, edge with itself, edges that meet, that do
/// not.
constexpr int kind_of(int a, int b) {
  const auto has = [](int node, int corner) {
    return node < 4 ? node == corner : kNodeEdge[node - 4][0] == corner || kNodeEdge[node - 4][1] == corner;
  };
  if (a < 4) return a == b ? 0 : 1;
  if (b < 4) return has(a, b) ? 2 : 3;
  if (a == b) return 4;
  return has(a, kNodeEdge[b - 4][0]) || has(a, kNodeEdge[b - 4][1]) ? 5 : 6;
}

/// The pairs, kind by kind. The terms of all pairs of a kind stand in one order: what their corners have in common
/// comes first.
constexpr PairTables pair_tables() {
  PairTables tables;
  int n = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    NodePairKind& of = tables.kind[kind];
    of.begin = n;
    for (int a = 0; a < kNodes; ++a)
      for (int b = 0; b <= a; ++b) {
        if (kind_of(a, b) != kind) continue;
        NodeSlope at_a = slope_of(a), at_b = slope_of(b);
        const auto turn = [](NodeSlope& slope) { std::swap(slope.term[0], slope.term[1]); };
        const auto corner = [](const NodeSlope& slope, int i) {
          return i < slope.terms ? slope.term[i].c : -slope.term[0].c - 1;
        };
        if (a != b && corner(at_a, 1) == corner(at_b, 1)) turn(at_a), turn(at_b);
        if (a != b && corner(at_a, 1) == corner(at_b, 0)) turn(at_a);
        if (a != b && corner(at_a, 0) == corner(at_b, 1)) turn(at_b);
        of.terms = 0;
        for (int i = 0; i < at_a.terms; ++i)
          for (int j = 0; j < at_b.terms; ++j) {
            const auto [c, k, p] = at_a.term[i];
            const auto [d, l, r] = at_b.term[j];
            if (a == b && i > j) continue;  // the transpose of a term that was counted twice
            const double times = a == b && i < j ? 2 : 1;
            const double both = k == l ? kSlopeMore : 0;  // B(q) = (b(q)/e - H) / m, and S = 2 H / e
            TermWeights weights{a != b && c != d, times * (r + both) / kEdgeBase, times * p / kEdgeBase,
                                times * (2 * p * r / kEdgeBase - (p + r + both))};
            if (k == l) weights.at_k += weights.at_l, weights.at_l = 0;
            const int m = of.terms++, first = kSums * kFirstNumber[c][d];
            of.term[m] = weights;
            PairTerms& terms = tables.terms[n];
            terms.at_k[m] = static_cast<std::uint16_t>(first + k);
            terms.at_l[m] = static_cast<std::uint16_t>(first + l);
            terms.half_sum[m] = static_cast<std::uint16_t>(first + kHalfSum);
            terms.sign[m] = c < d ? 1 : -1;
          }
        tables.pair[n++] = {a, b};
      }
    of.end = n;
  }
  return tables;
}
constexpr PairTables kPairTables = pair_tables();
static_assert(kPairTables.kind[6].term[0].at_k == 1 && kPairTables.kind[6].term[0].half_sum == 0, "b(k) + b(l)");
inline constexpr const std::array<NodePair, kPairs>& kNodePairs = kPairTables.pair;

}  // namespace brio::quadratic
