#pragma once
// Moving frames for the free pieces of a body. A linearized force sees a rotation as strain, so a linearly implicit
// step brakes whatever spins. Here each free piece gets a frame that moves as the piece does on the whole; the method
// steps the deformation within it, and the frame is carried as a rigid body, with momentum that is exactly the old one
// plus what came from outside. Derivation: docs/free-bodies.md.

#include "brio/integrate/parts/rigid_motion.hpp"
#include "brio/system/system.hpp"

namespace brio {

class MovingFrames {
 public:
  /// Which pieces get a frame: all free ones, or those that nothing touches from outside.
  enum class Pieces { all, untouched };
  explicit MovingFrames(const System& system, Pieces framed = Pieces::all) : system_(system), framed_(framed) {}

  /// Which pieces get a frame in the steps that follow.
  void set_framed(Pieces framed) { framed_ = framed; }

  /// Finds the frames at `state`; the velocity becomes the one that is seen in them.
  void enter(const State& state, const OutsideForces& outside, double h, VectorXd& velocity) {
    find(state, h);
    see(state, outside, velocity);
  }
  /// The two parts of enter(), for those who look at the outside from the middle of the step.
  void find(const State& state, double h);
  void see(const State& state, const OutsideForces& outside, VectorXd& velocity);
  /// Positions of the free pieces after a time, as the frames see them: carried along, but not turned.
  void look_ahead(const State& state, double time, VectorXd& q) const;
  /// Whether see() has left a piece as it is.
  bool some_unused() const;
  /// Adds the forces that the frames bring to the force in them, which must not have the damping yet: frames carry the
  /// rigid part of forces, and that of a stiff damping is not known at the beginning of the step (docs/free-bodies.md).
  /// `load`: forces from outside without a potential; `implicit`: time by which forces are taken ahead, beta h.
  void add_forces(const State& state, const OutsideForces& outside, const VectorXd& load, double implicit,
                  VectorXd& force);
  /// Moves the pieces: the frame as a rigid body, and what the step added in it. `implicit` as in add_forces.
  void leave(const State& state, const Linearization& lin, double h, double implicit, const VectorXd& dq,
             const VectorXd& dv, State& next);
  /// Turns fields over the points along with the frames, as leave() has turned them; any number in one vector.
  void turn(VectorXd& fields) const;
  /// What damping from outside takes besides D's own dq D dq because the frames move [J], times the step's length [s].
  double damping_work(const OutsideForces& outside, double h, const VectorXd& dq) const;

 private:
  struct Frame {
    double mass;            ///< [kg]
    Vec3 center, velocity;  ///< of the piece's mass [m, m/s]
    Mat3 inertia, inverse;  ///< about the center [kg m^2]
    Vec3 L, spin;           ///< angular momentum about the center [kg m^2/s], angular velocity [rad/s]
    bool touched;           ///< stiffness from outside (contact): its impulse is whatever the step feels
    bool used;              ///< otherwise the piece is stepped as it is
    Vec3 force, torque;     ///< from outside, when not touched [N, N m]
    Mat3 unresisted;        ///< projection onto the directions without stiffness from outside, when touched
    Vec3 removed;           ///< angular acceleration that the frame takes, not the method [rad/s^2]
    Eigen::Quaterniond turned;
  };

  void half_coriolis(const Points& points, const Mat3& inertia, const Vec3& spin, const VectorXd& q, const Vec3& center,
                     double h, VectorXd& u) const;
  /// Takes the rigid part out of forces: what is left has no net force and no net torque. Returns the angular
  /// acceleration that it was.
  Vec3 remove_rigid_part(const Points& points, const Frame& frame, const VectorXd& q, VectorXd& force) const;
  void move(const Points& points, Frame& frame, const State& state, double h, double damping, const VectorXd& dq,
            const VectorXd& dv, State& next);

  const System& system_;
  Pieces framed_;
  std::vector<Frame> frames_;
  VectorXd carried_;         ///< the velocity of the frames themselves, where the points are [m/s]
  VectorXd shape_velocity_;  ///< of the deformation, as the method sees it [m/s]
  VectorXd from_outside_;    ///< of touched pieces: what does not depend on the step [N]
  VectorXd field_;
};

}  // namespace brio
