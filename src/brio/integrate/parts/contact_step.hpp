#pragma once
// One step of Newton's method on bodies that touch: (A + C) d = -g, with A = M + h D + h^2 K factored and C what contact
// adds. Conjugate gradients with A^-1 in front; the rigid motions of pieces are solved for directly (piece_motions.hpp).

#include "brio/integrate/parts/piece_motions.hpp"

namespace brio {

class ContactStep {
 public:
  /// `joints`: how many of the last coordinates are no points.
  ContactStep(const System& system, Index joints) : motions_(system, joints) {}

  /// For all iterations of a step from q; `lin` has A factored and stays.
  void begin(const VectorXd& q, double h, Linearization& lin);
  /// Directions of earlier iterations are of no use any more.
  void forget() { kept_ = 0; }
  /// Solves until the residual is at most `precision`, or roughly where the minimum is far. Returns how many solves with
  /// A it took.
  int solve(const ContactTerms& terms, const VectorXd& gradient, double precision, bool far);
  const VectorXd& direction() const { return direction_; }
  const VectorXd& image() const { return image_; }  ///< A times it

 private:
  void reuse_directions(const ContactTerms& terms);
  void keep_direction(double curvature);

  Linearization* lin_ = nullptr;
  PieceMotions motions_;
  static constexpr int kMostKept = 24;
  int kept_ = 0;  ///< directions of the iterations before
  MatrixXd kept_directions_, kept_images_;
  VectorXd kept_curvatures_;
  VectorXd direction_, image_, residual_, preconditioned_, product_, search_, search_matrix_, search_full_;
};

}  // namespace brio
