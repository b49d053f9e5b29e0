#pragma once
// A system whose contact can be taken apart from the rest, so that a method may meet them at the end of its step
// (system/contact_set.hpp) and not where it happens to evaluate forces; see System::contacts().

#include "brio/energy/touch.hpp"
#include "brio/system/system.hpp"

#include <vector>

namespace brio {

class CollisionSurface;

class ContactSystem {
 public:
  virtual ~ContactSystem() = default;
  /// The same system without its obstacles. Its linearizations are TouchLinearizations.
  virtual const System& without_obstacles() const = 0;
  virtual int places() const = 0;  ///< pairs of a vertex and an obstacle that may touch
  /// The number of the obstacle of a place, counted from 0; obstacles that are surfaces have none.
  virtual int obstacle_of(int place) const = 0;
  virtual bool has_friction() const = 0;
  /// Overwrites the list with what touches in a step from (t0, q0) to (t1, q1), or passes through on the way.
  virtual void find_touches(double t0, const VectorXd& q0, double t1, const VectorXd& q1,
                            std::vector<Touch>& touches) const = 0;

  /// The surfaces of bodies that touch each other or themselves; null where they do not. without_obstacles() is without
  /// them, too.
  virtual const CollisionSurface* surfaces() const = 0;
  /// The point of a vertex of the surfaces, -1 where it does not move freely, or is an obstacle's.
  virtual int point_of(int vertex) const = 0;
  virtual int vertex_of(int point) const = 0;
  virtual int points() const = 0;
  /// Points from this number on have no coordinates of their own: bones carry them.
  virtual int own_points() const { return points(); }
  /// Velocities of the points that bones carry, three rows for each, by those of the system's last coordinates at q.
  virtual void find_carried(const VectorXd& /*q*/, MatrixXd& velocities) const { velocities.resize(0, 0); }
  /// Positions of all vertices and, after them, of those of obstacles that are surfaces, stacked.
  virtual void stack_positions(double t, const VectorXd& q, VectorXd& x) const = 0;
};

/// A linearization to which the stiffness of touches can be added; see Linearization::touched().
class TouchLinearization {
 public:
  virtual ~TouchLinearization() = default;
  /// Adds `weight` times their stiffness and their force at the beginning of the step to what was assembled last, in
  /// place of the touches that were set since then. K and outside() have it; the gradient that was assembled has not.
  virtual void set_touches(const std::vector<Touch>& touches, double weight) = 0;
};

/// The pull of a touch's spring after the vertex has moved by `way` [N].
inline Vec3 spring_pull(const Touch& touch, const Vec3& way) {
  const Vec3 stretch = touch.stretch + touch.tangential(way);
  return touch.grip * (stretch - touch.slide.dot(stretch) * touch.slide) + touch.drag * touch.slide;
}

/// The stiffness of one touch [N/m], and its gradient at the beginning of the step [N].
inline Mat3 touch_stiffness(const Touch& touch) {
  const Mat3 across = touch.normal * touch.normal.transpose(), surface = Mat3::Identity() - across;
  return touch.stiffness * across + touch.lateral * surface +
         touch.grip * (surface - touch.slide * touch.slide.transpose());
}
inline Vec3 touch_gradient(const Touch& touch) {
  return touch.stiffness * touch.gap * touch.normal + spring_pull(touch, Vec3::Zero());
}

}  // namespace brio
