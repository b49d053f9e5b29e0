#include "brio/integrate/ksiere.hpp"

#include "brio/integrate/modal_step.hpp"
#include "brio/linalg/mass_orthonormal.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace brio {

int Ksiere::build_basis(StepReport& report, Stopwatch& watch) {
  const VectorXd& mass = system().mass();
  const Index n = mass.size();
  basis_.resize(n, 2 * depth_);
  pair_.resize(n, 2);
  pair_.col(0) = velocity_;
  pair_.col(1) = force_.cwiseQuotient(mass);
  int dimension = 0;
  for (int power = 0; power < depth_; ++power) {
    if (power > 0) {
      for (int j = 0; j < 2; ++j) pair_.col(j) = mass.cwiseProduct(pair_.col(j));
      report.time.other += watch.lap();
      linearization().solve(pair_);
      report.solves += 2;
      report.time.solve += watch.lap();
    }
    for (int j = 0; j < 2; ++j) {
      // The next power is taken of unit vectors, so that neither fades away.
      const double size = std::sqrt(pair_.col(j).dot(mass.cwiseProduct(pair_.col(j))));
      if (!(size > 0)) continue;
      pair_.col(j) /= size;
      column_ = pair_.col(j);
      if (append_orthonormal(mass, basis_, dimension, column_)) ++dimension;
    }
  }
  return dimension;
}

void Ksiere::update(const State&, double h, StepReport& report, Stopwatch& watch) {
  const VectorXd& mass = system().mass();
  const int dimension = build_basis(report, watch);
  dq_.setZero(mass.size());
  dv_.setZero(mass.size());
  if (dimension == 0) return;
  const auto Q = basis_.leftCols(dimension);
  product_.resize(mass.size(), dimension);
  for (int j = 0; j < dimension; ++j) {
    column_ = Q.col(j);
    linearization().multiply_stiffness(column_, image_);
    product_.col(j) = image_;
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(Q.transpose() * product_);
  const MatrixXd& Y = eigen.eigenvectors();
  MatrixXd damping = MatrixXd::Zero(dimension, dimension);
  if (system().has_damping()) {
    for (int j = 0; j < dimension; ++j) {
      column_ = Q.col(j);
      linearization().multiply_damping(column_, image_);
      damping.col(j) = Q.transpose() * image_;
    }
    damping = Y.transpose() * damping * Y;
  }
  const VectorXd a = Y.transpose() * (Q.transpose() * mass.cwiseProduct(velocity_));
  const VectorXd b = Y.transpose() * (Q.transpose() * force_);
  VectorXd x(dimension), u(dimension);
  for (int i = 0; i < dimension; ++i) {
    const double lambda = eigen.eigenvalues()[i];
    const Mode mode{lambda, damping(i, i), a[i], b[i]};
    const bool slow = h * h * std::fabs(lambda) < cut_ * cut_;
    const ModeStep step = slow ? exponential_step(mode, h) : backward_euler_step(mode, h);
    x[i] = step.dq;
    u[i] = step.dv;
  }
  dq_.noalias() = Q * (Y * x);
  dv_.noalias() = Q * (Y * u);
}

IntegratorEntry Ksiere::entry() {
  return {{"ksiere",
           "linearly implicit Euler with the slow motion carried exactly: lively at the price of a few solves",
           {Option::number("cut", "", "modes with h omega up to this are carried exactly, faster ones are damped")
                .with_default(1.0)
                .at_least(0),
            Option::integer("depth", "powers of the step's own inverse that open the space; 2 is the least")
                .with_default(3.0)
                .at_least(2)
                .at_most(20),
            psd_option(), frame_option()}},
          [](const Options& o) {
            return std::make_unique<Ksiere>(o.number("cut"), o.integer("depth"), psd_policy(o), frame_policy(o));
          },
          [](const Options& o, double z) { return z <= o.number("cut") ? 1.0 : 1 / std::sqrt(1 + z * z); }};
}

}  // namespace brio
