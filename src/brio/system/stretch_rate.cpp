#include "brio/system/stretch_rate.hpp"

#include "brio/core/parallel.hpp"
#include "brio/linalg/polar_rate.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace brio {
namespace {

/// Gradient of a field over eight tetrahedra: of positions the deformation gradient, of velocities its rate.
BRIO_INLINE M3<Pack> field_gradient(const MatrixX3d& field, const int (&vertex)[4][kLanes], const V3<Pack> (&g)[3]) {
  V3<Pack> corner[4];
  for (int a = 0; a < 4; ++a)
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < 3; ++i) corner[a][i][lane] = field(vertex[a][lane], i);
  M3<Pack> F;
  for (int i = 0; i < 3; ++i) {
    const Pack d1 = corner[1][i] - corner[0][i], d2 = corner[2][i] - corner[0][i], d3 = corner[3][i] - corner[0][i];
    for (int j = 0; j < 3; ++j) F(i, j) = d1 * g[0][j] + d2 * g[1][j] + d3 * g[2][j];
  }
  return F;
}

/// Per vertex.
struct NearestCenters {
  std::vector<int> center;       ///< its number, -1 where none can be reached
  std::vector<double> distance;  ///< [m]
};

NearestCenters walk_from(const MatrixX3d& X, const MatrixX4i& T, const std::vector<int>& centers) {
  std::vector<std::vector<int>> neighbors(X.rows());
  for (Index t = 0; t < T.rows(); ++t)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (a != b) neighbors[T(t, a)].push_back(T(t, b));
  for (std::vector<int>& list : neighbors) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  // Dijkstra from all centers at once; ties go to the first center.
  constexpr double kFar = std::numeric_limits<double>::infinity();
  NearestCenters found{std::vector<int>(X.rows(), -1), std::vector<double>(X.rows(), kFar)};
  auto& [nearest, distance] = found;
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
  for (size_t i = 0; i < centers.size(); ++i) {
    distance[centers[i]] = 0;
    nearest[centers[i]] = static_cast<int>(i);
    front.emplace(0, centers[i]);
  }
  while (!front.empty()) {
    const auto [at, v] = front.top();
    front.pop();
    if (at > distance[v]) continue;
    for (int w : neighbors[v]) {
      const double through = at + (X.row(v) - X.row(w)).norm();
      if (through >= distance[w]) continue;
      distance[w] = through;
      nearest[w] = nearest[v];
      front.emplace(through, w);
    }
  }
  return found;
}

}  // namespace

StretchRate::StretchRate(const MatrixX3d& X, const MatrixX4i& T, const std::vector<int>& region, int regions)
    : volume_(VectorXd::Zero(regions)) {
  std::vector<std::vector<int>> members(regions);
  for (int t = 0; t < T.rows(); ++t)
    if (region[t] >= 0) members[region[t]].push_back(t);
  for (int r = 0; r < regions; ++r) {
    for (size_t first = 0; first < members[r].size(); first += kLanes) {
      Batch batch{.region = r, .vertex = {}, .g = {}, .volume = {}};
      for (int lane = 0; lane < kLanes; ++lane) {
        const int t = members[r][std::min(first + lane, members[r].size() - 1)];
        Mat3 Dm;
        for (int a = 0; a < 3; ++a) Dm.col(a) = (X.row(T(t, a + 1)) - X.row(T(t, 0))).transpose();
        const Mat3 inverse = Dm.inverse();
        for (int a = 0; a < 4; ++a) batch.vertex[a][lane] = T(t, a);
        for (int a = 0; a < 3; ++a)
          for (int j = 0; j < 3; ++j) batch.g[a][j][lane] = inverse(a, j);
        batch.volume[lane] = first + lane < members[r].size() ? std::fabs(Dm.determinant()) / 6 : 0;
        volume_[r] += batch.volume[lane];
      }
      batches_.push_back(batch);
    }
  }
}

void StretchRate::measure(const MatrixX3d& x, const MatrixX3d& u, VectorXd& rate) const {
  const auto room = batch_rates_.take();
  std::vector<double>& batch_rate = *room;
  batch_rate.resize(batches_.size());
  parallel_for(static_cast<int>(batches_.size()), 16, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const Batch& batch = batches_[b];
      const M3<Pack> F = field_gradient(x, batch.vertex, batch.g), F_dot = field_gradient(u, batch.vertex, batch.g);
      const M3<Pack> S_dot = polar_rate(svd3(F), F_dot).S;
      Pack sum = abs(S_dot(0, 0));
      for (int k = 1; k < 9; ++k) sum += abs(S_dot(k / 3, k % 3));
      sum *= batch.volume / 9;
      batch_rate[b] = 0;
      for (int lane = 0; lane < kLanes; ++lane) batch_rate[b] += sum[lane];
    }
  });
  rate.setZero(regions());
  for (size_t b = 0; b < batches_.size(); ++b) rate[batches_[b].region] += batch_rate[b];
  for (int r = 0; r < regions(); ++r)
    if (volume_[r] > 0) rate[r] /= volume_[r];
}

std::vector<int> nearest_centers(const MatrixX3d& X, const MatrixX4i& T, const std::vector<int>& centers) {
  return walk_from(X, T, centers).center;
}

std::vector<int> nearest_regions(const MatrixX3d& X, const MatrixX4i& T, const std::vector<int>& centers) {
  const auto [nearest, distance] = walk_from(X, T, centers);
  std::vector<int> region(T.rows());
  for (Index t = 0; t < T.rows(); ++t) {
    int best = T(t, 0);
    for (int a = 1; a < 4; ++a)
      if (distance[T(t, a)] < distance[best]) best = T(t, a);
    region[t] = nearest[best];
  }
  return region;
}

}  // namespace brio
