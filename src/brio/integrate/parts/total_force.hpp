#pragma once
// The whole right-hand side f = -grad E - D v + load, for methods that only evaluate it.

#include "brio/system/system.hpp"

#include <memory>

namespace brio {

class TotalForce {
 public:
  explicit TotalForce(const System& system) : system_(system) {
    if (system.has_damping()) lin_ = system.linearization();
  }

  /// Overwrites f [N].
  void evaluate(double t, const VectorXd& q, const VectorXd& v, VectorXd& f);
  /// Power that the damping matrix of the last evaluate() takes out at velocity v [W].
  double dissipation(const VectorXd& v);

  const System& system() const { return system_; }

 private:
  const System& system_;
  std::unique_ptr<Linearization> lin_;  ///< for the damping matrix; null without damping
  VectorXd gradient_, product_;
};

}  // namespace brio
