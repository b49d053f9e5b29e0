#pragma once
// The factor of the matrix of the groups, divided among the ranks by substructures (Przemieniecki 1963): each
// eliminates its own groups but for those at its border, and what that leaves for the border is added up and factored
// on every rank, since it is small. A solution takes one exchange of the border alone, where a factor that is spread
// over the ranks sends hundreds of messages for each.

#include "brio/linalg/partial_cholesky.hpp"
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
  /// Six rows and six columns of a matrix of 3x3 blocks.
  struct Place {
    Place(const BlockPattern& pattern, int row, int column);
    void add(const double* numbers, size_t stride, bool transposed, BlockMatrix& to) const;
    int slots[4];  ///< -1 above the diagonal
  };
  /// A column of an own row of groups, and where it goes.
  struct OwnPlace {
    int row, column;
    bool transposed;
    Place place;
  };

  void number_border(const std::vector<std::vector<PetscInt>>& columns);
  void make_own(const std::vector<std::vector<PetscInt>>& columns);
  void make_border();
  void collect_own();
  bool factor_border();

  PetscInt first_, total_;
  std::vector<int> border_;  ///< of each group of all ranks, its number in the border, or -1
  int border_count_ = 0;
  std::vector<int> local_;               ///< of each own group, its number in matrix_
  std::vector<PetscInt> kept_;           ///< groups of the border in matrix_: own ones and neighbors; they come last
  std::unique_ptr<BlockMatrix> matrix_;  ///< own groups, and couplings to those kept
  std::vector<OwnPlace> own_places_;
  std::unique_ptr<PartialCholesky> own_factor_;
  VectorXd no_shift_, vector_;

  std::vector<int> pair_counts_, kept_counts_;  ///< numbers that each rank gives
  std::vector<int> all_kept_;                   ///< numbers in the border, of all ranks one after the other
  std::vector<Place> border_places_;            ///< of the pairs of all ranks
  std::unique_ptr<BlockMatrix> border_matrix_;
  std::unique_ptr<Cholesky> border_factor_;
  VectorXd no_border_shift_, border_vector_;
  std::vector<double> own_, all_, kept_numbers_;
};

}  // namespace brio
