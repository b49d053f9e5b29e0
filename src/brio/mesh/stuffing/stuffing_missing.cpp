#include "brio/mesh/stuffing/stuffing_missing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace brio {
namespace {

using Cube = std::array<int, 3>;

Vec3 corner_sign(int corner) { return {corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0}; }

/// Whether the surface may pass through a cube with that value at its center.
bool has_room(double value, double half) { return std::fabs(value) < std::sqrt(3.0) * half; }

/// A point inside of the body in a cube, found by dividing the cube that is nearest to it again and again.
std::optional<Vec3> point_inside(const SignedDistance& body, Vec3 center, double half) {
  double nearest = body.value(center);
  for (int level = 0; level < 10; ++level) {
    if (nearest < 0) return center;
    if (!has_room(nearest, half)) return {};
    half /= 2;
    const Vec3 around = center;
    nearest = std::numeric_limits<double>::infinity();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 x = around + half * corner_sign(corner);
      const double value = body.value(x);
      if (value < nearest) nearest = value, center = x;
    }
  }
  return {};
}

/// Looks for missing parts in a block of cubes and, where the surface may pass, in its eighths.
class Search {
 public:
  Search(const SignedDistance& body, const MatrixX3d& vertices, double side) : body_(body), side_(side) {
    const Box bounds = body.bounds();
    origin_ = bounds.min();
    const double cubes = (bounds.max() - bounds.min()).maxCoeff() / side;
    while (blocks_ < cubes) blocks_ *= 2;
    for (Index v = 0; v < vertices.rows(); ++v) near_.push_back(cube_at(vertices.row(v)));
    std::sort(near_.begin(), near_.end());
    near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
  }

  std::vector<Vec3> find() {
    look({0, 0, 0}, blocks_);
    return std::move(found_);
  }

 private:
  Cube cube_at(const Vec3& x) const {
    const Vec3 c = (x - origin_) / side_;
    return {static_cast<int>(std::floor(c[0])), static_cast<int>(std::floor(c[1])), static_cast<int>(std::floor(c[2]))};
  }

  void look(const Cube& low, int cubes) {
    const double half = 0.5 * side_ * cubes;
    const Vec3 center = origin_ + side_ * Vec3(low[0], low[1], low[2]) + Vec3::Constant(half);
    if (!has_room(body_.value(center), half)) return;
    if (cubes > 1) {
      for (int corner = 0; corner < 8; ++corner) {
        Cube eighth = low;
        for (int axis = 0; axis < 3; ++axis) eighth[axis] += (corner >> axis & 1) * cubes / 2;
        look(eighth, cubes / 2);
      }
    } else if (!has_vertex_near(low)) {
      if (const auto inside = point_inside(body_, center, half)) found_.push_back(*inside);
    }
  }

  bool has_vertex_near(const Cube& cube) const {
    for (int n = 0; n < 27; ++n) {
      const Cube other = {cube[0] + n % 3 - 1, cube[1] + n / 3 % 3 - 1, cube[2] + n / 9 - 1};
      if (std::binary_search(near_.begin(), near_.end(), other)) return true;
    }
    return false;
  }

  const SignedDistance& body_;
  double side_;  ///< of a cube [m]
  Vec3 origin_;
  int blocks_ = 1;          ///< cubes along the block that holds the body
  std::vector<Cube> near_;  ///< cubes with a vertex, sorted
  std::vector<Vec3> found_;
};

}  // namespace

std::vector<Vec3> missing_parts(const SignedDistance& body, const MatrixX3d& vertices, double size) {
  return Search(body, vertices, 2 * size).find();
}

}  // namespace brio
