#include "brio/diagnose/stress.hpp"

#include "brio/core/parallel.hpp"
#include "brio/energy/quadratic_shape.hpp"
#include "brio/mesh/faces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace brio {
namespace {

using quadratic::kFar, quadratic::kMore;
using Sixer = Eigen::Matrix<double, 6, 1>;
using SixPacks = std::array<Pack, 6>;  // xx yy zz xy yz xz

/// One point of eight elements: those with the numbers 8 b to 8 b + 7 of the mesh.
struct PointBatch {
  M3<Pack> F, P;  // P of all parts together
  Pack volume;    // that the point stands for [m^3]
  SixPacks stress, C;
};

/// Columns of dx/dL_c - dx/dL_3 at point q of eight elements; of linear ones they are the same everywhere.
M3<Pack> columns_of(const TetMesh& mesh, const MatrixX3d& x, int batch, int q) {
  M3<Pack> columns;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int tet = std::min(batch * kLanes + lane, mesh.tets() - 1);
    Mat3 D;
    if (mesh.order() == 2) {
      std::array<Vec3, quadratic::kNodes> node;
      for (int a = 0; a < quadratic::kNodes; ++a) node[a] = x.row(a < 4 ? mesh.T(tet, a) : mesh.mid(tet, a - 4));
      D = quadratic::columns_at_point(node, q);
    } else {
      for (int c = 0; c < 3; ++c) D.col(c) = (x.row(mesh.T(tet, c)) - x.row(mesh.T(tet, 3))).transpose();
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) columns(i, j)[lane] = D(i, j);
  }
  return columns;
}

void set_gradient(const TetMesh& rest, const MatrixX3d& x, int batch, int q, int points, PointBatch& point) {
  const M3<Pack> D = columns_of(rest, rest.X, batch, q), turned = transpose(cofactor(D));
  const Pack determinant_of_rest = determinant(D), scale = 1.0 / determinant_of_rest;
  point.F = columns_of(rest, x, batch, q) * turned;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) point.F(i, j) *= scale;
  point.P = {};
  point.volume = abs(determinant_of_rest) / (6.0 * points);
}

/// Adds P of a part to that of its elements, eight of them at a time: those of the part with the places `from` to `to`,
/// where `values` begin with the element `first_tet`.
void add_part(const TetMesh& mesh, const ElasticPart& part, size_t from, size_t to, int first_tet, int points,
              std::span<PointBatch> values) {
  const std::span tets(part.tets.data() + from, to - from);
  const int n = static_cast<int>(tets.size()), batches = (n + kLanes - 1) / kLanes;
  const auto member = [&](int b, int lane) { return std::min(b * kLanes + lane, n - 1); };
  parallel_for(batches, 16, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      ElementBatch in{};
      Pack factor{};  // zero where a lane has no element
      for (int lane = 0; lane < kLanes; ++lane) {
        const int e = tets[member(b, lane)];
        if (b * kLanes + lane < n) factor[lane] = part.factor.empty() ? 1.0 : part.factor[from + member(b, lane)];
        if (mesh.fiber.rows() > e)
          for (int i = 0; i < 3; ++i) in.fiber[i][lane] = mesh.fiber(e, i);
      }
      // Most parts are whole bodies, whose elements lie as they are stored.
      const int first = tets[b * kLanes];
      bool whole = first % kLanes == 0 && b * kLanes + kLanes <= n;
      for (int lane = 1; whole && lane < kLanes; ++lane) whole = tets[b * kLanes + lane] == first + lane;
      for (int q = 0; q < points; ++q) {
        const auto value = [&](int lane) -> PointBatch& {
          return values[(tets[member(b, lane)] - first_tet) / kLanes * points + q];
        };
        if (whole) in.F = value(0).F;
        for (int lane = 0; !whole && lane < kLanes; ++lane)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) in.F(i, j)[lane] = value(lane).F(i, j)[tets[member(b, lane)] % kLanes];
        M3<Pack> P;
        part.material->evaluate(in, {.P = &P});
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const Pack more = factor * P(i, j);
            if (whole) value(0).P(i, j) += more;
            for (int lane = 0; !whole && lane < std::min(kLanes, n - b * kLanes); ++lane)
              value(lane).P(i, j)[tets[member(b, lane)] % kLanes] += more[lane];
          }
      }
    }
  });
}

/// Cauchy stress of each point, and C = F^T F, which can be averaged where stretches, being sorted, cannot.
void set_measures(PointBatch& point) {
  constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  const Pack J = determinant(point.F);
  const auto sound = J > 0;
  const Pack scale = select(sound, 1.0 / select(sound, J, splat(1)), Pack{});
  const M3<Pack> s = point.P * transpose(point.F), C = transpose(point.F) * point.F;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = pairs[k];
    point.stress[k] = 0.5 * scale * (s(i, j) + s(j, i));
    point.C[k] = C(i, j);
  }
}

Pack von_mises_of(const SixPacks& s) {
  const Pack xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/// Means over the points of each element by volume, into the rows of the elements where they are wanted. The points of
/// quadratic elements then get the values at the corners, of the linear function through the four points.
void finish_batch(std::span<PointBatch> points, int first, int count, bool rows, StressValues& element) {
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
  if (rows) {
    const Pack measure = von_mises_of(stress);
    for (int lane = 0; lane < count; ++lane) {
      Sixer own;
      for (int k = 0; k < 6; ++k) {
        element.cauchy(first + lane, k) = stress[k][lane];
        own[k] = C[k][lane];
      }
      element.von_mises[first + lane] = measure[lane];
      element.stretches.row(first + lane) = principal_stretches(own).transpose();
    }
  }
  if (points.size() == 1) return;
  for (const auto member : {&PointBatch::stress, &PointBatch::C})
    for (int k = 0; k < 6; ++k) {
      Pack sum{};
      for (const PointBatch& point : points) sum += (point.*member)[k];
      for (PointBatch& point : points) (point.*member)[k] = ((point.*member)[k] - kFar * sum) / kMore;
    }
}

/// Sums over the elements of each vertex, in the order of the elements.
struct VertexSums {
  MatrixX6d stress, C;
  VectorXd weight;

  explicit VertexSums(Index n) : stress(MatrixX6d::Zero(n, 6)), C(stress), weight(VectorXd::Zero(n)) {}

  void add(int v, double volume, const Sixer& s, const Sixer& c, bool stretches) {
    stress.row(v) += volume * s.transpose();
    if (stretches) C.row(v) += volume * c.transpose();
    weight[v] += volume;
  }
};

void add_element(const TetMesh& mesh, int e, std::span<const PointBatch> points, bool stretches, VertexSums& sums) {
  const int lane = e % kLanes;
  Sixer s[4], c[4];
  double volume = 0;
  for (size_t q = 0; q < points.size(); ++q) {
    volume += points[q].volume[lane];
    for (int k = 0; k < 6; ++k) s[q][k] = points[q].stress[k][lane], c[q][k] = points[q].C[k][lane];
  }
  for (int a = 0; a < 4; ++a) {
    const size_t q = points.size() == 1 ? 0 : a;
    sums.add(mesh.T(e, a), volume, s[q], c[q], stretches);
  }
  for (int edge = 0; points.size() == 4 && edge < 6; ++edge) {
    const auto [a, b] = kEdgeCorners[edge];
    sums.add(mesh.mid(e, edge), volume, 0.5 * (s[a] + s[b]), 0.5 * (c[a] + c[b]), stretches);
  }
}

}  // namespace

/// By the trigonometric solution of the cubic equation (Smith 1961): a tenth of the time of an iteration, which frames of
/// every step would feel.
Vec3 principal_stretches(const Sixer& C) {
  const double mean = (C[0] + C[1] + C[2]) / 3;
  const double a = C[0] - mean, b = C[1] - mean, c = C[2] - mean;
  const double square = (a * a + b * b + c * c + 2 * (C[3] * C[3] + C[4] * C[4] + C[5] * C[5])) / 6;
  const double p = std::sqrt(square);
  if (!(p > 0)) return Vec3::Constant(std::sqrt(std::max(0.0, mean)));
  const double determinant =
      a * (b * c - C[4] * C[4]) - C[3] * (C[3] * c - C[4] * C[5]) + C[5] * (C[3] * C[4] - b * C[5]);
  const double angle = std::acos(std::clamp(determinant / (2 * p * square), -1.0, 1.0)) / 3;
  const double first = mean + 2 * p * std::cos(angle);
  const double last = mean + 2 * p * std::cos(angle + 2 * std::numbers::pi / 3);
  return Vec3(first, 3 * mean - first - last, last).cwiseMax(0).cwiseSqrt();
}

double von_mises(const Sixer& s) {
  const double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  return std::sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

BodyStress measure_stress(const TetMesh& rest, const std::vector<ElasticPart>& parts, const MatrixX3d& x,
                          StressDetail detail) {
  const int m = rest.tets(), points = rest.order() == 2 ? 4 : 1;
  const bool all = detail == StressDetail::all;
  BodyStress stress{StressValues(all ? m : 0), StressValues(rest.vertices())};
  VertexSums sums(rest.vertices());
  // Some elements after the others: what is known of each in between takes far more room than the mesh.
  const bool ascending = std::all_of(parts.begin(), parts.end(), [](const ElasticPart& part) {
    return std::is_sorted(part.tets.begin(), part.tets.end());
  });
  const int slab = ascending ? 8192 * kLanes : (m + kLanes - 1) / kLanes * kLanes;
  std::vector<PointBatch> values;
  for (int first = 0; first < m; first += slab) {
    const int count = std::min(slab, m - first), batches = (count + kLanes - 1) / kLanes;
    values.resize(static_cast<size_t>(batches) * points);
    const auto points_of = [&](int b) { return std::span(values).subspan(static_cast<size_t>(b) * points, points); };
    parallel_for(batches, 16, [&](int begin, int end) {
      for (int b = begin; b < end; ++b)
        for (int q = 0; q < points; ++q) set_gradient(rest, x, first / kLanes + b, q, points, points_of(b)[q]);
    });
    for (const ElasticPart& part : parts) {
      const auto place = [&](int tet) {
        return static_cast<size_t>(std::lower_bound(part.tets.begin(), part.tets.end(), tet) - part.tets.begin());
      };
      const size_t from = ascending ? place(first) : 0, to = ascending ? place(first + count) : part.tets.size();
      if (from < to) add_part(rest, part, from, to, first, points, values);
    }
    parallel_for(batches, 16, [&](int begin, int end) {
      for (int b = begin; b < end; ++b)
        finish_batch(points_of(b), first + b * kLanes, std::min(kLanes, count - b * kLanes), all, stress.element);
    });
    for (int e = 0; e < count; ++e) add_element(rest, first + e, points_of(e / kLanes), all, sums);
  }
  parallel_for(rest.vertices(), 64, [&](int begin, int end) {
    for (int v = begin; v < end; ++v) {
      if (!(sums.weight[v] > 0)) continue;
      const Sixer s = sums.stress.row(v).transpose() / sums.weight[v];
      stress.vertex.cauchy.row(v) = s.transpose();
      stress.vertex.von_mises[v] = von_mises(s);
      if (all) stress.vertex.stretches.row(v) = principal_stretches(sums.C.row(v).transpose() / sums.weight[v]).transpose();
    }
  });
  return stress;
}

}  // namespace brio
