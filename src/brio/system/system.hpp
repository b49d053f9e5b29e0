#pragma once
// The mechanical system that an integrator drives: M q'' = -grad E(t, q) - D v + load(t, q, v). A System is constant
// while a run goes on, and any number of threads may read it at a time; what a step needs besides it is in State (what
// changes results) and in a Linearization (what only saves time, for one thread at a time).

#include "brio/core/projective_fit.hpp"
#include "brio/core/types.hpp"
#include "brio/linalg/block_solver.hpp"
#include "brio/system/state.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace brio {

/// Potential energy, by kind [J].
struct Potentials {
  double elastic = 0, gravity = 0, contact = 0;
  double total() const { return elastic + gravity + contact; }
};

/// Energy and gradient at (t, q), kept for those who would evaluate them there again.
struct Evaluation {
  double t = 0;  ///< [s]
  VectorXd q;    ///< [m]
  Potentials potentials;
  VectorXd gradient;  ///< [N]
};

/// What acts on free pieces from outside them (weight, contact, mass-proportional damping), linearized: a force
/// -gradient - K_out x and a damping D_out = mass_damping M + stiffness_damping K_out.
struct OutsideForces {
  VectorXd gradient;             ///< of the potential energies that act from outside [N]
  std::vector<Mat3> stiffness;   ///< K_out is block diagonal: a block per point [N/m]
  double mass_damping = 0;       ///< [1/s]
  double stiffness_damping = 0;  ///< [s]
};

/// D = alpha M + beta K with the K of the same linearization.
struct ProportionalDamping {
  double alpha = 0;  ///< [1/s]
  double beta = 0;   ///< [s]
};

class BlockMatrix;  // linalg/block_matrix.hpp
/// K, and D = alpha M + beta K_D, where K_D is K or the stiffness at rest.
struct BlockMatrices {
  const BlockMatrix& K;
  const BlockMatrix& K_damping;
  double alpha, beta;
};

class ContactSystem;       // system/contact_system.hpp
class TouchLinearization;  // the same

/// Stiffness K, mass M and damping D at one configuration, and solves with a combination of them.
class Linearization {
 public:
  virtual ~Linearization() = default;
  /// K at (t, q), and the gradient of the potential energy there.
  virtual void assemble(double t, const VectorXd& q, Psd psd, VectorXd& gradient) = 0;
  /// The part of what was assembled last that comes from outside the free pieces; empty where the system has none.
  virtual const OutsideForces& outside() const = 0;
  virtual void multiply_stiffness(const VectorXd& x, VectorXd& y) const = 0;  ///< y = K x
  virtual void multiply_damping(const VectorXd& x, VectorXd& y) const = 0;    ///< y = D x
  /// Y = K X and Y = D X for several columns at once, far quicker than one by one; Y has X's size. Not for two threads
  /// at a time.
  virtual void multiply_stiffness_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const = 0;
  virtual void multiply_damping_block(const Eigen::Ref<const MatrixXd>& X, Eigen::Ref<MatrixXd> Y) const = 0;
  /// Where D is a combination of M and this K (zero included): which. Nothing otherwise, as with the stiffness at rest.
  virtual std::optional<ProportionalDamping> proportional_damping() const = 0;
  /// Factors A = m M + d D + k K + shift * M.
  virtual FactorStatus factor(double m, double d, double k, double shift = 0) = 0;
  /// Overwrites each column of B with A^-1 times it.
  virtual void solve(Eigen::Ref<MatrixXd> B) = 0;
  /// The same for X, which is near the solutions or zero, and exactly for the first columns only; see
  /// BlockSolver::improve().
  virtual void improve(const Eigen::Ref<const MatrixXd>& B, Eigen::Ref<MatrixXd> X, Index /*exact*/) {
    X = B;
    solve(X);
  }
  /// The same with fewer digits where that is quicker; see BlockSolver::solve_single_precision().
  virtual void solve_single_precision(Eigen::Ref<MatrixXd> B) { solve(B); }
  /// Modes of the stiffness that was assembled, where the engine finds them by itself; see BlockSolver::modes().
  virtual std::optional<FoundModes> engine_modes(int /*count*/, double /*shift*/) { return std::nullopt; }
  /// What the solves since factor() have found out about A; see BlockSolver::status().
  virtual FactorStatus status() const { return FactorStatus::ok; }
  /// Whether D is there without assemble(), and the same after each.
  virtual bool damping_is_constant() const { return false; }
  /// K and D themselves where they are matrices of blocks.
  virtual std::optional<BlockMatrices> blocks() const { return std::nullopt; }
  /// Itself where touches can be added to it, or null.
  virtual TouchLinearization* touched() { return nullptr; }
};

/// A constant matrix in place of the changing one of an implicit step: the coordinates do not mix, so that it has one
/// row per vertex and three right-hand sides ([QN] section 4.1). It is factored once for a step length.
class ProjectiveMatrix {
 public:
  virtual ~ProjectiveMatrix() = default;
  /// Factors m M + d D + L with the damping's stiffness replaced by L as well.
  virtual FactorStatus factor(double m, double d) = 0;
  /// Overwrites x with the inverse times x.
  virtual void solve(VectorXd& x) = 0;
  /// The same in single precision; see Cholesky::solve_single_precision().
  virtual void solve_single_precision(VectorXd& x) = 0;
};

/// What a system is called when quasi-Newton methods can drive it with one constant matrix; see System::projective().
class ProjectiveSystem {
 public:
  virtual ~ProjectiveSystem() = default;
  /// Throws Error where a material gives no positive weight.
  virtual std::unique_ptr<ProjectiveMatrix> projective_matrix() const = 0;
  /// How that matrix compares with the true one at rest, where it does so worst.
  virtual ProjectiveFit projective_fit() const = 0;
};

/// A system whose linearization can solve by iterations; see System::iterative().
class IterativeSystem {
 public:
  virtual ~IterativeSystem() = default;
  /// Its solve() is by conjugate gradients until the residual is `tolerance` of the right-hand side, or after
  /// `iterations`; its factor() is incomplete.
  virtual std::unique_ptr<Linearization> iterative_linearization(double tolerance, int iterations) const = 0;
};

class System {
 public:
  virtual ~System() = default;

  virtual Index dofs() const = 0;
  virtual const VectorXd& mass() const = 0;  ///< lumped, one entry per degree of freedom [kg]
  virtual bool has_damping() const = 0;
  /// Connected pieces that nothing holds, as lists of points; point i has the degrees of freedom 3i, 3i + 1, 3i + 2.
  virtual const std::vector<std::vector<int>>& free_pieces() const = 0;
  /// The other connected pieces, without the points that are held.
  virtual const std::vector<std::vector<int>>& held_pieces() const {
    static const std::vector<std::vector<int>> none;
    return none;
  }
  virtual bool time_dependent() const = 0;  ///< whether E at fixed q changes with time (moving supports, obstacles)

  virtual Potentials potentials(double t, const VectorXd& q) const = 0;
  virtual void gradient(double t, const VectorXd& q, VectorXd& g) const = 0;                 ///< overwrites g
  virtual void load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const = 0;  ///< overwrites f
  virtual bool loaded() const { return true; }  ///< whether load() can be other than zero
  /// The part of load() that does work; the other one is what curved coordinates add.
  virtual void working_load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const { load(t, q, v, f); }
  /// v . M v / 2, with the mass that belongs to q where coordinates are curved [J].
  virtual double kinetic_energy(const VectorXd& /*q*/, const VectorXd& v) const {
    return 0.5 * v.dot(mass().cwiseProduct(v));
  }
  /// Both at once, in one pass over the elements.
  virtual Potentials potentials_and_gradient(double t, const VectorXd& q, VectorXd& g) const = 0;
  virtual std::unique_ptr<Linearization> linearization() const = 0;
  virtual VectorXd rest() const = 0;  ///< positions without strain [m]
  /// Acceleration that gravity alone would give the body: root of the mean square, weighted with mass() [m/s^2]. By
  /// this one knows how large forces are where they cancel.
  virtual double free_fall() const { return 0; }
  /// What rounding makes of the elastic energy of a body that hardly moves [J]: gains and losses below it are none. It
  /// does not become smaller with the motion, since many laws take large numbers from each other at rest.
  virtual double energy_round_off() const { return 0; }

  virtual void positions(double t, const VectorXd& q, MatrixX3d& x) const = 0;   ///< of all vertices
  virtual void velocities(double t, const VectorXd& v, MatrixX3d& u) const = 0;  ///< of all vertices

  /// E(to, q) - E(from, q), where E(from, q) is known [J].
  virtual double potential_change(double /*from*/, double known, double to, const VectorXd& q) const {
    return potentials(to, q).total() - known;
  }

  // What only some systems can do: themselves, seen as what can, or null.
  virtual const ProjectiveSystem* projective() const { return nullptr; }
  virtual const IterativeSystem* iterative() const { return nullptr; }
  virtual const ContactSystem* contacts() const { return nullptr; }
};

}  // namespace brio
