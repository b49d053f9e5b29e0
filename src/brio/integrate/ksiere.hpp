#pragma once
// KSIERE: linearly implicit Euler that carries the slow part of the motion exactly. The slow part is found in the
// rational Krylov space that the step's own factor opens, span{v, M^-1 f, Bv, B M^-1 f, ...} with B = A^-1 M: the force
// and the velocity lie in it, so nothing is left over, and no eigenvalue problem of the body's size is solved. See
// docs/ksiere.md.

#include "brio/integrate/linearly_implicit.hpp"

namespace brio {

class Ksiere : public LinearlyImplicit {
 public:
  /// Modes with h omega <= cut are carried exactly, the others by backward Euler; `depth` powers of B.
  Ksiere(double cut, int depth, PsdPolicy policy, FramePolicy frame = FramePolicy::automatic)
      : LinearlyImplicit(1, policy, frame), cut_(cut), depth_(depth) {}
  static IntegratorEntry entry();

 private:
  void update(const State& state, double h, StepReport& report, Stopwatch& watch) override;
  /// Fills basis_ with an M-orthonormal basis of the Krylov space; returns its dimension.
  int build_basis(StepReport& report, Stopwatch& watch);

  double cut_;
  int depth_;
  MatrixXd basis_, pair_, product_, ritz_;
  VectorXd column_, image_;
};

}  // namespace brio
