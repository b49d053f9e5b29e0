#pragma once
// The frozen motion where D = alpha M + beta K, by Chebyshev polynomials of M^-1 K over its spectrum (Tal-Ezer and
// Kosloff, J. Chem. Phys. 81, 1984, for the exponential of a quantum mechanical operator): displacement and velocity
// are sums of four scalar functions of lambda, whose series are known before the first product. So a polynomial costs
// one pass over K with both vectors, and nothing else. The spectrum's ends are estimated, and growth of the
// polynomials, which are at most 1 on it, tells where the estimate was wrong.

#include "brio/integrate/parts/frozen_motion.hpp"
#include "brio/integrate/parts/spectrum_ends.hpp"
#include "brio/linalg/chebyshev_pair.hpp"
#include "brio/linalg/chebyshev_series.hpp"

namespace brio {

class ChebyshevExponential {
 public:
  explicit ChebyshevExponential(KrylovLimits limits) : limits_(limits) {}
  /// Displacement and change of velocity after h; K is the matrix of the motion's linearization. `motion` is left at
  /// the last piece's start.
  KrylovOutcome advance(FrozenMotion& motion, const BlockMatrix& K, ProportionalDamping damping, double h,
                        VectorXd& dq, VectorXd& dv);

 private:
  /// The step is cut into pieces of equal time, most often one.
  struct Pieces {
    int left = 1;
    double tau = 0;                  ///< time of one [s]
    double error = 0;                ///< that one may make, in the energy norm [m sqrt(kg)/s]
    ChebyshevSeries::Values weight;  ///< what a unit of each series is worth in that norm at most
  };
  /// Series of displacement and change of velocity, from velocity and from acceleration.
  void expand(ProportionalDamping damping, const Pieces& piece);
  /// Cuts the remaining pieces further where they are too long, and expands the series for one; false where all of them
  /// need more passes over K than allowed.
  bool plan(const FrozenMotion& motion, ProportionalDamping damping, double h, double speed, Pieces& pieces);
  /// The motion over one piece, into piece_q_ and piece_v_. False where the interval has turned out too small; it is
  /// wider then.
  bool follow(const FrozenMotion& motion, ProportionalDamping damping, const Pieces& piece, double speed,
              KrylovOutcome& outcome);
  void widen(const FrozenMotion& motion, int column, KrylovOutcome& outcome);
  std::string too_many_products(double h) const;

  KrylovLimits limits_;
  SpectrumEnds interval_{0, 1};  ///< that the series are for
  double expanded_ = 0;  ///< the time that the series are for; 0 where the interval has changed since [s]
  ChebyshevSeries series_;
  ChebyshevPair pair_;
  SpectrumSearch search_;
  VectorXd acceleration_, start_, image_, piece_q_, piece_v_;
};

}  // namespace brio
