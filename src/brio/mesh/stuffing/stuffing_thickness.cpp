#include "brio/mesh/stuffing/stuffing_thickness.hpp"

#include "brio/core/parallel.hpp"

#include <array>
#include <cmath>

namespace brio {
namespace {

constexpr double kFacing = 0.8;  // cosine of the angle between walls that face each other

/// Middles of the cells of that size, in a grid around the body, that the surface may pass through.
std::vector<Vec3> cells_near_surface(const SignedDistance& body, double size) {
  struct Block {
    Eigen::Vector3i low;
    int side;
  };
  const Box bounds = body.bounds();
  // Not a simple fraction of a cell: planes of symmetry should not run through middles, where the distance has a ridge.
  const Vec3 origin = bounds.min() - size * Vec3(0.637, 0.711, 0.583);
  int side = 1;
  while (side * size < bounds.sizes().maxCoeff() + 2 * size) side *= 2;
  std::vector<Block> blocks{{{0, 0, 0}, side}};
  const auto middle = [&](const Block& b) -> Vec3 {
    return origin + size * (b.low.cast<double>() + Vec3::Constant(0.5 * b.side));
  };
  for (; side >= 1; side /= 2) {
    std::vector<char> near(blocks.size());
    parallel_for(static_cast<int>(blocks.size()), 64, [&](int begin, int end) {
      for (int b = begin; b < end; ++b)
        near[b] = std::fabs(body.value(middle(blocks[b]))) <= std::sqrt(3.0) / 2 * side * size;
    });
    std::vector<Block> next;
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (!near[b]) continue;
      if (side == 1) next.push_back(blocks[b]);
      for (int part = 0; part < 8 && side > 1; ++part)
        next.push_back({blocks[b].low + side / 2 * Eigen::Vector3i(part & 1, part >> 1 & 1, part >> 2), side / 2});
    }
    blocks = std::move(next);
  }
  std::vector<Vec3> middles;
  for (const Block& block : blocks) middles.push_back(middle(block));
  return middles;
}

/// How far from a place on the surface the other wall is, along `into`; `sign` is -1 inside, 1 outside. Steps of the
/// distance itself pass over no wall.
double wall_across(const SignedDistance& body, const Vec3& from, const Vec3& into, int sign, double spacing,
                   double reach) {
  const double least = 0.01 * spacing;
  for (double t = least; t < reach;) {
    const Vec3 x = from + t * into;
    const double room = sign * body.value(x);
    if (room < 0.5 * least) {
      const Vec3 normal = -sign * distance_gradient(body, x, 0.5 * least);  // into the wall across
      return normal.dot(into) > kFacing * normal.norm() ? t : INFINITY;
    }
    t += std::max(room, least);
  }
  return INFINITY;
}

}  // namespace

Vec3 distance_gradient(const SignedDistance& body, const Vec3& x, double e) {
  Vec3 gradient;
  for (int c = 0; c < 3; ++c)
    gradient[c] = (body.value(x + e * Vec3::Unit(c)) - body.value(x - e * Vec3::Unit(c))) / (2 * e);
  return gradient;
}

std::vector<ThicknessSample> sample_thickness(const SignedDistance& body, double spacing, double reach) {
  const std::vector<Vec3> middles = cells_near_surface(body, spacing);
  std::vector<ThicknessSample> all(middles.size());
  std::vector<char> good(middles.size(), 0);
  parallel_for(static_cast<int>(middles.size()), 64, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Vec3 x = middles[i], gradient = Vec3::Zero();
      for (int step = 0; step < 4; ++step) {
        const double value = body.value(x);
        if (step > 0 && std::fabs(value) < 1e-3 * spacing) break;
        if (step < 2) gradient = distance_gradient(body, x, 0.01 * spacing);
        if (gradient.squaredNorm() < 0.04) break;
        x -= value * gradient / gradient.squaredNorm();
      }
      if ((x - middles[i]).cwiseAbs().maxCoeff() > 0.75 * spacing) continue;  // another cell's
      gradient = distance_gradient(body, x, 0.01 * spacing);
      if (!(gradient.norm() > 0.2) || std::fabs(body.value(x)) > 0.02 * spacing) continue;
      const Vec3 inward = -gradient.normalized();
      all[i] = {x, inward, wall_across(body, x, inward, -1, spacing, reach),
                wall_across(body, x, -inward, 1, spacing, reach)};
      good[i] = 1;
    }
  });
  std::vector<ThicknessSample> samples;
  for (size_t i = 0; i < all.size(); ++i)
    if (good[i]) samples.push_back(all[i]);
  return samples;
}

}  // namespace brio
