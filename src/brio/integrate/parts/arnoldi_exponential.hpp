#pragma once
// The frozen motion with any damping, as [ERE] section 4.1 computes it: the exponential of the augmented matrix
// [J c; 0 0] times a vector, in pieces, each in the Krylov space that Arnoldi's process opens, with the error control
// of Sidje's expokit (ACM Trans. Math. Softw. 24, 1998). Two changes, neither of which changes the result. The unknown
// is what the step adds, w = u+ - u, which starts at zero, so that c = b(u) and nothing depends on where the origin
// lies. And vectors are (omega M^1/2 x, M^1/2 x', s) with omega about the highest frequency: in that norm, which bounds
// the energy, a free vibration is a rotation rather than a hump that the process must resolve.

#include "brio/integrate/parts/frozen_motion.hpp"

namespace brio {

class ArnoldiExponential {
 public:
  explicit ArnoldiExponential(KrylovLimits limits) : limits_(limits) {}
  /// Displacement and change of velocity after h.
  KrylovOutcome advance(const FrozenMotion& motion, double h, VectorXd& dq, VectorXd& dv);

 private:
  struct Estimate {
    double error;  ///< in the norm of the scaled vectors
    double order;  ///< it grows with this power of the time
  };
  void apply(const FrozenMotion& motion, const VectorXd& z, VectorXd& y);
  /// A Krylov space from z_ that reaches `time` or is full; its size.
  int grow(const FrozenMotion& motion, double time, double error_rate, KrylovOutcome& outcome);
  /// The small exponential after tau, into small_, and the error it leaves.
  Estimate estimate(int size, double tau);

  KrylovLimits limits_;
  double omega_ = 1, start_length_ = 0, next_image_ = 0;
  bool invariant_ = false;
  MatrixXd V_, H_, small_;
  VectorXd root_mass_, c_, z_, column_, image_, x_, Kx_, Dx_;
};

}  // namespace brio
