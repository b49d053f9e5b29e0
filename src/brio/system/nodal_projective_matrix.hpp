#pragma once
// M / s^2 + L of [QN] for the nodal system: one row per free vertex, factored when the step length changes.

#include "brio/linalg/cholesky.hpp"
#include "brio/system/nodal_system.hpp"

namespace brio {

class NodalProjectiveMatrix : public ProjectiveMatrix {
 public:
  explicit NodalProjectiveMatrix(const NodalSystem& system);
  FactorStatus factor(double m, double d) override;
  void solve(VectorXd& x) override { solve_with(&Cholesky::solve, x); }
  void solve_single_precision(VectorXd& x) override { solve_with(&Cholesky::solve_single_precision, x); }

 private:
  void solve_with(void (Cholesky::*solve)(Eigen::Ref<MatrixXd>), VectorXd& x);

  const NodalSystem& system_;
  VectorXd weights_;      ///< per slot [N/m]
  VectorXd vertex_mass_;  ///< of the free vertices [kg]
  VectorXd diagonal_;
  MatrixXd columns_;  ///< the three coordinates apart
  std::unique_ptr<Cholesky> cholesky_;
};

}  // namespace brio
