#pragma once
// Active muscle tension along the fiber, scaled by an activation. It has no rest length, so it is added to a passive
// law and has no row in the tables of laws.

#include "brio/core/pack.hpp"
#include "brio/material/material.hpp"

#include <memory>

namespace brio {

/// psi'(l) = strength (1 - ((l - 1) / width)^2)^2 within `width` of the best stretch 1, and nothing beyond: the bell of
/// a muscle's force over its length (Zajac 1989), with a continuous slope. The energy is what the
/// fiber can still do until it has shortened as far as it pulls, so that activating it puts energy in. The strength may
/// change between evaluations; all copies share it.
struct ActiveFiber {
  std::shared_ptr<const double> strength;  ///< tension now [Pa]
  double width;
  double kappa = 0;  ///< a tension has no stiffness of its own [Pa]

  template <class T>
  BRIO_INLINE T psi(const T& l) const {
    const T x = inside(l), x2 = x * x;
    return (*strength * width) * (x * (1.0 - 2.0 / 3 * x2 + 0.2 * (x2 * x2)) + 8.0 / 15);
  }
  template <class T>
  BRIO_INLINE T dpsi_over_l(const T& l) const {
    const T x = inside(l), y = 1.0 - x * x;
    return *strength * (y * y) / max(l, constant<T>(1e-4));
  }
  template <class T>
  BRIO_INLINE T d2psi(const T& l) const {
    const T x = inside(l);
    return (-4 * *strength / width) * (x * (1.0 - x * x));
  }

 private:
  template <class T>
  BRIO_INLINE T inside(const T& l) const {
    return max(min((l - 1.0) / width, constant<T>(1)), constant<T>(-1));
  }
};

/// The tension as a material; `strength` is read at every evaluation.
std::shared_ptr<const Material> active_fiber(std::shared_ptr<const double> strength, double width);

}  // namespace brio
