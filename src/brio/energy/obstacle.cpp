#include "brio/energy/obstacle.hpp"

#include "brio/core/axes_along.hpp"
#include "brio/core/error.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

Vec3 direction(const Options& o, const std::string& key, const std::string& where) {
  const Vec3 d = o.vec3(key);
  if (d.norm() == 0) throw Error("{}.{} = [0, 0, 0]: expected a direction, for example [0, 1, 0]", where, key);
  return d.normalized();
}

/// Derivatives of |x|, guarded at the center where the normal is anything.
Distance ball(const Vec3& x, double radius) {
  const double r = x.norm();
  const Vec3 n = r > 1e-12 * radius ? Vec3(x / r) : Vec3(0, 1, 0);
  return {r - radius, n, (Mat3::Identity() - n * n.transpose()) / std::max(r, 1e-6 * radius)};
}

class HalfSpace : public ObstacleShape {
 public:
  HalfSpace(const Options& o, const std::string& where) : point_(o.vec3("point")), n_(direction(o, "normal", where)) {}
  bool contains(const Vec3& x) const override { return n_.dot(x - point_) < 0; }
  Distance distance(const Vec3& x) const override { return {n_.dot(x - point_), n_, Mat3::Zero()}; }
  ObstacleDrawing drawing() const override {
    return {ObstacleDrawing::Kind::half_space, Vec3::Zero(), axes_along(n_), point_};
  }

 private:
  Vec3 point_, n_;
};

class Sphere : public ObstacleShape {
 public:
  explicit Sphere(const Options& o) : center_(o.vec3("center")), radius_(o.number("radius")) {}
  bool contains(const Vec3& x) const override { return (x - center_).squaredNorm() < radius_ * radius_; }
  Distance distance(const Vec3& x) const override { return ball(x - center_, radius_); }
  ObstacleDrawing drawing() const override {
    return {ObstacleDrawing::Kind::sphere, Vec3(radius_, 0, 0), Mat3::Identity(), center_};
  }

 private:
  Vec3 center_;
  double radius_;
};

class Torus : public ObstacleShape {
 public:
  Torus(const Options& o, const std::string& where)
      : center_(o.vec3("center")),
        axis_(direction(o, "axis", where)),
        major_(o.number("major_radius")),
        minor_(o.number("minor_radius")) {
    if (minor_ >= major_) {
      throw Error("{}.minor_radius = {}: must be smaller than major_radius = {}", where, minor_, major_);
    }
  }
  bool contains(const Vec3& x) const override {
    const Vec3 d = x - center_;
    const double along = axis_.dot(d), out = (d - along * axis_).norm() - major_;
    return out * out + along * along < minor_ * minor_;
  }
  /// Distance to the center circle less the minor radius; the curvature is the tube's and, across it, the ring's.
  Distance distance(const Vec3& x) const override {
    const Vec3 d = x - center_;
    const double along = axis_.dot(d);
    const Vec3 radial = d - along * axis_;
    const double rho = std::max(radial.norm(), 1e-9 * major_);
    const Vec3 outward = radial.norm() > 0 ? Vec3(radial / rho) : axis_.unitOrthogonal();
    const Distance tube = ball(d - major_ * outward, minor_);
    const Vec3 around = axis_.cross(outward);
    // Moving around the ring turns the tube's center along: d2phi = (n . outward) / rho there, not 1 / r.
    const double ring = tube.normal.dot(outward) / rho;
    const Mat3 in_plane = tube.curvature - around * (around.transpose() * tube.curvature);
    return {tube.phi, tube.normal, in_plane + ring * around * around.transpose()};
  }
  ObstacleDrawing drawing() const override {
    return {ObstacleDrawing::Kind::torus, Vec3(major_, minor_, 0), axes_along(axis_), center_};
  }

 private:
  Vec3 center_, axis_;
  double major_, minor_;
};

class Box : public ObstacleShape {
 public:
  explicit Box(const Options& o) : center_(o.vec3("center")), half_(0.5 * o.vec3("size")) {}
  bool contains(const Vec3& x) const override { return ((x - center_).cwiseAbs().array() < half_.array()).all(); }
  /// Inside: distance to the nearest face. Outside: to the nearest point of the box.
  Distance distance(const Vec3& x) const override {
    const Vec3 d = x - center_;
    const Vec3 sign = d.unaryExpr([](double a) { return a < 0 ? -1.0 : 1.0; });
    const Vec3 beyond = d.cwiseAbs() - half_;
    int face;
    const double deepest = beyond.maxCoeff(&face);
    if (deepest <= 0) return {deepest, sign[face] * Vec3::Unit(face), Mat3::Zero()};
    const Vec3 out = beyond.cwiseMax(0.0);
    const double r = out.norm();
    const Vec3 n = sign.cwiseProduct(out) / r;
    Mat3 tangent = Mat3::Zero();
    for (int i = 0; i < 3; ++i) tangent(i, i) = beyond[i] > 0 ? 1 : 0;
    return {r, n, (tangent - n * n.transpose()) / r};
  }
  ObstacleDrawing drawing() const override { return {ObstacleDrawing::Kind::box, half_, Mat3::Identity(), center_}; }

 private:
  Vec3 center_, half_;
};

}  // namespace

static std::vector<ObstacleEntry> built_in_obstacles() {
  const Vec3 origin = Vec3::Zero(), up = Vec3::UnitY();
  const Option center = Option::vec3("center", "m", "center").with_default(origin);
  return {
      {{"half-space",
        "everything behind a plane: a floor or a wall",
        {Option::vec3("point", "m", "a point on the plane").with_default(origin),
         Option::vec3("normal", "", "direction out of the obstacle").with_default(up)}},
       [](const Options& o, const std::string& where) { return std::make_unique<HalfSpace>(o, where); }},
      {{"sphere", "a ball", {center, Option::number("radius", "m", "radius").above(0)}},
       [](const Options& o, const std::string&) { return std::make_unique<Sphere>(o); }},
      {{"torus",
        "a ring to squeeze through or to hang on",
        {center, Option::vec3("axis", "", "direction of the hole").with_default(up),
         Option::number("major_radius", "m", "radius of the center circle").above(0),
         Option::number("minor_radius", "m", "radius of the tube").above(0)}},
       [](const Options& o, const std::string& where) { return std::make_unique<Torus>(o, where); }},
      {{"box", "a box with faces along the axes", {center, Option::vec3("size", "m", "edge lengths").above(0)}},
       [](const Options& o, const std::string&) { return std::make_unique<Box>(o); }},
  };
}

Table<ObstacleEntry>& obstacle_table() {
  static Table<ObstacleEntry> table("obstacle", built_in_obstacles());
  return table;
}

const std::vector<ObstacleEntry>& obstacle_shapes() { return obstacle_table().rows(); }

}  // namespace brio
