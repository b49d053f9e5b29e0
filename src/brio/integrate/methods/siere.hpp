#pragma once
// SIERE ([SIERE] eq. 5): the slowest modes of the current stiffness are carried exactly, the rest by linearly implicit
// Euler. The modes are followed from step to step with the step's own factor. They need not be exact: any space U may
// be carried exactly, and what it feels of the rest, R = K U - M U Lambda and S = D U - M U C (C = U^T D U), goes into
// the implicit solve. With a and b the modal velocity and force, (x, u) the modes' exact update and
// v' = v - U a, f' = f - M U b what is left, eq. 10 becomes, after its first block row is eliminated,
//
//   (A - Y (M U)^T) z = h (f' - h K v' - R x - S u),   Y = h^2 K U + h M U C,
//   dv = U u + z,   dq = U x + h (v' + z - U U^T M z).
//
// So one update of rank s, with s + 1 solves, does what the paper does with two and 2 s + 4. For modes that are
// eigenvectors A^-1 Y is known, and no solve but the first is left ("deflation"); what that neglects is of second order
// in R and S, and known exactly: h^2 R p - h S G p with p = U^T M A^-1 (right-hand side), G = h^2 Lambda + h C.

#include "brio/integrate/parts/coupled_modes.hpp"
#include "brio/integrate/parts/linearly_implicit.hpp"
#include "brio/system/rayleigh_ritz.hpp"

#include <Eigen/LU>

#include <optional>

namespace brio {

/// How the modes' share is taken out of the implicit solve: by deflation, by Woodbury's formula, or by the latter where
/// the former would neglect too much.
enum class ModalUpdate { automatic, deflated, woodbury };

class Siere : public LinearlyImplicit {
 public:
  Siere(int modes, PsdPolicy policy, ModalUpdate update = ModalUpdate::automatic,
        FramePolicy frame = FramePolicy::automatic, LinearizedAt where = LinearizedAt::start)
      : LinearlyImplicit(where, {}, policy, frame, modes > 0 ? 2 : 0), count_(modes), update_(update) {}
  static IntegratorEntry entry();

 private:
  void update(const State& state, double h, StepReport& report, Stopwatch& watch) override;
  bool is_plain() const override { return count_ == 0; }

  /// The modes of this step's stiffness into next_.memory, from those of the step before or cold, and their exact
  /// update. False, with the report saying so, where there are none to be had.
  bool carry_modes(const State& state, double h, StepReport& report, Stopwatch& watch);
  bool start_in_space(const State& state, const Remembered& space, StepReport& report, Stopwatch& watch);
  int rigid_in_space();
  bool start_modes(double h, StepReport& report, Stopwatch& watch);
  bool refine_modes(Eigen::Ref<const MatrixXd> from, StepReport& report, Stopwatch& watch);
  bool take_modes();
  void step_modes(double h);
  void add_woodbury(double h, StepReport& report, Stopwatch& watch);

  Index followed() const { return next_.memory[0].columns; }  ///< modes that are kept, guards included
  Eigen::Map<const MatrixXd> modes(Index columns) const {
    return {next_.memory[0].values.data(), system().dofs(), columns};
  }
  /// R y = K U y - M U Lambda y
  void multiply_residual(const VectorXd& y, VectorXd& result);
  /// result += factor S y, S y = D U y - M U C y
  void add_damping_residual(const VectorXd& y, double factor, VectorXd& result);
  double mass_norm(const VectorXd& force) const;  ///< sqrt(f . M^-1 f)

  int count_;
  ModalUpdate update_;
  std::optional<int> rigid_;  ///< how many of the modes are rigid motions; nothing before they are counted
  Index used_ = 0;            ///< modes that are carried; the others are guards
  bool mixed_ = false;        ///< whether the modes stayed worse than one would like
  RayleighRitz ritz_;
  CoupledModes coupled_;
  MatrixXd block_, forces_, pair_, shares_, column_;
  std::vector<double> scratch_;
  MatrixXd DU_, C_;                                  ///< empty without damping
  MatrixXd update_columns_, product_block_, small_;  ///< of Woodbury's formula
  Eigen::PartialPivLU<MatrixXd> small_lu_;
  VectorXd a_, b_, p_, Gp_, coefficients_, in_block_, corrected_;
  VectorXd v_rest_, f_rest_, residual_, work_;
};

}  // namespace brio
