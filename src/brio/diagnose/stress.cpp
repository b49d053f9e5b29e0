#include "brio/diagnose/stress.hpp"

#include "brio/core/parallel.hpp"
#include "brio/energy/quadratic_shape.hpp"
#include "brio/linalg/eigen3.hpp"
#include "brio/mesh/faces.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace brio {
namespace {

using quadratic::kFar, quadratic::kMore;
using SixPacks = std::array<Pack, 6>;  // xx yy zz xy yz xz, as VTK orders them
constexpr int kPair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

/// Batches that are worked on at a time, so that they stay in a near cache.
constexpr int kBatches = 16;
/// Groups of batches whose rows are kept until they are added up at the vertices: less memory than the rest of a frame,
/// and work enough for all threads.
constexpr int kGroupsKept = 512;

/// One point of eight elements: those with the numbers 8 b to 8 b + 7 of the mesh.
struct PointBatch {
  M3<Pack> F, P;  // P of all parts together
  Pack volume;    // that the point stands for [m^3]
  SixPacks stress, C;
};

/// The nodes of eight elements: four, or ten.
using NodePacks = std::array<V3<Pack>, quadratic::kNodes>;

void gather(const TetMesh& mesh, const MatrixX3d& x, int batch, NodePacks& node) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const int tet = std::min(batch * kLanes + lane, mesh.tets() - 1);
    for (int a = 0; a < (mesh.order() == 2 ? quadratic::kNodes : 4); ++a) {
      const double* at = &x(a < 4 ? mesh.T(tet, a) : mesh.mid(tet, a - 4), 0);
      for (int i = 0; i < 3; ++i) node[a][i][lane] = at[i];
    }
  }
}

/// Columns of dx/dL_c - dx/dL_3 at point q; of linear elements they are the same everywhere.
M3<Pack> columns_of(const NodePacks& node, int order, int q) {
  NodePacks by;
  for (int c = 0; c < 4; ++c)
    for (int i = 0; i < 3; ++i) {
      by[c][i] = node[c][i];
      if (order == 1) continue;
      by[c][i] = (4 * (kFar + (c == q ? kMore : 0)) - 1) * node[c][i];
      for (int d = 0; d < 4; ++d)
        if (d != c) by[c][i] += 4 * (kFar + (d == q ? kMore : 0)) * node[quadratic::kNodeBetween[c][d]][i];
    }
  M3<Pack> columns;
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c) columns(i, c) = by[c][i] - by[3][i];
  return columns;
}

/// F at the points of a batch of elements.
void set_gradients(const TetMesh& rest, const MatrixX3d& x, int batch, std::span<PointBatch> points) {
  NodePacks before, now;
  gather(rest, rest.X, batch, before);
  gather(rest, x, batch, now);
  for (size_t q = 0; q < points.size(); ++q) {
    const M3<Pack> D = columns_of(before, rest.order(), static_cast<int>(q)), turned = transpose(cofactor(D));
    const Pack determinant_of_rest = determinant(D), scale = 1.0 / determinant_of_rest;
    PointBatch& point = points[q];
    point.F = columns_of(now, rest.order(), static_cast<int>(q)) * turned;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) point.F(i, j) *= scale;
    point.P = {};
    point.volume = abs(determinant_of_rest) / (6.0 * static_cast<double>(points.size()));
  }
}

/// A part with its elements in the order of the mesh.
struct SortedPart {
  const ElasticPart* part;
  std::vector<int> member, tet;

  explicit SortedPart(const ElasticPart& of) : part(&of), member(of.tets.size()), tet(of.tets.size()) {
    std::iota(member.begin(), member.end(), 0);
    if (!std::is_sorted(of.tets.begin(), of.tets.end()))
      std::sort(member.begin(), member.end(), [&](int a, int b) { return of.tets[a] < of.tets[b]; });
    for (size_t i = 0; i < member.size(); ++i) tet[i] = of.tets[member[i]];
  }
};

/// Adds P of a part to that of its elements from `first` on, eight of them at a time.
void add_part(const TetMesh& mesh, const SortedPart& sorted, int first, int points, std::span<PointBatch> values) {
  const ElasticPart& part = *sorted.part;
  const int past = first + kLanes * static_cast<int>(values.size()) / points;
  const auto number = [&](int e) {
    return static_cast<int>(std::lower_bound(sorted.tet.begin(), sorted.tet.end(), e) - sorted.tet.begin());
  };
  const int end = number(past);
  for (int begin = number(first); begin < end; begin += kLanes) {
    const int count = std::min(kLanes, end - begin);
    const auto tet = [&](int lane) { return sorted.tet[begin + std::min(lane, count - 1)]; };
    ElementBatch in{};
    Pack factor = splat(1);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!part.factor.empty()) factor[lane] = part.factor[sorted.member[begin + std::min(lane, count - 1)]];
      if (mesh.fiber.rows() > tet(lane))
        for (int i = 0; i < 3; ++i) in.fiber[i][lane] = mesh.fiber(tet(lane), i);
    }
    // Most parts are whole bodies, whose elements lie as they are stored.
    const bool whole = count == kLanes && tet(0) % kLanes == 0 && tet(kLanes - 1) == tet(0) + kLanes - 1;
    for (int q = 0; q < points; ++q) {
      const auto value = [&](int lane) -> PointBatch& { return values[(tet(lane) - first) / kLanes * points + q]; };
      if (whole) in.F = value(0).F;
      for (int lane = 0; !whole && lane < kLanes; ++lane)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) in.F(i, j)[lane] = value(lane).F(i, j)[tet(lane) % kLanes];
      M3<Pack> P;
      part.material->evaluate(in, {.P = &P});
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const Pack more = factor * P(i, j);
          if (whole) value(0).P(i, j) += more;
          for (int lane = 0; !whole && lane < count; ++lane) value(lane).P(i, j)[tet(lane) % kLanes] += more[lane];
        }
    }
  }
}

/// Cauchy stress of each point, and C = F^T F, which can be averaged where stretches, being sorted, cannot.
void set_measures(PointBatch& point) {
  const Pack J = determinant(point.F);
  const auto sound = J > 0;
  const Pack scale = select(sound, 1.0 / select(sound, J, splat(1)), Pack{});
  const M3<Pack> s = point.P * transpose(point.F), C = transpose(point.F) * point.F;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kPair[k];
    point.stress[k] = 0.5 * scale * (s(i, j) + s(j, i));
    point.C[k] = C(i, j);
  }
}

/// sqrt(3/2) times the norm of the deviator.
Pack von_mises_of(const SixPacks& s) {
  const Pack xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/// Roots of the eigenvalues of C, the largest first.
V3<Pack> stretches_of(const SixPacks& C) {
  M3<Pack> A;
  for (int k = 0; k < 6; ++k) A(kPair[k][0], kPair[k][1]) = C[k];
  const V3<Pack> square = eigen3(A).lambda;
  return {sqrt(max(square[0], Pack{})), sqrt(max(square[1], Pack{})), sqrt(max(square[2], Pack{}))};
}

/// Eight rows of the result.
void store(const SixPacks& stress, const SixPacks& C, bool stretches, Index first, int count, StressValues& to) {
  const Pack measure = von_mises_of(stress);
  const V3<Pack> stretch = stretches ? stretches_of(C) : V3<Pack>{};
  for (int lane = 0; lane < count; ++lane) {
    for (int k = 0; k < 6; ++k) to.cauchy(first + lane, k) = stress[k][lane];
    to.von_mises[first + lane] = measure[lane];
    for (int i = 0; stretches && i < 3; ++i) to.stretches(first + lane, i) = stretch[i][lane];
  }
}

using Row = StressRoom::Row;
constexpr int kWeight = 6;

/// Means over the points of each element by volume, into the rows of the elements where they are wanted; and what the
/// corners get, which for quadratic elements is the linear function through the four points. `kept`: the element whose
/// corners have the room's first rows.
void finish_batch(std::span<PointBatch> points, int first, int count, int kept, bool all, StressValues& element,
                  StressRoom& room) {
  Pack volume{};
  SixPacks stress{}, C{};
  for (PointBatch& point : points) {
    set_measures(point);
    volume += point.volume;
    for (int k = 0; k < 6; ++k) {
      stress[k] += point.volume * point.stress[k];
      C[k] += point.volume * point.C[k];
    }
  }
  for (int k = 0; k < 6; ++k) stress[k] /= volume, C[k] /= volume;
  if (all) store(stress, C, true, first, count, element);
  const auto give = [&](SixPacks PointBatch::*member, std::vector<Row>& to) {
    for (int k = 0; k < 6 && points.size() > 1; ++k) {
      Pack sum{};
      for (const PointBatch& point : points) sum += (point.*member)[k];
      for (PointBatch& point : points) (point.*member)[k] = ((point.*member)[k] - kFar * sum) / kMore;
    }
    for (size_t q = 0; q < points.size(); ++q)
      for (int lane = 0; lane < count; ++lane) {
        Row& row = to[(first - kept + lane) * points.size() + q];
        for (int k = 0; k < 6; ++k) row[k] = volume[lane] * (points[q].*member)[k][lane];
        row[kWeight] = volume[lane];
        row[kWeight + 1] = 0;
      }
  };
  give(&PointBatch::stress, room.stress);
  if (all) give(&PointBatch::C, room.C);
}

/// Adds the elements from `first` to `last` to their vertices, in their order.
void add_at_vertices(const TetMesh& mesh, const std::vector<Row>& corner, int first, int last, std::vector<Row>& sums) {
  for (int e = first; e < last; ++e) {
    const Row* own = corner.data() + static_cast<size_t>(e - first) * (mesh.order() == 2 ? 4 : 1);
    for (int a = 0; a < 4; ++a) sums[mesh.T(e, a)] += own[mesh.order() == 2 ? a : 0];
    for (int edge = 0; mesh.order() == 2 && edge < 6; ++edge) {
      const auto [a, b] = kEdgeCorners[edge];
      sums[mesh.mid(e, edge)] += 0.5 * (own[a] + own[b]);
    }
  }
}

/// Means at eight vertices; `nothing` where a vertex is in no element.
SixPacks means(const std::vector<Row>& sums, int first, int count, const std::array<double, 6>& nothing) {
  SixPacks mean{};
  for (int lane = 0; lane < count; ++lane) {
    const Row& sum = sums[first + lane];
    for (int k = 0; k < 6; ++k) mean[k][lane] = sum[kWeight] > 0 ? sum[k] / sum[kWeight] : nothing[k];
  }
  return mean;
}

}  // namespace

BodyStress measure_stress(const TetMesh& rest, const std::vector<ElasticPart>& parts, const MatrixX3d& x,
                          StressDetail detail, StressRoom& room) {
  const int m = rest.tets(), n = rest.vertices(), points = rest.order() == 2 ? 4 : 1;
  const bool all = detail == StressDetail::all;
  BodyStress stress{StressValues(all ? m : 0), StressValues(n)};
  constexpr int kTetsKept = kGroupsKept * kBatches * kLanes;
  room.stress.resize(static_cast<size_t>(std::min(m, kTetsKept)) * points);
  room.stress_sums.assign(n, Row{});
  if (all) room.C.resize(room.stress.size());
  if (all) room.C_sums.assign(n, Row{});
  const std::vector<SortedPart> sorted(parts.begin(), parts.end());
  for (int kept = 0; kept < m; kept += kTetsKept) {
    const int last = std::min(m, kept + kTetsKept), first_batch = kept / kLanes;
    const int some = (last - kept + kLanes - 1) / kLanes;
    parallel_for((some + kBatches - 1) / kBatches, 1, [&](int begin, int end) {
      std::vector<PointBatch> values;
      for (int group = begin; group < end; ++group) {
        const int first = first_batch + group * kBatches, count = std::min(kBatches, first_batch + some - first);
        values.resize(static_cast<size_t>(count) * points);
        const auto points_of = [&](int i) {
          return std::span(values).subspan(static_cast<size_t>(i) * points, points);
        };
        for (int i = 0; i < count; ++i) set_gradients(rest, x, first + i, points_of(i));
        for (const SortedPart& part : sorted) add_part(rest, part, first * kLanes, points, values);
        for (int i = 0; i < count; ++i) {
          const int tet = (first + i) * kLanes;
          finish_batch(points_of(i), tet, std::min(kLanes, m - tet), kept, all, stress.element, room);
        }
      }
    });
    add_at_vertices(rest, room.stress, kept, last, room.stress_sums);
    if (all) add_at_vertices(rest, room.C, kept, last, room.C_sums);
  }
  parallel_for((n + kLanes - 1) / kLanes, 16, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const int first = b * kLanes, count = std::min(kLanes, n - first);
      store(means(room.stress_sums, first, count, {}),
            all ? means(room.C_sums, first, count, {1, 1, 1, 0, 0, 0}) : SixPacks{}, all, first, count, stress.vertex);
    }
  });
  return stress;
}

BodyStress measure_stress(const TetMesh& rest, const std::vector<ElasticPart>& parts, const MatrixX3d& x,
                          StressDetail detail) {
  StressRoom room;
  return measure_stress(rest, parts, x, detail, room);
}

}  // namespace brio
