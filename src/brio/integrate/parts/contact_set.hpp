#pragma once
// What touches obstacles at the end of a step, and how it is held there.
//
// An obstacle pushes with the force that belongs to the END of the step: with a convex penalty E_c the work of that
// force, f(q1).(q1 - q0) <= E_c(q0) - E_c(q1), can take energy from the motion and never give any, whichever way the
// method finds the end (Kane, Repetto, Ortiz and Marsden 1999). So a method leaves the obstacles out of its forces
// (System::contacts()), adds the touches that this set names, and looks at the end whether they were the right ones.
//
// Friction holds by a spring along the surface, as stiff as the obstacle is across it, that slides when it pulls with
// more than mu times the normal force. A spring that slides keeps the stretch that Coulomb's law lets it have. So a
// body at rest stays where it is: the stretches are part of the state (State::memory), in the obstacle's own axes.
// Derivation and limits: docs/contact.md.

#include "brio/system/contact_system.hpp"

namespace brio {

class ContactSet {
 public:
  /// Of a system with obstacles, or null.
  static std::unique_ptr<ContactSet> of(const System& system);
  explicit ContactSet(const ContactSystem& system);

  const System& without_obstacles() const { return system_.without_obstacles(); }
  bool has_friction() const { return system_.has_friction(); }

  /// A step of length h [s] begins: the touches are those of a motion with the velocity that is there.
  void begin(const State& state, double h);

  // For methods that are linear in a step: they take the touches as planes, all of them, whether they push or pull.
  const std::vector<Touch>& touches() const { return touches_; }
  /// Whether a vertex that was outside before the step is among them.
  bool meets() const;
  /// Adds their forces at the beginning of the step to the gradient.
  void add_gradient(VectorXd& gradient) const;
  /// Looks at an end of the step. True where other touches, or other springs, have to be taken: those of touches() now.
  bool revise(const VectorXd& q1);

  // For methods that iterate: they ask for each end that they try, and touches only push.
  /// What pushes there; touches() are these then. Returns the energy of obstacles and springs [J]; adds the gradient.
  double evaluate(const VectorXd& q1, VectorXd* gradient, double weight);
  /// Looks at the end that was found. True where friction needs other springs, and the end is to be found again.
  bool revise_friction(const VectorXd& q1);

  /// The step has ended in `next`, whose memory gets an entry with the springs' stretches, where there is friction.
  /// A vertex that touched before and after and turned round in between gets the mean velocity of the step along the
  /// normal: without it a midpoint rule would turn it round in every step for ever. Returns the energy that friction
  /// took, with what the springs hold [J].
  double end(const State& before, double h, State& next);
  /// Takes the stretches out of a state, as `begin` has read them, for methods that know no memory but their own; and
  /// puts them back.
  void take_memory(State& state) const;
  void keep_memory(State& state) const;

 private:
  void read_memory(const State& state);
  void grip(Touch& touch);
  double wanted_grip(const Touch& touch, const VectorXd& q1, double* pull = nullptr) const;
  Vec3 moved(const Touch& touch, const VectorXd& q1) const;
  double end_gap(const Touch& touch, const VectorXd& q1) const;

  const ContactSystem& system_;
  double t0_ = 0, t1_ = 0;
  VectorXd q0_, predicted_;
  std::vector<Touch> touches_, found_, next_;
  std::vector<int> index_;  ///< of each place among touches_, or -1
  std::vector<double> grip_;  ///< of each place's spring in this step [N/m]; negative where nothing is known
  VectorXd stretch_;        ///< of each place's spring, in the obstacle's axes [m]
  int rounds_ = 0;
};

}  // namespace brio
