#pragma once
// KSIERE: linearly implicit Euler that carries the slow part of the motion exactly. The slow part is found in a space
// that the step's own factor opens: the velocity v, the acceleration w = M^-1 f, A^-1 M v and A^-1 M w, the slow
// motions that the step before has found, and corrections where their residual asks for them. v and w lie in it, so
// nothing is left over, and no eigenvalue problem of the body's size is solved. Derivation and study: docs/ksiere.md.

#include "brio/integrate/parts/linearly_implicit.hpp"

namespace brio {

class Ksiere : public LinearlyImplicit {
 public:
  static constexpr int kKept = 12;  ///< slow motions carried over to the next step, at most

  /// Motions with h omega <= cut are carried exactly, the others by backward Euler. `depth` - 1 pairs of solves open
  /// the space; 0: as many as the residual asks for.
  Ksiere(double cut, int depth, PsdPolicy policy, FramePolicy frame = FramePolicy::automatic,
         LinearizedAt where = LinearizedAt::start)
      : LinearlyImplicit(where, {}, policy, frame, 2), cut_(cut), depth_(depth) {}
  static IntegratorEntry entry();

 private:
  void update(const State& state, double h, StepReport& report, Stopwatch& watch) override;
  bool is_plain() const override { return cut_ == 0; }
  /// An empty basis with room for `columns`, then the slow motions of the step before.
  void start(const State& state, int columns);
  /// Makes the first columns of ahead_ part of the basis.
  void append(int columns);
  /// A^-1 times them first.
  void solve_and_append(int columns, StepReport& report, Stopwatch& watch);
  /// K, D, velocity and force in the columns that have come to the basis since the last call.
  void project();
  /// Frequencies within the space, and what each of them does in the step.
  void step_in_space(double h);
  /// What the slow part leaves undone because the space is not invariant, put into two columns of ahead_ as forces:
  /// for the displacement and for the velocity. Returns the first as a velocity after h, against that of the motion.
  double residual(const State& state, double h, int column);
  double share(int i, double h) const;  ///< of frequency i in the motion, as velocity squared in the norm of M
  double motion(double h) const;        ///< all shares
  void keep_slow_motions(double h);
  void split_translations(double h);
  void add_translations();

  struct Drift {
    bool free;  ///< nothing touches it
    Vec3 dq, dv;
  };

  double cut_;
  int depth_;
  std::vector<Drift> drifts_;          ///< of each free piece
  int size_ = 0, projected_ = 0;       ///< columns of the basis, and how many project() has seen
  int slow_begin_ = 0, slow_end_ = 0;  ///< the frequencies that are carried exactly
  MatrixXd basis_, stiff_, damped_;    ///< Q, M-orthonormal; K Q; D Q
  VectorXd middle_force_;              ///< what the slow motion feels [N]
  MatrixXd start_;                     ///< M v, f and the middle force: what the basis is measured against
  MatrixXd ahead_;                     ///< what may come into the basis
  MatrixXd image_;
  std::vector<double> work_;
  // In the space; as large as it may become, of which the first size_ rows and columns are in use.
  MatrixXd K_, D_, motion_;              ///< stiffness, damping; velocity, force and middle force
  MatrixXd Y_, modal_, modal_D_, step_;  ///< one column or row per frequency: shape; motion_, D_ and the step in it
  VectorXd lambda_;                      ///< omega^2 [1/s^2]
  MatrixXd small_, narrow_, other_;
  VectorXd line_;
};

}  // namespace brio
