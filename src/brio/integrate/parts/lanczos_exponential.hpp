#pragma once
// The frozen motion where D = alpha M + beta K: everything is a function of M^-1 K, so that two Lanczos processes, from
// the velocity and from the acceleration, replace Arnoldi's on twice as many unknowns, and in each Ritz vector the
// motion is that of one damped oscillator, stable or not.

#include "brio/integrate/parts/frozen_motion.hpp"
#include "brio/linalg/lanczos.hpp"

namespace brio {

/// What one process answers to its start over a time: displacement, change of velocity, and the part of the latter that
/// the space just misses.
class RitzMotion {
 public:
  enum class Start { velocity, acceleration };
  RitzMotion(Start start, ProportionalDamping damping) : start_(start), damping_(damping) {}

  /// Takes over T of the process.
  void set(const Lanczos& process);
  /// Bound on the error in the energy norm after tau [m sqrt(kg)/s].
  double error(double tau) const;
  /// Adds displacement and change of velocity after tau.
  void add(double tau, const Lanczos& process, VectorXd& dq, VectorXd& dv) const;

 private:
  /// Of the Lanczos basis' last vector: its share of displacement, change of velocity, and of what K multiplies in the
  /// integral of the force.
  struct Last {
    double dq, dv, sum;
  };
  Last last_coordinate(double tau) const;

  Start start_;
  ProportionalDamping damping_;
  double length_ = 0, residual_ = 0;
  VectorXd theta_;
  MatrixXd Y_;
};

class LanczosExponential {
 public:
  explicit LanczosExponential(KrylovLimits limits) : limits_(limits) {}
  /// Displacement and change of velocity after h. `motion` is left at the last sub-step's start.
  KrylovOutcome advance(FrozenMotion& motion, ProportionalDamping damping, double h, VectorXd& dq, VectorXd& dv);

 private:
  struct Side {
    Lanczos& process;
    RitzMotion ritz;
    int first_look = 4;  ///< the size at which the space is looked at first: near that of the sub-step before
  };
  struct Budget {
    double longest, shortest;  ///< time to cover at best, and below which to give up [s]
    double error_rate;         ///< error allowed per second
  };
  /// Extends both spaces until their motion is good enough for the longest time, or they are full.
  void grow(Side* sides, const FrozenMotion& motion, const Budget& budget, KrylovOutcome& outcome);
  /// How long the motion in the space is good enough; asked of the small matrices alone.
  double reach(const Side& side, const Budget& budget) const;

  KrylovLimits limits_;
  Lanczos process_[2];
  MatrixXd columns_, images_;
  VectorXd start_, piece_q_, piece_v_, image_;
};

}  // namespace brio
