#pragma once
// One step of Newton's method on bodies that touch: (A + C) d = -g, with A = M + h D + h^2 K factored and C what
// contact adds. Each solve with A widens the space in which d is sought (contact_space.hpp).

#include "brio/integrate/parts/contact_space.hpp"

namespace brio {

class ContactStep {
 public:
  /// `joints`: how many of the last coordinates are no points.
  ContactStep(const System& system, Index joints) : space_(system, joints) {}

  /// For all iterations of a step from q on which the method leads on a `way`, with A times it, after steps with
  /// `recent` ways; `lin` has A factored and stays.
  void begin(const VectorXd& q, double h, const VectorXd& way, const VectorXd& image_of_way, const MatrixXd& recent,
             Linearization& lin);
  /// Solves until the residual is at most `precision`, or what could still be gained is at most a `share` of the energy
  /// with which the `force` of contact strains the pieces. Returns how many solves with A it took.
  int solve(const ContactTerms& terms, const VectorXd& gradient, const VectorXd& force, double precision, double share);
  /// The energy with which a force strains pieces, so far as the solves of this step know.
  double strain_energy(const VectorXd& force) { return space_.basis().strain_energy(force); }
  const VectorXd& direction() const { return direction_; }
  const VectorXd& image() const { return image_; }  ///< A times it
  double decrease() const { return decrease_; }     ///< that the model promises
  double left() const { return left_; }             ///< the most that more solves could add to it

 private:
  Linearization* lin_ = nullptr;
  ContactSpace space_;
  double decrease_ = 0, left_ = 0;
  VectorXd direction_, image_, residual_, solution_, product_;
};

}  // namespace brio
