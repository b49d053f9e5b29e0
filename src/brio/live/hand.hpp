#pragma once
// The hands of the people who watch: damped springs from points of a body to places in space. They are an energy of the
// system that changes with time, so that every method feels them as it feels an attachment that moves, and what they do
// is in the books as the work of any moving support.
//
// A spring that a lively method takes explicitly drives the vibrations that it should calm: its force is a step late.
// So is a damper's. Here both are springs of the energy: one to the target, and a second one to a place that follows
// the point at a rate of its own (a spring and a dashpot in series, Maxwell's element). That place only ever gives
// energy away, whatever the method.

#include "brio/energy/vertex_energies.hpp"
#include "brio/system/nodal_system.hpp"

#include <memory>
#include <vector>

namespace brio {

/// A number for some of the vertices.
struct VertexWeights {
  std::vector<int> vertices;
  std::vector<double> weights;

  void add(int vertex, double weight);
  Vec3 mean(const MatrixX3d& field) const;  ///< of the rows, weighted
};

/// What a finger has hold of.
struct Grip {
  VertexWeights point;   ///< barycentric: the point that follows the pointer
  VertexWeights finger;  ///< the vertices that it pulls at; adds up to 1
  double mass = 0;       ///< of the piece of the body that it is on, without what is supported [kg]
  double extent = 0;     ///< of that piece at rest [m]
};

/// A grip at a point. A finger has a width (a part of the piece's extent), so that it does not tear out one element.
/// The grip has no finger where everything around the point is supported. The points of a bone are held together by no
/// energy, so that each is a piece of its own; there the whole body counts.
Grip make_grip(const NodalSystem& system, const std::vector<int>& body_of_vertex, VertexWeights point);

/// How hard a hand pulls.
struct HandSpring {
  double stiffness = 0;  ///< of the spring to the target [N/m]
  double second = 0;     ///< of the one in series with a dashpot [N/m]
  double time = 0;       ///< in which that one gives way [s]
  double most = 0;       ///< the largest force [N]
};

/// A spring that suits the piece: its weight stretches it by a tenth of its extent, it is damped about critically with
/// all of its mass, and it never pulls with more than ten times its weight. `strength` is a factor on that; gravity
/// [m/s^2] counts as at least that of the earth, for there are hands where there is none.
HandSpring suitable_spring(const Grip& grip, double gravity, double strength);

class Hand {
 public:
  struct Hold {
    int owner = 0;  ///< whose hand
    Grip grip;
    HandSpring spring;
    Vec3 target = Vec3::Zero();  ///< [m]
    double left = 1e300;         ///< how long it lasts yet [s]
    Vec3 force = Vec3::Zero();   ///< at the end of the step [N]
    bool active = true;          ///< false: let go; its force ends with the next step

    // From the beginning to the end of a step both go evenly, so that nothing jumps.
    double stiffness_before = 0, stiffness_after = 0;  ///< [N/m]
    MatrixX3d anchor_before, anchor_after;             ///< of each vertex of the finger [m]
    Vec3 follower = Vec3::Zero();                      ///< end of the second spring [m]
    bool begun = false;
  };

  /// In place of the hold that the owner may have.
  void grab(Hold hold);
  void move(int owner, const Vec3& target);
  void release(int owner);
  void release_all() { holds_.clear(); }

  /// The anchors of the step from t to t + h [s] that begins at positions x.
  void begin_step(double t, double h, const MatrixX3d& x);
  /// What holds at positions x when it is over.
  void end_step(const MatrixX3d& x);

  const std::vector<Hold>& holds() const { return holds_; }
  void evaluate(double t, const VectorXd& x, const EnergyWant& want, const std::vector<int>& slots) const;

 private:
  std::vector<Hold> holds_;
  double begin_ = 0, h_ = 1;  ///< of the step [s]
};

/// The energy of a hand in a system.
class HandEnergy : public VertexEnergy {
 public:
  HandEnergy(std::shared_ptr<const Hand> hand, int vertices);
  void evaluate(double t, const VectorXd& x, const EnergyWant& want) const override {
    hand_->evaluate(t, x, want, slot_);
  }
  bool time_dependent() const override { return !hand_->holds().empty(); }

 private:
  std::shared_ptr<const Hand> hand_;
};

}  // namespace brio
