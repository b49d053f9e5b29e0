#include "brio/diagnose/stress.hpp"

#include "brio/core/parallel.hpp"
#include "brio/energy/quadratic_shape.hpp"
#include "brio/mesh/faces.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

/// How an element deforms at one of its points.
struct PointGradient {
  Mat3 F;
  double volume;  // that the point stands for [m^3]
};

/// Columns of dx/dL_c - dx/dL_3 at point q; of a linear element they are the same everywhere.
Mat3 columns_of(const TetMesh& mesh, const MatrixX3d& x, int tet, int q) {
  if (mesh.order() == 2) {
    std::array<Vec3, quadratic::kNodes> node;
    for (int a = 0; a < quadratic::kNodes; ++a) node[a] = x.row(a < 4 ? mesh.T(tet, a) : mesh.mid(tet, a - 4));
    return quadratic::columns_at_point(node, q);
  }
  Mat3 D;
  for (int c = 0; c < 3; ++c) D.col(c) = (x.row(mesh.T(tet, c)) - x.row(mesh.T(tet, 3))).transpose();
  return D;
}

struct PointValues {
  Mat3 P = Mat3::Zero();  // of all parts together
  PointGradient at;
};

/// P of every point, parts one after the other, eight elements at a time.
void add_part(const TetMesh& mesh, const ElasticPart& part, int points, std::vector<PointValues>& values) {
  const int n = static_cast<int>(part.tets.size()), batches = (n + kLanes - 1) / kLanes;
  parallel_for(batches, 16, [&](int begin, int end) {
    for (int b = begin; b < end; ++b)
      for (int q = 0; q < points; ++q) {
        ElementBatch in;
        for (int lane = 0; lane < kLanes; ++lane) {
          const int e = part.tets[std::min(b * kLanes + lane, n - 1)];
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) in.F(i, j)[lane] = values[e * points + q].at.F(i, j);
            in.fiber[i][lane] = mesh.fiber.rows() > e ? mesh.fiber(e, i) : 0.0;
          }
        }
        M3<Pack> P;
        part.material->evaluate(in, {.P = &P});
        for (int lane = 0; lane < kLanes && b * kLanes + lane < n; ++lane) {
          const int member = b * kLanes + lane;
          const double factor = part.factor.empty() ? 1.0 : part.factor[member];
          Mat3& sum = values[part.tets[member] * points + q].P;
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) sum(i, j) += factor * P(i, j)[lane];
        }
      }
  });
}

using Sixer = Eigen::Matrix<double, 6, 1>;

Sixer cauchy_of(const PointValues& value) {
  const double J = value.at.F.determinant();
  if (!(J > 0)) return Sixer::Zero();
  const Mat3 s = value.P * value.at.F.transpose() / J;
  Sixer six;
  six << s(0, 0), s(1, 1), s(2, 2), 0.5 * (s(0, 1) + s(1, 0)), 0.5 * (s(1, 2) + s(2, 1)), 0.5 * (s(0, 2) + s(2, 0));
  return six;
}

/// C = F^T F in six numbers, which can be averaged where stretches, being sorted, cannot.
Sixer square_of(const Mat3& F) {
  const Mat3 C = F.transpose() * F;
  Sixer six;
  six << C(0, 0), C(1, 1), C(2, 2), C(0, 1), C(1, 2), C(0, 2);
  return six;
}

/// Roots of the eigenvalues of C, the largest first, by the trigonometric solution of the cubic equation (Smith 1961): a
/// tenth of the time of an iteration, which frames of every step would feel.
Vec3 stretches_of(const Sixer& C) {
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

void set_row(StressValues& values, Index row, const Sixer& stress, const Sixer& C) {
  values.cauchy.row(row) = stress.transpose();
  values.von_mises[row] = von_mises(stress);
  values.stretches.row(row) = stretches_of(C).transpose();
}

}  // namespace

double von_mises(const Sixer& s) {
  const double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  return std::sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

BodyStress measure_stress(const TetMesh& rest, const std::vector<ElasticPart>& parts, const MatrixX3d& x) {
  const int m = rest.tets(), points = rest.order() == 2 ? 4 : 1, nodes = rest.order() == 2 ? 10 : 4;
  std::vector<PointValues> values(static_cast<size_t>(m) * points);
  parallel_for(m, 64, [&](int begin, int end) {
    for (int e = begin; e < end; ++e)
      for (int q = 0; q < points; ++q) {
        const Mat3 D = columns_of(rest, rest.X, e, q);
        values[e * points + q].at = {columns_of(rest, x, e, q) * D.inverse(), std::fabs(D.determinant()) / (6 * points)};
      }
  });
  for (const ElasticPart& part : parts)
    if (!part.tets.empty()) add_part(rest, part, points, values);

  BodyStress stress{StressValues(m), StressValues(rest.vertices())};
  MatrixX6d sum = MatrixX6d::Zero(rest.vertices(), 6), squares = sum;
  VectorXd weight = VectorXd::Zero(rest.vertices());
  std::vector<Sixer> s(points), C(points);
  for (int e = 0; e < m; ++e) {
    Sixer mean = Sixer::Zero(), mean_C = Sixer::Zero();
    double volume = 0;
    for (int q = 0; q < points; ++q) {
      const PointValues& value = values[e * points + q];
      s[q] = cauchy_of(value);
      C[q] = square_of(value.at.F);
      mean += value.at.volume * s[q];
      mean_C += value.at.volume * C[q];
      volume += value.at.volume;
    }
    mean /= volume, mean_C /= volume;
    set_row(stress.element, e, mean, mean_C);
    for (int a = 0; a < nodes; ++a) {
      const int v = a < 4 ? rest.T(e, a) : rest.mid(e, a - 4);
      Sixer here = mean, here_C = mean_C;
      if (points == 4) {
        here.setZero(), here_C.setZero();
        for (int q = 0; q < 4; ++q) {
          const double L = a < 4 ? (a == q ? 1 : 0)
                                 : (kEdgeCorners[a - 4][0] == q || kEdgeCorners[a - 4][1] == q ? 0.5 : 0);
          here += (L - quadratic::kFar) / quadratic::kMore * s[q];
          here_C += (L - quadratic::kFar) / quadratic::kMore * C[q];
        }
      }
      sum.row(v) += volume * here.transpose();
      squares.row(v) += volume * here_C.transpose();
      weight[v] += volume;
    }
  }
  for (int v = 0; v < rest.vertices(); ++v)
    if (weight[v] > 0)
      set_row(stress.vertex, v, sum.row(v).transpose() / weight[v], squares.row(v).transpose() / weight[v]);
  return stress;
}

}  // namespace brio
