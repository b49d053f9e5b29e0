#pragma once
// What touches obstacles at the end of a step, and how it is held there.
//
// An obstacle pushes with the force that belongs to the END of the step: with a convex penalty E_c the work of that
// force, f(q1).(q1 - q0) <= E_c(q0) - E_c(q1), can take energy from the motion and never give any, whichever way the
// method finds the end (Kane, Repetto, Ortiz and Marsden 1999). So a method leaves the obstacles out of its forces
// (System::contacts()), adds the touches that this set names, and looks at the end whether they were the right ones.
//
// The end's force takes energy from a contact that a step resolves, too: a share of about h omega in each bounce. So
// methods that keep energy take, where they can, the mean force over the way from phi0 to phi1, whose work is the
// change of E_c exactly (a discrete gradient): (E_c(phi1) - E_c(phi0)) / (phi1 - phi0). They can at vertices that swing
// slower on the obstacle than the steps go, h^2 k / m < (2 pi)^2.
//
// Friction holds by a spring along the surface, as stiff as the obstacle is across it, that slides when it pulls with
// more than mu times the normal force. A spring that slides keeps the stretch that Coulomb's law lets it have. So a
// body at rest stays where it is: the stretches are part of the state (State::memory), in the obstacle's own axes. In a
// step a spring either holds, or it slides with a force that is known but for its direction, mu N s / |s|: linearized
// about the stretch s that it comes to, that is the force along the slide and a stiffness mu N / |s| across it.
// Derivation and limits: docs/contact.md.

#include "brio/system/contact_system.hpp"

namespace brio {

/// The force with which an obstacle pushes during a step.
enum class ContactForce { end, mean };

class ContactSet {
 public:
  /// Of a system with obstacles, or null.
  static std::unique_ptr<ContactSet> of(const System& system);
  explicit ContactSet(const ContactSystem& system);

  const System& without_obstacles() const { return system_.without_obstacles(); }
  bool has_friction() const { return system_.has_friction(); }

  /// The springs of a state. For methods that know no memory but their own they are taken out of it, and put into that
  /// after the step.
  void read_memory(const State& state);
  void keep_memory(State& state) const;
  static Remembered take_memory(State& state);
  /// What a state remembers of springs and nothing else.
  static void copy_memory(const State& from, State& to);

  /// A step of length h [s] begins: the touches are those of a motion with the velocity that is there.
  void begin(const State& state, double h);
  /// Adds the forces of obstacles and springs at the beginning of the step.
  void add_first_forces(VectorXd& force);

  // For methods that are linear in a step: they take the touches as planes, all of them, whether they push or pull.
  const std::vector<Touch>& touches() const { return touches_; }
  /// The same for a motion that is carried exactly through the step. It would feel what comes in, and what leaves, on
  /// the whole way: these push with their mean force over the predicted way, and what stays inside is a spring.
  const std::vector<Touch>& carried_touches();
  bool slides() const;  ///< whether a spring of friction slides
  /// The share of the touches with friction that slide, and slower than `speed` [m/s] when they have these velocities.
  double creep(const VectorXd& v, double speed) const;
  /// Whether a vertex that was outside before the step is among them, or one that slides.
  bool meets() const;
  /// Looks at an end of the step. True where other touches, or other springs, have to be taken: those of touches() now.
  bool revise(const VectorXd& q1);

  // For methods that iterate: they ask for each end that they try, and touches only push.
  /// What pushes there; touches() are these then. Returns the potential of obstacles and springs [J]; adds the
  /// gradient.
  double evaluate(const VectorXd& q1, ContactForce force, VectorXd* gradient, double weight);
  /// The touches of the last evaluate() with the stiffness that they have there.
  const std::vector<Touch>& stiffnesses() const { return stiffnesses_; }
  /// Looks at the end that was found. True where friction needs other springs, and the end is to be found again.
  bool revise_friction(const VectorXd& q1);

  /// The step has ended in `next`; it began with velocities v0. A vertex that touched before and after and turned round
  /// in between gets the mean velocity of the step along the normal: without it a midpoint rule would turn it round in
  /// every step for ever. Returns the energy that friction took, with what the springs hold [J]. With the mean force
  /// that is so where a vertex comes in, too.
  double end(const VectorXd& v0, double h, ContactForce force, State& next);
  /// What friction takes on the way to q1 [J].
  double friction_work(const VectorXd& q1) const;
  /// With what forces the springs of a state hold, which is the end of a step.
  static std::vector<ObstacleGrip> obstacle_grips(const ContactSystem& system, const State& state);

 private:
  void attach_spring(Touch& touch);
  /// Lets the spring of a touch hold or slide as Coulomb's law wants it at that end; the force there may be `normal`.
  /// Returns by how much the pull changes [N].
  double renew_spring(Touch& touch, const VectorXd& q1, double normal);
  double normal_force(const Touch& touch, const VectorXd& q1) const;
  double strongest_friction(const VectorXd& q1) const;
  Vec3 moved(const Touch& touch, const VectorXd& q1) const;
  double end_gap(const Touch& touch, const VectorXd& q1) const;

  const ContactSystem& system_;
  const VectorXd& mass_;
  double t0_ = 0, t1_ = 0;
  VectorXd q0_, predicted_;
  std::vector<Touch> touches_, found_, next_, carried_, stiffnesses_;
  std::vector<int> index_;  ///< of each place among touches_, or -1
  struct Spring {
    double grip = -1;  ///< negative: nothing is known yet, and it holds
    Vec3 slide = Vec3::Zero();
    double drag = 0;
  };
  std::vector<Spring> springs_;  ///< of each place in this step, as in Touch
  VectorXd stretch_;             ///< of each place's spring, in the obstacle's axes [m]
  int rounds_ = 0;
};

}  // namespace brio
