#pragma once
// Where bodies end that touch each other: the minimum of
//   1/2 (q - q*)^T A (q - q*) + h^2 (contact potential + friction potential)
// over positions q that are reached without passing through anything, with A = M + h D + h^2 K and q* where the method
// leads without contact. For linearly implicit Euler that is the step with the contact force of its end; every other
// method gets the same answer to its own q*.
//
// The minimum is found by Newton's method. A is factored once, or is that of the method; contact changes from iteration
// to iteration and couples vertices that A does not, so that each Newton step is solved in a space of directions to
// which every solve with A adds (docs/contact.md says what else was weighed). The way of each iteration is shortened,
// vertex by vertex, to what is safe.

#include "brio/collide/friction.hpp"
#include "brio/collide/safe_way.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/integrate/parts/contact_step.hpp"
#include "brio/system/contact_system.hpp"

namespace brio {

class ContactSolve {
 public:
  /// `system`: without contact; `moving`: whether supports or obstacles move.
  ContactSolve(const ContactSystem& contacts, const System& system, bool moving);

  /// The force of what touches at (t, q) on each point [N].
  void find_force(double t, const VectorXd& q, VectorXd& force);
  /// Whether places as far as these can be told apart by much less than the range of contact.
  bool resolves(const VectorXd& q) const;
  /// Whether anything is met on the way from (t0, q0) to a time t0 + h, where the method would lead to `target`. Points
  /// that may be concerned get a mark.
  bool meets(double t0, const VectorXd& q0, double h, const VectorXd& target, std::vector<char>& concerned);

  enum class Outcome {
    found,
    held_back,  ///< q is safe, but the iterations ended before the minimum
    stuck       ///< what is led cannot get to where it must be
  };
  /// After meets(), with a target that may have moved a little; q is where the bodies end. The h of A and of what is
  /// minimized is `weight` h. `felt`: the force of contact that the method has felt on the way to the target already
  /// [N]. `recent`: ways of the last steps from the target (recent_ways.hpp). `lent`: A factored, or null.
  Outcome solve(double t0, const VectorXd& q0, double h, double weight, const VectorXd& target, const VectorXd& felt,
                const MatrixXd& recent, Linearization* lent, VectorXd& q, StepReport& report);

  // Of the q that was found last:
  const std::vector<ActiveContact>& contacts() const { return contacts_; }
  /// Adds the impulses of contact on each point [N s].
  void add_impulses(double h, VectorXd& impulses) const;
  /// The same of what answers from outside (a hand, a tether) to points that contact has displaced [m].
  void add_outside_impulses(double h, const VectorXd& displacement, VectorXd& impulses) const;
  double energy() const;           ///< of contact [J]
  double friction_energy() const;  ///< in what friction is stretched by [J]
  /// The square of the fastest vibration of a point against what it touches, or of any point that just begins to touch
  /// [1/s^2].
  double fastest() const;
  /// By how much friction is stretched; of the state before the step, until it is renewed.
  GripMemory& grips() { return grips_; }
  void renew_grips();
  const std::vector<FrictionContact>& rough() const { return rough_; }
  /// The force of friction on the first side [N], and the place where it acts [m].
  Vec3 friction_force(const FrictionContact& contact) const;
  Vec3 friction_place(const FrictionContact& contact) const;
  int point_of(int vertex) const { return contacts_of_.point_of(vertex); }
  /// What acts on free pieces from outside, as it was linearized for the last solve.
  const OutsideForces& outside() const { return lin_->outside(); }

 private:
  /// The pairs that may touch on the way from x0 to x1; what touches at x0 is in contacts_ then, without obstacles.
  void look_along(const VectorXd& x0, const VectorXd& x1);
  void find_contacts(double t0, const VectorXd& q0, double t1, const VectorXd& q);
  void add_obstacles(double t0, const VectorXd& q0, double t1, const VectorXd& q);
  /// What holds by friction. `moved`: whether x_ is on the way of this step, and not where it begins.
  void find_rough(bool moved, std::vector<FrictionContact>& rough) const;
  /// Takes the normal forces of what touches now where friction has other ones. Whether it has.
  bool renew_friction();
  bool factor(double t, const VectorXd& q, double h, StepReport& report, Stopwatch& watch);
  /// What is minimized at x_, with pull_ and contacts_ there.
  double value(double h, const VectorXd& q, const VectorXd& target, const VectorXd& felt);
  /// Its gradient, and the terms of its second derivative.
  void linearize(double h, const VectorXd& q, const VectorXd& felt);
  double contact_force() const;
  Vec3 way_of(const FrictionContact& contact) const;
  void add_term(const std::array<int, 4>& vertex, const std::array<double, 4>& weight, const Mat3& stiffness);
  bool lead_to_goal();
  void gather_free(const VectorXd& x, VectorXd& q) const;

  // The way of an iteration from trial_ (contact_solve_way.cpp):
  /// Overwrites it with this share of the direction that was found, and of the way of what is led; bones get another
  /// one.
  void take_direction(double share, double share_of_bones);
  /// The direction, shortened to what is safe; how many vertices were held back.
  int find_safe_way();
  /// Whether the way, a share of one that is safe, is safe. On straight lines it is.
  bool is_safe();

  const ContactSystem& contacts_of_;
  const System& system_;  ///< without contact
  bool moving_;
  const CollisionSurface& surface_;
  std::unique_ptr<Linearization> own_;  ///< where none is lent; made when it is needed
  Linearization* lin_ = nullptr;        ///< A
  Index joints_;                        ///< the last coordinates, which bones move with
  ContactStep step_;
  ContactPotential potential_;
  SafeWay safe_;
  double common_ = 1;   ///< the share of its whole way that the last direction can safely be gone
  double held_ = 0;     ///< stretch up to which friction holds [m]
  double range_ = 0;    ///< the shortest one of contact [m]
  double nominal_ = 0;  ///< the square of the fastest vibration with the stiffness that contact begins with [1/s^2]

  std::vector<Touch> touches_;
  const std::vector<ContactPair>* pairs_ = nullptr;  ///< all that may touch around x_
  std::vector<ActiveContact> contacts_;              ///< at x_
  std::vector<double> distances_;                    ///< of the pairs at x_ [m]
  size_t pushed_ = 0;                 ///< how many of the contacts are between surfaces; obstacles follow
  std::vector<ActiveContact> ahead_;  ///< where the method leads
  std::vector<double> ahead_distances_;
  std::vector<FrictionContact> rough_, renewed_;
  ContactTerms terms_;
  std::vector<int> carried_;  ///< vertices that bones carry
  GripMemory grips_;
  VectorXd known_q_;  ///< where contacts_ were found last, and when
  double known_t_ = 0;
  double end_ = 0;                        ///< of the step [s]
  VectorXd x0_, x_, goal_, way_, trial_;  ///< stacked over all vertices [m]
  VectorXd trial_q_, ahead_q_, placed_;   ///< where the iteration began, and where its way leads bones
  VectorXd pull_;                         ///< A (q - q*)
  VectorXd start_pull_;                   ///< and where the iteration began
  VectorXd gradient_, difference_, damped_;
  VectorXd force_;  ///< the part of the gradient that is contact's
};

}  // namespace brio
