#pragma once
// The guarded linearly implicit midpoint rule: lim, with one look at the real energy after each step. What the body has
// gained is taken back by the next steps, which move from the midpoint towards backward Euler by as much as there is to
// take; a step that is far off is taken in pieces. Study: docs/lim.md.

#include "brio/integrate/methods/lim.hpp"
#include "brio/integrate/parts/outside_work.hpp"

namespace brio {

class GuardedMidpoint : public LinearlyImplicitMidpoint {
 public:
  /// A step may be cut into `work` pieces, a power of two.
  /// A piece that is off by more than `tolerance` of its way, because forces are linearized, is cut; 0: nobody asks.
  GuardedMidpoint(int work, FramePolicy frame, double tolerance = 0)
      : LinearlyImplicitMidpoint(PsdPolicy::automatic, frame, 0), work_(work), tolerance_(tolerance) {}
  static IntegratorEntry entry();
  void prepare(const System& system) override;
  StepReport step(State& state, double h) override;

 private:
  /// What is carried from step to step.
  struct Books {
    double excess = 0;  ///< energy that the body has and should not have [J]
    double lowest = 0;  ///< the lowest potential energy seen [J]
    double scale = 0;   ///< energy that could move in the last piece [J]
    double change = 0;  ///< |dv|^2 of the last piece in the norm of M [J]
    int pieces = 1;     ///< that the last step was cut into in the end
    double creep = 0;   ///< see ContactSet::creep(), of the last piece
  };
  enum class Verdict { good, gained, lost, inexact, failed };
  /// Robust: from the beginning of the piece and with the projected stiffness, as si does.
  enum class Robust { no, yes };

  void start(const State& state);
  /// Tries a piece from piece_ and looks at its energy; next_ is where it ends.
  Verdict try_piece(double h, double theta, Robust robust, const Books& books, StepReport& report, Stopwatch& watch);
  /// Looks at the energy of the piece that leads from piece_ to next_.
  Verdict judge(const Books& books);
  /// The step from piece_ by backward Euler, solved to its end.
  Verdict take_last_resort(double h, const Books& books, StepReport& report, Stopwatch& watch);
  void accept(double h, Books& books, StepReport& report);
  Books read(const State& state) const;
  /// Into `state`, which comes after `old`.
  void write(const Books& books, State& old, State& state) const;

  int work_;
  double tolerance_;
  std::unique_ptr<Integrator> last_resort_;  ///< made when it is needed
  State piece_;                              ///< where the next piece begins
  Potentials before_;                        ///< of piece_
  VectorXd potential_at_;                    ///< the positions that they belong to when a step begins, and the time
  double potential_time_ = 0;
  double slow_ = 0;         ///< a slide slower than that is creep [m/s]
  double slow_energy_ = 0;  ///< of a body that moves as slowly [J]
  double creep_ = 0;        ///< of the last piece that was judged
  // Of the piece that was tried last [J]:
  Potentials after_;  ///< at its end
  OutsideWork outside_;
  double error_ = 0;  ///< energy that it made from nothing
  double scale_ = 0;  ///< energy that can move
  double taken_ = 0;  ///< by damping
};

}  // namespace brio
