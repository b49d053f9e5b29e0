#include "brio/mesh/stuffing/stuffing_losses.hpp"

#include "brio/core/parallel.hpp"
#include "brio/mesh/surface.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace brio {
namespace {

constexpr int kRegions = 6;  // along the longest side of the body
constexpr size_t kLossesNamed = 3;

/// What one region loses, and the first moment of that.
struct Loss {
  double volume = 0;           ///< [m^3]
  Vec3 moment = Vec3::Zero();  ///< [m^4]
};

}  // namespace

/// Between a triangle and the shape lies the integral of the depth of its points. For a quadratic that vanishes at the
/// corners that is the area times the mean over the middles of the edges.
VolumeLosses find_losses(const SignedDistance& body, const TetMesh& mesh) {
  const MatrixX3i triangles = boundary_triangles(mesh);
  std::vector<Loss> of_triangle(triangles.rows());
  parallel_for(static_cast<int>(triangles.rows()), 256, [&](int begin, int end) {
    for (int f = begin; f < end; ++f) {
      std::array<Vec3, 3> x;
      for (int c = 0; c < 3; ++c) x[c] = mesh.X.row(triangles(f, c));
      double depth = 0;
      for (int c = 0; c < 3; ++c) depth -= body.value(0.5 * (x[c] + x[(c + 1) % 3])) / 3;
      const double volume = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm() * depth;
      of_triangle[f] = {volume, volume * (x[0] + x[1] + x[2]) / 3};
    }
  });

  const Vec3 low = mesh.X.colwise().minCoeff(), extent = mesh.X.colwise().maxCoeff().transpose() - low;
  const double region = extent.maxCoeff() / kRegions;
  std::map<std::array<int, 3>, Loss> losses;
  VolumeLosses found;
  for (const Loss& loss : of_triangle) {
    if (!(loss.volume > 0)) continue;  // where the shape is hollow, flat triangles add to it
    const Vec3 at = (loss.moment / loss.volume - low) / region;
    Loss& sum = losses[{static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2])}];
    sum.volume += loss.volume;
    sum.moment += loss.moment;
    found.volume += loss.volume;
  }
  std::vector<Loss> worst;
  for (const auto& [cell, loss] : losses) worst.push_back(loss);
  std::stable_sort(worst.begin(), worst.end(), [](const Loss& a, const Loss& b) { return a.volume > b.volume; });
  for (size_t p = 0; p < worst.size() && p < kLossesNamed; ++p) {
    found.places.push_back(worst[p].moment / worst[p].volume);
    found.share += worst[p].volume / found.volume;
  }
  return found;
}

}  // namespace brio
