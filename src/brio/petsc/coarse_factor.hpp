#pragma once
// The matrix of the groups, whole on every rank, and its factor by our own Cholesky. It is small: a solution with it
// takes one exchange, where a factor that is divided among the ranks sends hundreds of messages for each.

#include "brio/linalg/cholesky.hpp"
#include "brio/petsc/session.hpp"

#include <memory>
#include <vector>

namespace brio {

class CoarseFactor {
 public:
  /// Of each group of this rank, the groups of all ranks that it is coupled to, ascending. `first`: the number of the
  /// rank's first group among all `total`.
  CoarseFactor(const std::vector<std::vector<PetscInt>>& columns, PetscInt first, PetscInt total);

  /// Rows of the rank's groups: of each, six rows with six numbers for each column. False, on all ranks, where the
  /// matrix is not positive definite.
  bool set(const std::vector<std::vector<double>>& rows);
  /// Six numbers for each of the rank's groups, in and out.
  void solve(const std::vector<double>& forces, std::vector<double>& motions);

 private:
  struct Place {
    int slots[4];  ///< of the four 3x3 blocks of a pair; -1 above the diagonal
  };
  std::vector<size_t> lower_;          ///< of each own group: how many of its columns are not beyond it
  std::vector<int> groups_, numbers_;  ///< of each rank: numbers of a vector, and of the matrix
  PetscInt first_;
  std::vector<Place> places_;  ///< of the pairs of all ranks, one rank after the other
  std::vector<double> own_, all_;
  VectorXd shift_, vector_;
  std::unique_ptr<BlockMatrix> matrix_;
  std::unique_ptr<Cholesky> cholesky_;
};

}  // namespace brio
