#include "brio/system/anchors.hpp"

#include <algorithm>
#include <set>

namespace brio {
namespace {

constexpr double kFlat = 0.02;  // of the piece's extent: a lower triangle counts as a line

/// Distance of x from what the first anchors span: nothing, a point, a line.
double distance(const std::vector<Vec3>& anchors, const Vec3& center, const Vec3& x) {
  if (anchors.empty()) return (x - center).norm();
  if (anchors.size() == 1) return (x - anchors[0]).norm();
  const Vec3 along = (anchors[1] - anchors[0]).normalized(), from = x - anchors[0];
  return (from - along.dot(from) * along).norm();
}

/// Up to three points of the piece, preferably dynamic ones, each as far as can be from what the ones before span.
std::vector<int> anchors_of(const NodalSystem& system, const std::vector<int>& piece, const std::set<int>& dynamic) {
  const auto place = [&](int point) -> Vec3 {
    return system.rest_positions().row(system.vertex_of(point)).transpose();
  };
  Vec3 low = place(piece[0]), high = low, center = Vec3::Zero();
  for (int point : piece) {
    low = low.cwiseMin(place(point));
    high = high.cwiseMax(place(point));
    center += place(point) / static_cast<double>(piece.size());
  }
  const double least = kFlat * (high - low).norm();
  std::vector<int> chosen;
  std::vector<Vec3> spanned;
  while (chosen.size() < 3) {
    int best = -1, best_dynamic = -1;
    double far = 0, far_dynamic = 0;
    for (int point : piece) {
      const double d = distance(spanned, center, place(point));
      if (best < 0 || d > far) best = point, far = d;
      if (dynamic.contains(point) && (best_dynamic < 0 || d > far_dynamic)) best_dynamic = point, far_dynamic = d;
    }
    const bool take_dynamic = best_dynamic >= 0 && (chosen.empty() || far_dynamic > least);
    if (!take_dynamic && !chosen.empty() && !(far > 0)) break;  // all in one place or in one line
    const int next = take_dynamic ? best_dynamic : best;
    chosen.push_back(next);
    spanned.push_back(place(next));
  }
  return chosen;
}

std::vector<int> all_anchors(const NodalSystem& system, const std::vector<char>& led, const std::set<int>& dynamic) {
  const auto is_led = [&](int point) { return !led.empty() && led[system.vertex_of(point)]; };
  std::vector<int> anchors;
  for (const std::vector<int>& piece : system.free_pieces())
    if (std::none_of(piece.begin(), piece.end(), is_led))
      for (int point : anchors_of(system, piece, dynamic)) anchors.push_back(point);
  return anchors;
}

std::set<int> points_of(const NodalSystem& system, const std::vector<int>& vertices) {
  std::set<int> points;
  for (int vertex : vertices) points.insert(system.point_of(vertex));
  return points;
}

}  // namespace

std::vector<int> missing_anchors(const NodalSystem& system, const std::vector<int>& dynamic_vertices,
                                 const std::vector<char>& led) {
  const std::set<int> dynamic = points_of(system, dynamic_vertices);
  std::vector<int> missing;
  for (int point : all_anchors(system, led, dynamic))
    if (!dynamic.contains(point)) missing.push_back(system.vertex_of(point));
  return missing;
}

std::vector<int> lasting_anchors(const NodalSystem& system, const std::vector<int>& dynamic_vertices,
                                 const std::vector<char>& led) {
  std::vector<int> anchors;
  for (int point : all_anchors(system, led, points_of(system, dynamic_vertices)))
    anchors.push_back(system.vertex_of(point));
  return anchors;
}

}  // namespace brio
