#pragma once
// The rigid motions of free pieces as a coarse space for conjugate gradients. A piece that lies on others moves as a whole
// against their stiffness with nothing but its mass, so that these few motions are by far the worst conditioned: they are
// solved for directly (deflation, in the form A-DEF2 of Tang, Nabben, Vuik and Erlangga 2009).

#include "brio/integrate/parts/contact_terms.hpp"
#include "brio/integrate/parts/rigid_motion.hpp"
#include "brio/linalg/dense.hpp"
#include "brio/system/system.hpp"

namespace brio {

class PieceMotions {
 public:
  explicit PieceMotions(const System& system);

  /// For pieces at q and A = M + h D + h^2 K with the K and D of `lin`.
  void begin(const VectorXd& q, double h, const Linearization& lin);
  /// For A + C. Only pieces that touch something are in the space.
  void couple(const std::vector<ContactTerm>& terms);
  bool empty() const { return touched_.empty(); }

  /// The motion Z y with Z^T (A + C) Z y = Z^T force, and the same times A, are added to x and Ax.
  void add_solution(const VectorXd& force, double factor, VectorXd& x, VectorXd& Ax);

 private:
  static constexpr int kMostPieces = 64;  // their matrix is dense

  Vec3 motion(const double* y, int point) const;

  const System& system_;
  std::vector<int> piece_;     ///< of each point, or -1
  std::vector<int> column_;    ///< of each piece: its place among those that touch, or -1
  std::vector<int> touched_;   ///< pieces that touch
  VectorXd arm_;               ///< of each point, from the middle of its piece, over the piece's size
  MatrixXd modes_, image_, work_;    ///< six columns for all pieces together: Z and A Z
  std::vector<Eigen::Matrix<double, 6, 6>> own_;  ///< Z^T A Z of each piece
  MatrixXd small_;
  DenseCholesky factor_;
  VectorXd y_;
};

}  // namespace brio
