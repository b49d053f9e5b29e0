#pragma once
// The one matrix of a linearly implicit step, A = m M + d D + k K, made positive definite when it is not: first with
// the projected stiffness, then with a shift. What had to be done is counted in the step's report.

#include "brio/core/stopwatch.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/system/contact_system.hpp"

namespace brio {

/// When the stiffness is projected: always, never (until A cannot be factored), or in the steps that need it.
enum class PsdPolicy { clamp, none, automatic };

/// The option "psd" that the linearly implicit methods share, and its value.
Option psd_option();
PsdPolicy psd_policy(const Options& options);

class ImplicitMatrix {
 public:
  ImplicitMatrix(const System& system, PsdPolicy policy)
      : system_(system), policy_(policy), lin_(system.linearization()) {}

  /// What touches obstacles in the steps to come, where the system is one without its obstacles, with the weight of a
  /// touch's stiffness in K; kept by reference.
  void set_touches(const std::vector<Touch>& touches, double weight) {
    touches_ = &touches;
    touch_weight_ = weight;
  }

  /// Assembles K at (t, q) and the gradient there, and factors A. False when A cannot be made positive definite; the
  /// report then says so. `project` asks for the projected stiffness whatever the policy.
  bool prepare(double t, const VectorXd& q, double m, double d, double k, bool project, VectorXd& gradient,
               StepReport& report, Stopwatch& watch);
  /// Factors A again with these touches; what was assembled stays. False when A cannot be factored.
  bool renew_touches(const std::vector<Touch>& touches, VectorXd& gradient, StepReport& report, Stopwatch& watch);

  bool projected() const { return projected_; }
  /// Whether the last factorization was that of m M + d D + k K and nothing else.
  bool is(double m, double d, double k) const {
    return m_ == m && d_ == d && k_ == k && shift_ == 0 && (!touches_ || touches_->empty());
  }
  Linearization& linearization() { return *lin_; }
  const System& system() const { return system_; }

 private:
  const System& system_;
  FactorStatus add_touches_and_factor(VectorXd& gradient, StepReport& report, Stopwatch& watch);

  PsdPolicy policy_;
  double touch_weight_ = 1;
  const std::vector<Touch>* touches_ = nullptr;
  std::unique_ptr<Linearization> lin_;
  bool projected_ = false;
  double m_ = 0, d_ = 0, k_ = 0, shift_ = 0;  ///< of the last factorization
  VectorXd untouched_;                        ///< the gradient without obstacles [N]
};

}  // namespace brio
