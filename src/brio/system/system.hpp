#pragma once
// The mechanical system that an integrator drives: M q'' = -grad E(t, q) - D v + load(t, q, v). A System is constant
// while a run goes on; what a step needs besides it is in State (what changes results) and in a Linearization (what
// only saves time).

#include "brio/core/types.hpp"
#include "brio/linalg/cholesky.hpp"

#include <memory>
#include <vector>

namespace brio {

/// All that the next step depends on.
struct State {
  double t = 0;                  ///< [s]
  VectorXd q;                    ///< positions of the degrees of freedom [m]
  VectorXd v;                    ///< their velocities [m/s]
  std::vector<VectorXd> memory;  ///< whatever else an integrator carries from step to step
};

/// Potential energy, by kind [J].
struct Potentials {
  double elastic = 0, gravity = 0, contact = 0;
  double total() const { return elastic + gravity + contact; }
};

/// Stiffness K, mass M and damping D at one configuration, and solves with a combination of them.
class Linearization {
 public:
  virtual ~Linearization() = default;
  /// K at (t, q), and the gradient of the potential energy there.
  virtual void assemble(double t, const VectorXd& q, Psd psd, VectorXd& gradient) = 0;
  virtual void multiply_stiffness(const VectorXd& x, VectorXd& y) const = 0;  ///< y = K x
  virtual void multiply_damping(const VectorXd& x, VectorXd& y) const = 0;    ///< y = D x
  /// Y = K X and Y = D X for several columns at once, far quicker than one by one; Y has X's size. Not for two threads
  /// at a time.
  virtual void multiply_stiffness_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const = 0;
  virtual void multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const = 0;
  /// Factors A = m M + d D + k K + shift * M.
  virtual FactorStatus factor(double m, double d, double k, double shift = 0) = 0;
  /// Overwrites each column of B with A^-1 times it.
  virtual void solve(Eigen::Ref<MatrixXd> B) = 0;
};

class System {
 public:
  virtual ~System() = default;

  virtual Index dofs() const = 0;
  virtual const VectorXd& mass() const = 0;  ///< lumped, one entry per degree of freedom [kg]
  virtual bool has_damping() const = 0;
  virtual bool time_dependent() const = 0;  ///< whether E at fixed q changes with time (moving supports, obstacles)

  virtual Potentials potentials(double t, const VectorXd& q) const = 0;
  virtual void gradient(double t, const VectorXd& q, VectorXd& g) const = 0;                 ///< overwrites g
  virtual void load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const = 0;  ///< overwrites f
  virtual std::unique_ptr<Linearization> linearization() const = 0;

  virtual void positions(double t, const VectorXd& q, MatrixX3d& x) const = 0;   ///< of all vertices
  virtual void velocities(double t, const VectorXd& v, MatrixX3d& u) const = 0;  ///< of all vertices
};

}  // namespace brio
