#pragma once
// The frozen motion where D = alpha M + beta K_D with another stiffness than K, that at rest: D and K have no common
// modes, and the whole J is needed. In the norm of the energy its numerical range lies in a rectangle, as wide as D
// is large and as high as the fastest vibration: so polynomials that suit an ellipse around it converge (Crouzeix and
// Palencia, SIAM J. Matrix Anal. Appl. 38, 2017: at most 1 + sqrt 2 times worse than numbers in it would), and no basis
// is needed. The sum ends where its terms, as they come, have become small: a stiffness that was underestimated, and
// directions that are unstable, only make it longer.

#include "brio/integrate/parts/frozen_motion.hpp"
#include "brio/integrate/parts/spectrum_ends.hpp"
#include "brio/linalg/damped_polynomials.hpp"

namespace brio {

class DampedExponential {
 public:
  explicit DampedExponential(KrylovLimits limits) : limits_(limits) {}
  /// Finds what D can do, which stays.
  void prepare(const BlockMatrices& matrices, const VectorXd& mass);
  /// Displacement and change of velocity after h. `motion` is left at the last piece's start.
  KrylovOutcome advance(FrozenMotion& motion, const BlockMatrices& matrices, double h, VectorXd& dq, VectorXd& dv);

 private:
  /// The series for a piece of tau; kept while it is the same.
  void expand(double tau);
  /// The motion over tau, into piece_q_ and piece_v_, with an error of at most `error` in the norm of the polynomials.
  /// False where the series was too short.
  bool follow(const FrozenMotion& motion, double tau, double error, double speed, KrylovOutcome& outcome);

  KrylovLimits limits_;
  double decay_ = 0;  ///< bound of M^-1 D [1/s]
  double swing_ = 0;  ///< of the fastest vibration [1/s]
  double expanded_decay_ = -1, expanded_swing_ = -1;
  SpectrumSearch search_;
  EllipseSeries series_;
  DampedPolynomials polynomials_;
  VectorXd acceleration_, image_, piece_q_, piece_v_;
};

}  // namespace brio
