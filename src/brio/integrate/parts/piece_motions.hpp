#pragma once
// The rigid motions of free pieces as a coarse space for conjugate gradients. A piece that lies on others moves as a whole
// against their stiffness with nothing but its mass, so that these few motions are by far the worst conditioned: they are
// solved for directly (deflation, in the form A-DEF2 of Tang, Nabben, Vuik and Erlangga 2009). So are the joints of bones, each
// with the motion of all tissue that a force on it makes.

#include "brio/integrate/parts/contact_terms.hpp"
#include "brio/integrate/parts/rigid_motion.hpp"
#include "brio/linalg/dense.hpp"
#include "brio/system/system.hpp"

namespace brio {

class PieceMotions {
 public:
  /// `joints`: how many of the last coordinates are no points.
  PieceMotions(const System& system, Index joints);

  /// For pieces at q and A = M + h D + h^2 K with the K and D of `lin`, which has it factored.
  void begin(const VectorXd& q, double h, Linearization& lin);
  /// For A + C. Only pieces that touch something are in the space.
  void couple(const ContactTerms& terms);
  bool empty() const { return small_.rows() == 0; }

  /// The motion Z y with Z^T (A + C) Z y = Z^T force, and the same times A, are added to x and Ax.
  void add_solution(const VectorXd& force, double factor, VectorXd& x, VectorXd& Ax);

 private:
  static constexpr int kMostPieces = 64;  // their matrix is dense

  Vec3 motion(const double* y, int point) const;
  /// The free piece of a point; -1 where it has none, or where bones carry it.
  int piece_of(int point) const { return point >= 0 && point < static_cast<int>(piece_.size()) ? piece_[point] : -1; }

  void couple_joints(const ContactTerms& terms);
  /// Z^T force.
  void restrict(const VectorXd& force, VectorXd& y) const;

  const System& system_;
  Index joints_;
  std::vector<int> piece_;     ///< of each point, or -1
  std::vector<int> column_;    ///< of each piece: its place among those that touch, or -1
  std::vector<int> touched_;   ///< pieces that touch
  VectorXd arm_;               ///< of each point, from the middle of its piece, over the piece's size
  MatrixXd modes_, image_, work_;    ///< six columns for all pieces together: Z and A Z
  std::vector<Eigen::Matrix<double, 6, 6>> own_;  ///< Z^T A Z of each piece
  MatrixXd joint_modes_;  ///< A^-1 times the unit vectors of the joints
  MatrixXd small_;        ///< Z^T (A + C) Z; empty without any motion
  DenseCholesky factor_;
  VectorXd y_, product_;
};

}  // namespace brio
