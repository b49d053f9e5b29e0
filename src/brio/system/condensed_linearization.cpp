#include "brio/system/condensed_linearization.hpp"

namespace brio {

void CondensedLinearization::assemble(double t, const VectorXd& xi, Psd psd, VectorXd& gradient) {
  system_.derivatives(t, xi, psd, gradient, K_, D_);
}

std::optional<ProportionalDamping> CondensedLinearization::proportional_damping() const {
  return system_.full_linearization().proportional_damping();
}

FactorStatus CondensedLinearization::factor(double m, double d, double k, double shift) {
  A_ = k * K_ + d * D_;
  A_.diagonal().array() += m + shift;
  if (!A_.allFinite()) return FactorStatus::not_positive_definite;
  factor_.compute(A_);
  return factor_.ok() ? FactorStatus::ok : FactorStatus::not_positive_definite;
}

}  // namespace brio
