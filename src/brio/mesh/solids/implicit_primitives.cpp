#include "brio/mesh/solids/implicit_primitives.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

using Vec2 = Eigen::Vector2d;

Box ball_box(const Vec3& center, double radius) {
  return {center - Vec3::Constant(radius), center + Vec3::Constant(radius)};
}

/// How far a disc with this axis and radius reaches along each coordinate.
Vec3 disc_reach(const Vec3& axis, double radius) { return radius * (1 - axis.array().square()).max(0.0).sqrt(); }

/// A point relative to a line: along it from `a`, and away from it.
struct Axis {
  Vec3 a, direction;
  double length;
  Axis(const Vec3& from, const Vec3& to) : a(from), direction((to - from).normalized()), length((to - from).norm()) {}

  Vec2 away_and_along(const Vec3& x) const {
    const double along = direction.dot(x - a);
    return {(x - a - along * direction).norm(), along};
  }
};

/// Signed distance from the rectangle |x| < half[0], |y| < half[1].
double rectangle(const Vec2& x, const Vec2& half) {
  const Vec2 d = x.cwiseAbs() - half;
  return d.cwiseMax(0.0).norm() + std::min(d.maxCoeff(), 0.0);
}

class Sphere : public SignedDistance {
 public:
  Sphere(const Vec3& center, double radius) : center_(center), radius_(radius) {}
  double value(const Vec3& x) const override { return (x - center_).norm() - radius_; }
  Box bounds() const override { return ball_box(center_, radius_); }

 private:
  Vec3 center_;
  double radius_;
};

class Ellipsoid : public SignedDistance {
 public:
  Ellipsoid(const Vec3& center, const Vec3& radii) : center_(center), r_(radii) {}

  /// The nearest point has the coordinates r_i^2 x_i / (r_i^2 + t), where t makes it lie on the surface: |p(t)| = 1 for
  /// p_i = r_i x_i / (r_i^2 + t). Newton's method on the concave 1 / |p(t)| climbs from a t on the left to the root.
  double value(const Vec3& point) const override {
    // Off the symmetry planes, where the nearest point need not be unique.
    const Vec3 x = (point - center_).cwiseAbs().cwiseMax(1e-9 * r_);
    const Vec3 rx = r_.cwiseProduct(x), rr = r_.cwiseProduct(r_);
    double t = (rx - rr).maxCoeff();
    for (int iteration = 0; iteration < 30; ++iteration) {
      const Vec3 p = rx.cwiseQuotient(rr + Vec3::Constant(t));
      const double length = p.norm();
      if (length < 1 + 1e-12) break;
      const double slope = p.cwiseProduct(p).cwiseQuotient(rr + Vec3::Constant(t)).sum();
      t += (length - 1) * length * length / slope;
    }
    const Vec3 nearest = rr.cwiseProduct(x).cwiseQuotient(rr + Vec3::Constant(t));
    const double distance = (x - nearest).norm();
    return x.cwiseQuotient(r_).squaredNorm() < 1 ? -distance : distance;
  }
  Box bounds() const override { return {center_ - r_, center_ + r_}; }

 private:
  Vec3 center_, r_;
};

class Cuboid : public SignedDistance {
 public:
  Cuboid(const Vec3& center, const Vec3& size) : center_(center), half_(0.5 * size) {}
  double value(const Vec3& x) const override {
    const Vec3 d = (x - center_).cwiseAbs() - half_;
    return d.cwiseMax(0.0).norm() + std::min(d.maxCoeff(), 0.0);
  }
  Box bounds() const override { return {center_ - half_, center_ + half_}; }

 private:
  Vec3 center_, half_;
};

/// Two balls and the cone that touches both. In the plane of the axis and the point, the normal of the cone is
/// (cos, sin) with sin = (r_a - r_b) / length.
class Capsule : public SignedDistance {
 public:
  Capsule(const Vec3& a, const Vec3& b, double ra, double rb)
      : axis_(a, b), b_(b), ra_(ra), rb_(rb), sine_((ra - rb) / axis_.length), cosine_(std::sqrt(1 - sine_ * sine_)) {}
  double value(const Vec3& x) const override {
    const Vec2 y = axis_.away_and_along(x);
    const double along_cone = cosine_ * y[1] - sine_ * y[0];
    if (along_cone <= 0) return y.norm() - ra_;
    if (along_cone >= cosine_ * axis_.length) return std::hypot(y[0], y[1] - axis_.length) - rb_;
    return cosine_ * y[0] + sine_ * y[1] - ra_;
  }
  Box bounds() const override { return ball_box(axis_.a, ra_).merged(ball_box(b_, rb_)); }

 private:
  Axis axis_;
  Vec3 b_;
  double ra_, rb_, sine_, cosine_;
};

/// The distance from the outline of the section, which is a trapezium; its side on the axis is no surface.
class Cone : public SignedDistance {
 public:
  Cone(const Vec3& a, const Vec3& b, double ra, double rb) : axis_(a, b), b_(b), ra_(ra), rb_(rb) {}
  double value(const Vec3& x) const override {
    const Vec2 y = axis_.away_and_along(x);
    const double l = axis_.length;
    const std::array<Vec2, 4> corner{Vec2(0, 0), Vec2(ra_, 0), Vec2(rb_, l), Vec2(0, l)};
    double squared = INFINITY;
    for (int i = 0; i < 3; ++i) {
      const Vec2 edge = corner[i + 1] - corner[i];
      const double t = std::clamp(edge.dot(y - corner[i]) / std::max(edge.squaredNorm(), 1e-300), 0.0, 1.0);
      squared = std::min(squared, (y - corner[i] - t * edge).squaredNorm());
    }
    const bool inside = y[1] > 0 && y[1] < l && y[0] < ra_ + (rb_ - ra_) * y[1] / l;
    return inside ? -std::sqrt(squared) : std::sqrt(squared);
  }
  Box bounds() const override {
    const Vec3 at_a = disc_reach(axis_.direction, ra_), at_b = disc_reach(axis_.direction, rb_);
    return Box(axis_.a - at_a, axis_.a + at_a).merged(Box(b_ - at_b, b_ + at_b));
  }

 private:
  Axis axis_;
  Vec3 b_;
  double ra_, rb_;
};

class Torus : public SignedDistance {
 public:
  Torus(const Vec3& center, const Vec3& axis, double major, double minor)
      : axis_(center, center + axis), major_(major), minor_(minor) {}
  double value(const Vec3& x) const override {
    const Vec2 y = axis_.away_and_along(x);
    return std::hypot(y[0] - major_, y[1]) - minor_;
  }
  Box bounds() const override {
    const Vec3 reach = disc_reach(axis_.direction, major_) + Vec3::Constant(minor_);
    return {axis_.a - reach, axis_.a + reach};
  }

 private:
  Axis axis_;
  double major_, minor_;
};

class Band : public SignedDistance {
 public:
  Band(double radius, double width, double thickness, int half_turns)
      : radius_(radius), half_(0.5 * thickness, 0.5 * width), reach_(half_.norm()), half_turns_(half_turns) {
    // Turning with the angle around the ring moves a point of the section by |y| half_turns / 2 for each rho dtheta.
    // Up to a depth of `cap_` around the section, that is at most this stretch; beyond, a torus around it bounds
    // better.
    cap_ = 0.5 * std::min(reach_, radius - reach_);
    const double turn = 0.5 * half_turns * (reach_ + cap_) / (radius - reach_ - cap_);
    stretch_ = std::sqrt(1 + turn * turn);
  }
  double value(const Vec3& x) const override {
    const Vec2 y(std::hypot(x[0], x[1]) - radius_, x[2]);
    const double angle = 0.5 * half_turns_ * std::atan2(x[1], x[0]), c = std::cos(angle), s = std::sin(angle);
    const double section = rectangle({c * y[0] + s * y[1], c * y[1] - s * y[0]}, half_);
    return std::max(std::min(section, cap_) / stretch_, y.norm() - reach_);
  }
  Box bounds() const override {
    const Vec3 reach(radius_ + reach_, radius_ + reach_, reach_);
    return {-reach, reach};
  }

 private:
  double radius_;
  Vec2 half_;
  double reach_;
  int half_turns_;
  double cap_ = 0, stretch_ = 1;
};

}  // namespace

SolidPointer make_sphere(const Vec3& center, double radius) { return std::make_shared<Sphere>(center, radius); }
SolidPointer make_ellipsoid(const Vec3& center, const Vec3& radii) {
  return std::make_shared<Ellipsoid>(center, radii);
}
SolidPointer make_cuboid(const Vec3& center, const Vec3& size) { return std::make_shared<Cuboid>(center, size); }

SolidPointer make_capsule(const Vec3& a, const Vec3& b, double radius_a, double radius_b) {
  // One of the balls may contain the other, and then all.
  if ((b - a).norm() <= std::fabs(radius_a - radius_b)) {
    return radius_a > radius_b ? make_sphere(a, radius_a) : make_sphere(b, radius_b);
  }
  return std::make_shared<Capsule>(a, b, radius_a, radius_b);
}

SolidPointer make_cone(const Vec3& a, const Vec3& b, double radius_a, double radius_b) {
  return std::make_shared<Cone>(a, b, radius_a, radius_b);
}
SolidPointer make_torus(const Vec3& center, const Vec3& axis, double major_radius, double minor_radius) {
  return std::make_shared<Torus>(center, axis, major_radius, minor_radius);
}
SolidPointer make_band(double radius, double width, double thickness, int half_turns) {
  return std::make_shared<Band>(radius, width, thickness, half_turns);
}

}  // namespace brio
