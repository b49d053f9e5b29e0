#include "brio/core/error.hpp"
#include "brio/mesh/solids/implicit_operations.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

// A warped body is the body at the place from which a point came. Distances are off by how much the warp stretches,
// and that grows without bound far from the body or near the center of a bend. So the body is first cut to what
// surely contains it, a cylinder or a ring at the distance `around`; then values are trusted only up to `cap`, within
// which the stretch is bounded, and beyond `around` itself is the bound.
double warped(double body, double around, double cap, double stretch) {
  return std::max(std::min(std::max(body, around), cap) / stretch, around);
}

class Twisted : public SignedDistance {
 public:
  Twisted(SolidPointer body, int axis, double rate) : body_(std::move(body)), axis_(axis), rate_(rate) {
    const Box box = body_->bounds();
    Vec3 reach = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs());
    low_ = box.min()[axis], high_ = box.max()[axis];
    reach[axis] = 0;
    radius_ = reach.norm();
    stretch_ = std::hypot(1, rate * 1.5 * radius_);
  }
  double value(const Vec3& x) const override {
    const double angle = rate_ * x[axis_];
    const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
    Vec3 from = x;
    from[u] = std::cos(angle) * x[u] + std::sin(angle) * x[v];
    from[v] = std::cos(angle) * x[v] - std::sin(angle) * x[u];
    const double away = std::hypot(x[u], x[v]) - radius_, beyond = std::max(low_ - x[axis_], x[axis_] - high_);
    const double around =
        std::hypot(std::max(away, 0.0), std::max(beyond, 0.0)) + std::min(std::max(away, beyond), 0.0);
    return warped(body_->value(from), around, 0.5 * radius_, stretch_);
  }
  Box bounds() const override {
    Vec3 low = Vec3::Constant(-radius_), high = Vec3::Constant(radius_);
    low[axis_] = low_, high[axis_] = high_;
    return {low, high};
  }
  double cost() const override { return body_->cost(); }

 private:
  SolidPointer body_;
  int axis_;
  double rate_, low_, high_, radius_, stretch_;
};

class Bent : public SignedDistance {
 public:
  Bent(SolidPointer body, double radius) : body_(std::move(body)), radius_(radius), box_(body_->bounds()) {
    inner_ = radius - box_.max()[1];
    outer_ = radius - box_.min()[1];
    const double round = 2 * std::numbers::pi * radius;
    if (!(inner_ > 0))
      throw Error("bend: the body reaches {:.4g} m towards the center, beyond the radius", box_.max()[1]);
    if (!(box_.sizes()[0] < round && box_.min()[0] > -round && box_.max()[0] < round)) {
      throw Error("bend: the body is {:.4g} m long, more than once around a circle of radius {:.4g} m", box_.sizes()[0],
                  radius);
    }
  }
  double value(const Vec3& x) const override {
    const double rho = std::hypot(x[0], radius_ - x[1]), angle = std::atan2(x[0], radius_ - x[1]);
    double body = INFINITY;
    for (int turn = -1; turn <= 1; ++turn) {  // the same place once more around
      const Vec3 from(radius_ * (angle + 2 * std::numbers::pi * turn), radius_ - rho, x[2]);
      if (box_.squaredExteriorDistance(from) < body * body || body < 0) body = std::min(body, body_->value(from));
    }
    const double away = std::max(inner_ - rho, rho - outer_),
                 beyond = std::max(box_.min()[2] - x[2], x[2] - box_.max()[2]);
    const double around =
        std::hypot(std::max(away, 0.0), std::max(beyond, 0.0)) + std::min(std::max(away, beyond), 0.0);
    return warped(body, around, 0.5 * inner_, std::max(1.0, radius_ / (0.5 * inner_)));
  }
  Box bounds() const override {
    return {Vec3(-outer_, radius_ - outer_, box_.min()[2]), Vec3(outer_, radius_ + outer_, box_.max()[2])};
  }
  double cost() const override { return 3 * body_->cost(); }

 private:
  SolidPointer body_;
  double radius_;
  Box box_;
  double inner_ = 0, outer_ = 0;
};

}  // namespace

SolidPointer make_twisted(SolidPointer body, int axis, double rate) {
  return std::make_shared<Twisted>(std::move(body), axis, rate);
}
SolidPointer make_bent(SolidPointer body, double radius) { return std::make_shared<Bent>(std::move(body), radius); }

}  // namespace brio
