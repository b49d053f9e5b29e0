#include "brio/integrate/parts/total_force.hpp"

namespace brio {

void TotalForce::evaluate(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) {
  system_.load(t, q, v, f);
  if (!lin_) {
    system_.gradient(t, q, gradient_);
    f -= gradient_;
    return;
  }
  lin_->assemble(t, q, Psd::none, gradient_);
  lin_->multiply_damping(v, product_);
  f -= gradient_ + product_;
}

double TotalForce::dissipation(const VectorXd& v) {
  if (!lin_) return 0;
  lin_->multiply_damping(v, product_);
  return v.dot(product_);
}

}  // namespace brio
