#include "brio/integrate/parts/coupled_modes.hpp"

#include "brio/integrate/parts/modal_step.hpp"

#include <cmath>

namespace brio {

void CoupledModes::step(const Eigen::Ref<const VectorXd>& lambda, const MatrixXd& C, const VectorXd& a,
                        const VectorXd& b, double h) {
  constexpr double kNegligible = 1e-13;  // coupling h C_ij that is lost in rounding
  const Index s = lambda.size();
  double coupling = 0;
  for (Index j = 0; j < C.cols(); ++j)
    for (Index i = 0; i < C.rows(); ++i)
      if (i != j) coupling = std::max(coupling, h * std::fabs(C(i, j)));
  if (coupling > kNegligible) return exponential(lambda, C, a, b, h);
  dq_.resize(s);
  dv_.resize(s);
  for (Index i = 0; i < s; ++i) {
    const ModeStep step = exponential_step({lambda[i], C.size() > 0 ? C(i, i) : 0, a[i], b[i]}, h);
    dq_[i] = step.dq;
    dv_[i] = step.dv;
  }
}

/// With y = (x, h (x' - a), 1) the equation is y' = G y / h; the last column of exp(G) is the step. Scaling, a Taylor
/// polynomial and squaring: with the norm below 1/2 the first term left out is below 1e-18.
void CoupledModes::exponential(const Eigen::Ref<const VectorXd>& lambda, const MatrixXd& C, const VectorXd& a,
                               const VectorXd& b, double h) {
  constexpr int kDegree = 14;
  const Index s = lambda.size(), n = 2 * s + 1;
  generator_.setZero(n, n);
  generator_.block(0, s, s, s).setIdentity();
  generator_.block(s, 0, s, s).diagonal() = -h * h * lambda;
  generator_.block(s, s, s, s) = -h * C;
  // The inhomogeneous part is scaled to unit size, so that it has no say in how often to halve.
  const double size = std::max(h * a.lpNorm<Eigen::Infinity>(), h * h * b.lpNorm<Eigen::Infinity>());
  dq_.setZero(s);
  dv_.setZero(s);
  if (!(size > 0)) return;
  generator_.col(2 * s).head(s) = h / size * a;
  generator_.col(2 * s).segment(s, s) = h * h / size * b;
  const double norm = generator_.cwiseAbs().colwise().sum().maxCoeff();
  const int halvings = norm > 0.5 ? std::min(60, static_cast<int>(std::ceil(std::log2(norm / 0.5)))) : 0;
  generator_ *= std::ldexp(1.0, -halvings);
  result_.setIdentity(n, n);
  for (int k = kDegree; k > 0; --k) {  // Horner: I + G (I + G/2 (I + G/3 ...))
    power_.noalias() = generator_ * result_;
    result_ = power_ / k;
    result_.diagonal().array() += 1;
  }
  for (int i = 0; i < halvings; ++i) {
    power_.noalias() = result_ * result_;
    result_.swap(power_);
  }
  dq_ = size * result_.col(2 * s).head(s);
  dv_ = size / h * result_.col(2 * s).segment(s, s);
}

}  // namespace brio
