#pragma once
// KSIERE: linearly implicit Euler that carries the slow part of the motion exactly. The slow part is found in a space
// that the step's own factor opens: the slow motions that the step before has found, smoothed by A^-1 M where they have
// become inaccurate, velocity and force where they bring something new, and corrections where the residual asks for
// them. No eigenvalue problem of the body's size is solved. Derivation and study: docs/ksiere.md.

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
  /// Whether kept motions are smoothed (renew()) where they have become inaccurate, and not corrected by the residual.
  bool renews() const { return depth_ == 0 && cut_ <= 1; }
  /// A basis with room for `columns`: the slow motions of the step before.
  void start(const State& state, int columns);
  /// Makes x part of the basis. Returns the norm of what the basis did not hold of it.
  double append(const Eigen::Ref<const VectorXd>& x);
  /// Solutions for the first columns of forces_ where `block` says about where they are; those from `exact` on are
  /// directions that open the space, which does not ask where exactly they point.
  void solve(Eigen::Ref<MatrixXd> block, Index exact, StepReport& report, Stopwatch& watch);
  /// K, D, velocity and force in the columns that have come to the basis since the last call.
  void project();
  /// Frequencies within the space, and what each of them does in the step.
  void step_in_space(double h);
  /// What the slow part leaves undone because the space is not invariant, put into pair_ as forces: for the
  /// displacement and for the velocity. Returns the first as a velocity after h, against that of the motion.
  double residual(const State& state, double h);
  double impulse(int i, double h) const;  ///< force b of frequency i, as the squared velocity that it makes in the step
  double share(int i, double h) const;    ///< of frequency i in the motion, as velocity squared in the norm of M
  double motion(double h) const;          ///< velocity, and the impulses of all forces in the space
  /// Of a basis that holds kept motions alone: those that still move, one column for each frequency.
  void turn_to_frequencies(double h);
  /// The motions whose own residual is too large: M times them into ahead_.
  void choose_renewed(double h);
  /// A second A^-1 M for these motions.
  void smooth_again(StepReport& report, Stopwatch& watch);
  void renew();
  /// What the slow frequencies do beyond linearly implicit Euler.
  void add_slow_part();
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
  int frequencies_ = 0;                ///< of the last step in the space: those that lambda_ and modal_ know
  int kept_ = 0, renewed_ = 0;         ///< motions of the step before, the first columns; how many are made anew
  int which_[kKept];                   ///< those
  bool fresh_ = false;                 ///< whether directions have come into the space that were not kept
  int slow_begin_ = 0, slow_end_ = 0;  ///< the frequencies that are carried exactly
  double speed_ = 0;                   ///< norm of the velocity
  MatrixXd basis_, stiff_, damped_;    ///< Q, M-orthonormal; K Q; D Q
  VectorXd middle_force_;              ///< what the slow motion feels [N]
  MatrixXd start_;                     ///< M v, f and the middle force: what the basis is measured against
  MatrixXd ahead_;                     ///< velocity and force of linearly implicit Euler; what else is solved for
  MatrixXd once_, twice_;              ///< A^-1 M, once and twice, times the motions that are made anew
  MatrixXd forces_;                    ///< what is solved for
  MatrixXd pair_, image_;
  std::vector<double> work_;
  // In the space; as large as it may become, of which the first size_ rows and columns are in use.
  MatrixXd K_, D_, motion_;              ///< stiffness, damping; velocity, force and middle force
  MatrixXd Y_, modal_, modal_D_, step_;  ///< one column or row per frequency: shape; motion_, D_ and the step in it
  MatrixXd carried_;                     ///< the step beyond linearly implicit Euler's, of slow frequencies
  VectorXd lambda_;                      ///< omega^2 [1/s^2]
  MatrixXd small_, narrow_, other_;
  VectorXd line_;
};

}  // namespace brio
