#pragma once
// The linear motion that a step of ERE follows exactly: stiffness and damping are frozen at the beginning of the step,
// M x'' = f - D (x' - v) - K x with x = 0 and x' = v at the start, so that f is the whole force there, damping
// included. Its solution after h is h phi_1(hJ) b of [ERE] eq. 10, and starting anew from any later moment is the same
// problem with that moment's v and f: sub-steps need nothing else.

#include "brio/system/system.hpp"

#include <string>

namespace brio {

struct FrozenMotion {
  const Linearization& linearization;
  const VectorXd& mass;  ///< [kg]
  VectorXd v;            ///< [m/s]
  VectorXd f;            ///< [N]
};

/// How far an approximation of the motion may go.
struct KrylovLimits {
  double tolerance;  ///< error of a whole step in the energy norm, as a share of motion_speed(), or of the speed it
                     ///< grows to
  int space;         ///< vectors of one Krylov space
  int substeps;      ///< pieces that a step may be cut into
};

/// What an approximation did.
struct KrylovOutcome {
  bool ok = true;
  std::string reason;  ///< when not ok
  int substeps = 0;
  int matvecs = 0;   ///< products with K (and D)
  double error = 0;  ///< estimated, in the measure of KrylovLimits::tolerance

  KrylovOutcome failed(std::string why) const {
    KrylovOutcome outcome = *this;
    outcome.ok = false;
    outcome.reason = std::move(why);
    return outcome;
  }
};

/// sqrt(x . M x)
double motion_norm(const VectorXd& mass, const VectorXd& x);

/// The speed that velocity and force amount to within h, what errors are measured against: |v| + |a| min(h, 1/omega)
/// with omega the Rayleigh frequency of a = f/M, in the norm of M [m sqrt(kg)/s]. Costs one product with K.
double motion_speed(const FrozenMotion& motion, double h);
/// The same, booked, where an exponential begins: with displacements that are zero.
double start_motion(const FrozenMotion& motion, double h, VectorXd& dq, VectorXd& dv, KrylovOutcome& outcome);

/// About the highest frequency of the motion, a few products with K [1/s].
double highest_frequency(const FrozenMotion& motion, int products);

/// The sentence for a step of h that would need too many pieces of the given length [s].
std::string too_many_substeps(const KrylovLimits& limits, double h, double piece);

}  // namespace brio
