#pragma once
// What touches at given positions, and with which energy and force. Forces of a pair act along one line, so that they
// have no net force and no net torque.

#include "brio/collide/grip_memory.hpp"
#include "brio/collide/near_pairs.hpp"

namespace brio {

/// Vertices that are pushed apart, linearized.
struct ActiveContact {
  ContactKey key;
  std::array<int, 4> vertex;     ///< negative where there are fewer
  std::array<double, 4> weight;  ///< of the vertices in the way between the two sides
  Vec3 normal;                   ///< from the second side to the first
  double gap;                    ///< [m]
  double energy;                 ///< [J]
  double force;                  ///< along the normal, on the first side [N]
  /// Of the energy by the vertices [N]; more than weight x force x normal where edges are nearly parallel.
  Corners gradient;
  /// The second derivative along the normal [N/m]. What is left of the Hessian, the force times the curvature of the
  /// distance, is negative where it matters and left out, so that stiffness (weight normal)(weight normal)^T is the
  /// projected Hessian.
  double stiffness;
  double friction;         ///< Coulomb's coefficient of what slides
  double static_friction;  ///< and of what holds
  Vec3 carried;     ///< how far the second side is moved by itself during the step [m]; not zero at obstacles
};

/// The contact of a pair with the corners at x; false where the pair is too far apart to feel each other. The distance
/// is found in any case.
bool find_contact(const ContactPair& pair, const Corners& x, ActiveContact& contact, double& distance);

class ContactPotential {
 public:
  explicit ContactPotential(const CollisionSurface& surface) : near_(surface) {}

  /// Overwrites the list with what touches at x, among the pairs that near() has found last, and the distances of all of
  /// these [m]; of pairs that are beyond their reach, distances that are not too large.
  void find(const VectorXd& x, std::vector<ActiveContact>& contacts, std::vector<double>& distances);
  /// The same among all pairs.
  void find(const VectorXd& x, std::vector<ActiveContact>& contacts) {
    near_.along(x, x);
    find(x, contacts, distances_);
  }
  NearPairs& near() { return near_; }

 private:
  NearPairs near_;
  std::vector<double> distances_;
  std::vector<std::vector<ActiveContact>> found_;  ///< of each chunk of pairs
  // Where all distances were computed last. Since then a pair has come nearer by no more than its vertices have moved.
  int known_search_ = -1;
  VectorXd known_x_;
  std::vector<double> known_;
  VectorXd moved_;  ///< by how much each vertex has moved [m]
};

}  // namespace brio
