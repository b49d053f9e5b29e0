// Distances with their derivatives, continuous collision detection and the search for pairs, each against something
// simpler: differences, samples, all pairs.

#include "brio/collide/barrier.hpp"
#include "brio/collide/closest_points.hpp"
#include "brio/collide/contact_potential.hpp"
#include "brio/collide/safe_way.hpp"
#include "brio/collide/time_of_impact.hpp"
#include "brio/core/parallel.hpp"

#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

class Random {
 public:
  explicit Random(int seed) : engine_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  Corners corners(double size) { return {vector(size), vector(size), vector(size), vector(size)}; }

 private:
  std::mt19937 engine_;
};

constexpr PairKind kBothKinds[] = {PairKind::point_triangle, PairKind::edge_edge};

/// The point of a side at given coordinates, and the distance found by looking at many of them.
double sampled_distance(PairKind kind, const Corners& x, int n) {
  double least = 1e300;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double s = double(i) / n, t = double(j) / n;
      Vec3 apart;
      if (kind == PairKind::edge_edge) {
        apart = (1 - s) * x[0] + s * x[1] - (1 - t) * x[2] - t * x[3];
      } else {
        if (i + j > n) continue;
        apart = x[0] - (1 - s - t) * x[1] - s * x[2] - t * x[3];
      }
      least = std::min(least, apart.norm());
    }
  return least;
}

TEST(ClosestPoints, are_the_nearest_of_many_samples) {
  Random random(1);
  constexpr int n = 60;
  for (PairKind kind : kBothKinds)
    for (int trial = 0; trial < 300; ++trial) {
      const Corners x = random.corners(1);
      const double found = closest_points(kind, x).distance(), sampled = sampled_distance(kind, x, n);
      EXPECT_LE(found, sampled + 1e-14);
      EXPECT_GE(found, sampled - 4.0 / n);  // samples are at most that far from the nearest points
    }
}

TEST(ClosestPoints, weights_of_the_two_sides_are_one_and_minus_one) {
  Random random(2);
  for (PairKind kind : kBothKinds)
    for (int trial = 0; trial < 1000; ++trial) {
      const ClosestPoints found = closest_points(kind, random.corners(1));
      double first = 0, second = 0;
      for (int i = 0; i < 4; ++i) (i < first_side(kind) ? first : second) += found.weight[i];
      EXPECT_NEAR(first, 1, 1e-14);
      EXPECT_NEAR(second, -1, 1e-14);
      for (int i = 0; i < 4; ++i) EXPECT_GE(found.weight[i] * (i < first_side(kind) ? 1 : -1), 0);
    }
}

/// The gradient of the distance, weight_i r / |r|, against central differences.
void expect_gradient(PairKind kind, const Corners& x, double tolerance) {
  constexpr double step = 1e-6;
  const ClosestPoints found = closest_points(kind, x);
  double largest = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      Corners plus = x, minus = x;
      plus[i][k] += step;
      minus[i][k] -= step;
      const double difference =
          (closest_points(kind, plus).distance() - closest_points(kind, minus).distance()) / (2 * step);
      EXPECT_NEAR(found.weight[i] * found.r[k] / found.distance(), difference, tolerance);
      largest = std::max(largest, std::fabs(difference));
    }
  EXPECT_GT(largest, 0.1) << "nothing was compared";
}

TEST(ClosestPoints, derivative_agrees_with_differences) {
  Random random(3);
  for (PairKind kind : kBothKinds)
    for (int trial = 0; trial < 300; ++trial) {
      const Corners x = random.corners(1);
      if (closest_points(kind, x).distance() > 0.05) expect_gradient(kind, x, 1e-5);
    }
}

TEST(ClosestPoints, derivative_agrees_with_differences_at_borders) {
  // A point beyond an edge and beyond a corner of a triangle; edges nearest at an end and at both.
  expect_gradient(PairKind::point_triangle, {Vec3(0.5, -0.7, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, 1e-8);
  expect_gradient(PairKind::point_triangle, {Vec3(-0.5, -0.7, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, 1e-8);
  expect_gradient(PairKind::edge_edge, {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.4, 0.3, 0.2), Vec3(0.4, 0.9, 0.2)}, 1e-8);
  expect_gradient(PairKind::edge_edge, {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1.4, 0.3, 0.2), Vec3(1.9, 0.9, 0.2)}, 1e-8);
}

TEST(ClosestPoints, degenerate_parts_have_a_distance) {
  // Parallel edges, side by side and one after the other; the same edge twice; a triangle without area; edges that are
  // points.
  const Vec3 o(0, 0, 0), e(1, 0, 0);
  const auto edges = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return closest_points(PairKind::edge_edge, {a, b, c, d}).distance();
  };
  EXPECT_NEAR(edges(o, e, Vec3(0.3, 0.2, 0), Vec3(1.3, 0.2, 0)), 0.2, 1e-15);
  EXPECT_NEAR(edges(o, e, Vec3(1.3, 0.4, 0), Vec3(2.3, 0.4, 0)), 0.5, 1e-15);
  EXPECT_NEAR(edges(o, e, e + Vec3(0, 0, 1e-9), o + Vec3(0, 0, 1e-9)), 1e-9, 1e-18);
  EXPECT_EQ(edges(o, e, o, e), 0);
  EXPECT_EQ(edges(o, o, e, e), 1);
  const auto triangle = [](const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    return closest_points(PairKind::point_triangle, {p, a, b, c}).distance();
  };
  EXPECT_NEAR(triangle(Vec3(0.5, 0.3, 0), o, e, 2 * e), 0.3, 1e-15);
  EXPECT_EQ(triangle(Vec3(0, 3, 4), o, o, o), 5);
  EXPECT_EQ(triangle(o, o, e, Vec3(0, 1, 0)), 0);
}

TEST(EdgeCross, derivative_agrees_with_differences) {
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Corners x = random.corners(1);
    Corners derivative, unused;
    const double value = edge_cross(x, derivative);
    EXPECT_NEAR(value, (x[1] - x[0]).cross(x[3] - x[2]).squaredNorm(), 1e-12);
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 3; ++k) {
        Corners plus = x, minus = x;
        plus[i][k] += 1e-5;
        minus[i][k] -= 1e-5;
        EXPECT_NEAR(derivative[i][k], (edge_cross(plus, unused) - edge_cross(minus, unused)) / 2e-5, 1e-8);
      }
  }
}

TEST(Barrier, derivatives_agree_with_differences_and_vanish_at_the_range) {
  const double range = 0.01, k = 300;
  for (double gap : {1e-5, 1e-3, 0.005, 0.009, 0.00999}) {
    const double step = 1e-6 * gap;
    const Barrier here(gap, range, k), plus(gap + step, range, k), minus(gap - step, range, k);
    EXPECT_NEAR(here.slope, (plus.value - minus.value) / (2 * step), 1e-7 * k * range * range / gap);
    EXPECT_NEAR(here.second, (plus.slope - minus.slope) / (2 * step), 1e-7 * k * range * range / (gap * gap));
    EXPECT_GT(here.value, 0);
    EXPECT_LT(here.slope, 0);
    EXPECT_GT(here.second, 0);
  }
  EXPECT_EQ(Barrier(range, range, k).value, 0);
  EXPECT_EQ(Barrier(range, range, k).slope, 0);
}

/// 10^5 random pairs: nowhere on the way that is called safe is the distance, looked at in many moments, less than what
/// was to be kept; and a way that comes nowhere near is not cut short.
TEST(TimeOfImpact, misses_none_of_many_random_collisions) {
  Random random(5);
  int hits = 0, cut_short = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const PairKind kind = kBothKinds[trial % 2];
    const Corners x = random.corners(1), way = random.corners(trial % 3 == 0 ? 4 : 1);
    const double distance = closest_points(kind, x).distance();
    if (distance < 1e-6) continue;
    const double kept = 0.1 * distance, time = time_of_impact(kind, x, way, distance, kept);
    ASSERT_GE(time, 0);
    ASSERT_LE(time, 1);
    constexpr int kMoments = 40;
    double least = 1e300, least_whole = 1e300;
    for (int m = 0; m <= kMoments; ++m) {
      Corners at, whole;
      for (int i = 0; i < 4; ++i)
        at[i] = x[i] + time * m / kMoments * way[i], whole[i] = x[i] + double(m) / kMoments * way[i];
      least = std::min(least, closest_points(kind, at).distance());
      least_whole = std::min(least_whole, closest_points(kind, whole).distance());
    }
    ASSERT_GE(least, kept - 1e-12) << trial;
    if (least_whole < kept) {
      ++hits;
      ASSERT_LT(time, 1) << trial;
    }
    if (time < 1 && least_whole > 0.5 * distance) ++cut_short;
  }
  EXPECT_GT(hits, 5000) << "hardly anything met";
  EXPECT_LT(cut_short, 500);
}

/// Two folded sheets of triangles and a loose edge, shaken.
struct Sheets {
  MatrixX3d X;
  MatrixX3i triangles;
  std::vector<int> body;
  VectorXd x;

  explicit Sheets(int n) {
    const int side = n + 1, count = side * side;
    X.resize(2 * count, 3);
    triangles.resize(4 * n * n, 3);
    Random random(6);
    Index t = 0;
    for (int b = 0; b < 2; ++b)
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
          X.row(b * count + i * side + j) = Vec3(i, 0.3 * b + 0.1 * std::sin(i), j).transpose() / n;
          body.push_back(b);
          if (i == n || j == n) continue;
          const int v = b * count + i * side + j;
          triangles.row(t++) << v, v + side, v + 1;
          triangles.row(t++) << v + 1, v + side, v + side + 1;
        }
    x = Eigen::Map<const VectorXd>(X.data(), X.size());
    for (Index i = 0; i < x.size(); ++i) x[i] += random.number(-0.05, 0.05);
  }

  CollisionSurface surface(double range, std::vector<IgnoredPair> ignored = {}) const {
    return {X,
            triangles,
            MatrixX2i(0, 2),
            body,
            {{range, 0, 1e5, true}, {range, 0, 1e5, true}},
            {.friction = 0.3, .static_friction = 0.3, .ignored = ignored}};
  }
};

TEST(PairSearch, finds_all_pairs_that_are_near) {
  const Sheets sheets(6);
  const CollisionSurface surface = sheets.surface(0.3);
  PairSearch search(surface);
  std::vector<ContactPair> pairs;
  search.find(sheets.x, sheets.x, PairSearch::Bodies::all, pairs);
  std::set<std::pair<PairKind, std::array<int, 4>>> found;
  for (const ContactPair& pair : pairs) EXPECT_TRUE(found.insert({pair.kind, pair.vertex}).second) << "twice";
  const auto pushes = [&](PairKind kind, const std::array<int, 4>& vertex) {
    Corners at;
    for (int i = 0; i < 4; ++i) at[i] = sheets.x.segment<3>(3 * vertex[i]);
    return closest_points(kind, at).distance() < surface.pair(kind, vertex, 1).reach();
  };
  int near = 0;
  for (int p : surface.points())
    for (Index t = 0; t < surface.triangles().rows(); ++t) {
      const std::array<int, 4> vertex = {p, surface.triangles()(t, 0), surface.triangles()(t, 1),
                                         surface.triangles()(t, 2)};
      if (!surface.may_touch(PairKind::point_triangle, vertex)) continue;
      if (!pushes(PairKind::point_triangle, vertex)) continue;
      ++near;
      EXPECT_TRUE(found.contains({PairKind::point_triangle, vertex}));
    }
  for (Index e = 0; e < surface.edges().rows(); ++e)
    for (Index f = e + 1; f < surface.edges().rows(); ++f) {
      const std::array<int, 4> vertex = {surface.edges()(e, 0), surface.edges()(e, 1), surface.edges()(f, 0),
                                         surface.edges()(f, 1)};
      if (!surface.may_touch(PairKind::edge_edge, vertex)) continue;
      if (!pushes(PairKind::edge_edge, vertex)) continue;
      ++near;
      EXPECT_TRUE(found.contains({PairKind::edge_edge, vertex}));
    }
  EXPECT_GT(near, 500);
}

TEST(PairSearch, has_the_same_pairs_in_the_same_order_for_any_number_of_threads) {
  const Sheets sheets(20);
  const CollisionSurface surface = sheets.surface(0.22);
  std::vector<std::array<int, 4>> first;
  for (int threads : {1, 2, 5}) {
    set_thread_count(threads);
    PairSearch search(surface);
    std::vector<ContactPair> pairs;
    search.find(sheets.x, sheets.x, PairSearch::Bodies::all, pairs);
    std::vector<std::array<int, 4>> here;
    for (const ContactPair& pair : pairs) here.push_back(pair.vertex);
    if (threads == 1) first = here;
    EXPECT_GT(here.size(), 1000u);
    EXPECT_EQ(here, first) << threads;
  }
  set_thread_count(0);
}

/// Pairs that were kept from before and pairs that are found anew have the same contacts, bit by bit.
TEST(NearPairs, keeps_what_it_found_while_nothing_else_can_come_near) {
  const Sheets sheets(6);
  const CollisionSurface surface = sheets.surface(0.25);
  ContactPotential kept(surface);
  Random random(7);
  VectorXd x = sheets.x;
  std::vector<ActiveContact> here, anew;
  for (int step = 0; step < 60; ++step) {
    kept.find(x, here);
    ContactPotential fresh(surface);
    fresh.find(x, anew);
    ASSERT_EQ(here.size(), anew.size()) << step;
    for (size_t i = 0; i < here.size(); ++i) {
      EXPECT_EQ(here[i].key, anew[i].key);
      EXPECT_EQ(here[i].energy, anew[i].energy);
    }
    for (Index i = 0; i < x.size(); ++i) x[i] += random.number(-0.01, 0.01);
  }
  EXPECT_GT(anew.size(), 100u);
  EXPECT_LT(kept.near().searches(), 30);
  EXPECT_GT(kept.near().searches(), 1);
}

/// Each vertex goes as far as the pair allows that stops it first, however many pairs it belongs to; and a way that all
/// have in common, however long, is no reason to stop sooner.
TEST(SafeWay, shortens_a_way_by_the_pair_that_stops_it_first) {
  const Sheets sheets(6);
  const CollisionSurface surface = sheets.surface(0.1);
  const VectorXd x = Eigen::Map<const VectorXd>(sheets.X.data(), sheets.X.size());
  const double gap = 0.05, range = 0.1, fall = 0.6 / 6;  // the sheets are 0.3 / 6 apart
  const double kept = 0.3 * std::min(range, gap);
  for (const Vec3& common : {Vec3(0, 0, 0), Vec3(0.7, -1.2, 0.4)}) {
    VectorXd way(x.size());
    for (Index v = 0; v < 98; ++v) way.segment<3>(3 * v) = common - (v < 49 ? 0 : fall) * Vec3::UnitY();
    ContactPotential potential(surface);
    std::vector<ActiveContact> contacts;
    std::vector<double> distances;
    const auto& pairs = potential.near().along(x, x + way);
    potential.find(x, contacts, distances);
    SafeWay safe;
    EXPECT_EQ(safe.shorten(pairs, distances, x, way), 98);
    for (Index v = 49; v < 98; ++v) {
      const double nearer = way[3 * (v - 49) + 1] - way[3 * v + 1];
      EXPECT_LE(nearer, gap - kept);
      EXPECT_GT(nearer, 0.8 * (gap - kept)) << v;
    }
    EXPECT_NEAR(safe.common(), (gap - kept) / fall, 0.1);
  }
}

TEST(PairSearch, leaves_out_what_is_to_be_ignored) {
  const Sheets sheets(6);
  std::vector<int> one, other;
  for (int v = 0; v < static_cast<int>(sheets.body.size()); ++v) (sheets.body[v] == 0 ? one : other).push_back(v);
  const CollisionSurface surface = sheets.surface(0.4, {{other, one}});
  PairSearch search(surface);
  std::vector<ContactPair> pairs;
  search.find(sheets.x, sheets.x, PairSearch::Bodies::all, pairs);
  ASSERT_FALSE(pairs.empty());
  for (const ContactPair& pair : pairs) EXPECT_EQ(sheets.body[pair.vertex[0]], sheets.body[pair.vertex[3]]);
}

// Two that touch and are held where they are: shortening their ways must come to an end.
TEST(TimeOfImpact, is_never_for_what_rests_without_a_gap) {
  const Corners x = {Vec3(0.2, 0, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)};
  const Corners still = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, still, 0, 0), 1);
}

TEST(PairSearch, finds_edges_that_pass_through_the_border_of_triangles) {
  const Vec3 u(0, 0, 0), v(1, 0, 0), w(0, 0, 1);
  for (const Vec3& at : {Vec3(0.5, 0, 0), Vec3(0.5, 0, 0.5), Vec3(0.2, 0, 0.2)})
    EXPECT_TRUE(passes_through(at - Vec3(0, 1, 0), at + Vec3(0, 1, 0), u, v, w)) << at.transpose();
  for (const Vec3& at : {Vec3(-0.1, 0, 0), Vec3(0.6, 0, 0.5), Vec3(2, 0, 0)})
    EXPECT_FALSE(passes_through(at - Vec3(0, 1, 0), at + Vec3(0, 1, 0), u, v, w)) << at.transpose();
  EXPECT_FALSE(passes_through(Vec3(-1, 0, 0.2), Vec3(1, 0, 0.2), u, v, w)) << "in the plane";
}

TEST(PairSearch, finds_edges_that_pass_through_triangles) {
  Sheets sheets(6);
  const CollisionSurface surface = sheets.surface(0.1);
  PairSearch search(surface);
  sheets.x = Eigen::Map<const VectorXd>(sheets.X.data(), sheets.X.size());
  EXPECT_TRUE(search.find_crossings(sheets.x).empty());
  const int pulled = 49 + 3 * 7 + 3;  // a vertex in the middle of the second sheet, pulled through the first one
  sheets.x[3 * pulled + 1] -= 0.6;
  const auto crossings = search.find_crossings(sheets.x);
  EXPECT_GE(crossings.size(), 4u);
  for (const auto& crossing : crossings) {
    const bool of_pulled = surface.edges()(crossing.edge, 0) == pulled || surface.edges()(crossing.edge, 1) == pulled;
    EXPECT_TRUE(of_pulled || (surface.triangles().row(crossing.triangle).array() == pulled).any());
  }
}

}  // namespace
}  // namespace brio
