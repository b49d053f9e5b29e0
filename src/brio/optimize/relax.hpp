#pragma once
// Brings part of a body to rest while some of its points are held where they are: grad E = load on all the others
// (pieces that nothing holds: in the frame that accelerates with them). Newton with a line search, with the projected
// stiffness where the true one is not positive definite.

#include "brio/system/pinnable_linearization.hpp"

namespace brio {

struct RelaxLimits {
  double tolerance = 1e-8;  ///< length of the last Newton step over the size of the body; what is left is its square
  int iterations = 50;
};

struct RelaxReport {
  bool converged = false;
  int iterations = 0, factorizations = 0, projections = 0, shifts = 0;
  double assembly_s = 0, factor_s = 0, solve_s = 0, other_s = 0;
};

/// Improves q at time t; `lin`, of that system, is used for its pattern and factor. What belongs to no point (joints)
/// is held as well.
RelaxReport relax(const System& system, PinnableLinearization& lin, double t, const std::vector<int>& held,
                  const RelaxLimits& limits, VectorXd& q);

}  // namespace brio
