#pragma once
// Where the next solution will be, from the last ones: the best in their span, in the norm of the matrix. Right-hand
// sides of successive steps differ little. P. F. Fischer, Projection techniques for iterative solution of Ax = b with
// successive right-hand sides, Comput. Methods Appl. Mech. Engrg. 163 (1998).

#include "brio/linalg/block_matrix.hpp"
#include "brio/linalg/dense.hpp"

#include <vector>

namespace brio {

class RecycledSolutions {
 public:
  static constexpr int kKept = 6;

  /// x near A^-1 b; zero while nothing is known, and where what is known is of no use.
  void guess(const BlockMatrix& A, const Eigen::Ref<const VectorXd>& b, Eigen::Ref<VectorXd> x);
  void keep(const Eigen::Ref<const VectorXd>& x);
  void archive(Archive& archive);

 private:
  MatrixXd solutions_, images_, small_, shares_;
  VectorXd scale_;
  DenseCholesky cholesky_;
  int known_ = 0, next_ = 0;
  std::vector<double> work_, scratch_;
};

}  // namespace brio
