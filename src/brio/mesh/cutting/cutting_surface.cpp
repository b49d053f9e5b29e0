#include "brio/mesh/cutting/cutting_surface.hpp"

#include "brio/core/error.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

using FlatPoint = Eigen::Vector2d;

constexpr size_t kMostPoints = 10'000;  // of a path: a hand draws far fewer
constexpr double kRoundOff = 1e-9;      // of the path's extent: a path drawn on the skin of the body reaches it

Vec3 unit(const Vec3& v, const char* key) {
  const double length = v.norm();
  if (!(length > 0) || !std::isfinite(length))
    throw Error("\"{}\" = [{}, {}, {}]: expected a direction", key, v[0], v[1], v[2]);
  return v / length;
}

class Plane : public CuttingSurface {
 public:
  Plane(const Vec3& point, const Vec3& normal) : normal_(unit(normal, "normal")), point_(point) {
    if (!point.allFinite()) throw Error("\"point\": expected finite coordinates");
  }

  std::optional<double> crossing(const Vec3& a, const Vec3& b) const override {
    const double from = height(a), to = height(b);
    if ((from >= 0) == (to >= 0)) return {};
    return from / (from - to);
  }

  double distance(const Vec3& x) const override { return std::fabs(height(x)); }

 private:
  double height(const Vec3& x) const { return normal_.dot(x - point_); }
  Vec3 normal_, point_;
};

/// Seen along the direction, the path is a line of segments in a plane, and what lies where is a question in that
/// plane; only the depth is measured along the direction.
class SweptPath : public CuttingSurface {
 public:
  SweptPath(const std::vector<Vec3>& points, const Vec3& direction, std::optional<double> depth)
      : along_(unit(direction, "direction")), depth_(depth) {
    if (points.size() > kMostPoints)
      throw Error("\"points\": expected at most {} points, found {}", kMostPoints, points.size());
    u_ = along_.unitOrthogonal();
    v_ = along_.cross(u_);
    for (const Vec3& point : points) {
      if (!point.allFinite()) throw Error("\"points\": expected finite coordinates");
      add(point);
    }
    if (flat_.size() < 2)
      throw Error("\"points\": expected a path of two different points or more, seen along the \"direction\"");
    const double least = *std::min_element(height_.begin(), height_.end());
    const double most = *std::max_element(height_.begin(), height_.end());
    slack_ = kRoundOff * ((high_ - low_).norm() + most - least);
  }

  std::optional<double> crossing(const Vec3& a, const Vec3& b) const override {
    const FlatPoint from = flat(a), to = flat(b);
    if ((from.cwiseMax(to).array() < low_.array()).any() || (from.cwiseMin(to).array() > high_.array()).any())
      return {};
    std::vector<double> found;
    for (size_t i = 0; i + 1 < flat_.size(); ++i)
      if (const auto t = crossing(i, from, to, a.dot(along_), b.dot(along_))) found.push_back(*t);
    if (found.size() % 2 == 0) return {};
    std::sort(found.begin(), found.end());
    return found[found.size() / 2];
  }

  double distance(const Vec3& x) const override {
    const FlatPoint at = flat(x);
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i + 1 < flat_.size(); ++i) {
      const FlatPoint edge = flat_[i + 1] - flat_[i];
      const double s = std::clamp(edge.dot(at - flat_[i]) / edge.squaredNorm(), 0.0, 1.0);
      least = std::min(least, std::hypot((at - flat_[i] - s * edge).norm(), beyond(depth_at(i, s, x.dot(along_)))));
    }
    return least;
  }

 private:
  FlatPoint flat(const Vec3& x) const { return {u_.dot(x), v_.dot(x)}; }

  void add(const Vec3& point) {
    const FlatPoint at = flat(point);
    if (!flat_.empty() && at == flat_.back()) return;
    low_ = flat_.empty() ? at : FlatPoint(low_.cwiseMin(at));
    high_ = flat_.empty() ? at : FlatPoint(high_.cwiseMax(at));
    flat_.push_back(at);
    height_.push_back(point.dot(along_));
  }

  /// How deep below the path, at a part s of its segment i, a point at a height along the direction is.
  double depth_at(size_t i, double s, double height) const {
    return height - ((1 - s) * height_[i] + s * height_[i + 1]);
  }
  /// How far a depth is from what is cut.
  double beyond(double depth) const { return depth_ ? std::max({0.0, -depth, depth - *depth_}) : 0; }

  /// Ends count as on the left of what they lie on, so that a joint of two segments is met once or not at all.
  std::optional<double> crossing(size_t i, const FlatPoint& a, const FlatPoint& b, double height_a, double height_b) const {
    const auto left = [](const FlatPoint& p, const FlatPoint& q, const FlatPoint& x) {
      return (q[0] - p[0]) * (x[1] - p[1]) - (q[1] - p[1]) * (x[0] - p[0]);
    };
    const FlatPoint &p = flat_[i], &q = flat_[i + 1];
    const double a_left = left(p, q, a), b_left = left(p, q, b), p_left = left(a, b, p), q_left = left(a, b, q);
    if ((a_left >= 0) == (b_left >= 0) || (p_left >= 0) == (q_left >= 0)) return {};
    const double t = a_left / (a_left - b_left), s = p_left / (p_left - q_left);
    if (beyond(depth_at(i, s, (1 - t) * height_a + t * height_b)) > slack_) return {};
    return t;
  }

  Vec3 along_, u_, v_;
  std::optional<double> depth_;  ///< [m]
  std::vector<FlatPoint> flat_;       ///< the path across the direction [m]
  std::vector<double> height_;   ///< and along it [m]
  FlatPoint low_, high_;              ///< of flat_
  double slack_ = 0;             ///< [m]
};

}  // namespace

std::unique_ptr<CuttingSurface> cutting_plane(const Vec3& point, const Vec3& normal) {
  return std::make_unique<Plane>(point, normal);
}

std::unique_ptr<CuttingSurface> cutting_path(const std::vector<Vec3>& points, const Vec3& direction,
                                             std::optional<double> depth) {
  return std::make_unique<SweptPath>(points, direction, depth);
}

const std::vector<CuttingSurfaceEntry>& cutting_surfaces() {
  static const std::vector<CuttingSurfaceEntry> table = {
      {{"plane",
        "along a whole plane",
        {Option::vec3("point", "m", "a point of the plane"), Option::vec3("normal", "", "its normal, of any length")}},
       [](const Options& o) { return cutting_plane(o.vec3("point"), o.vec3("normal")); }},
      {{"path",
        "freehand: along a path that is swept in a direction",
        {Option::vec3s("points", "m",
                       "the path; it may bend, close or cross itself, and what it does not reach stays whole"),
         Option::vec3("direction", "", "in which the path is swept, of any length"),
         Option::number("depth", "m", "how far it is swept; right through the body, both ways, if left out")
             .above(0)
             .optional()}},
       [](const Options& o) {
         return cutting_path(o.vec3s("points"), o.vec3("direction"),
                             o.has("depth") ? std::optional(o.number("depth")) : std::nullopt);
       }}};
  return table;
}

}  // namespace brio
