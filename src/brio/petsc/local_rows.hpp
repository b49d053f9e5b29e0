#pragma once
// The rows of a matrix that belong to this rank, in numbers of its own: first the rank's own points, then the points of
// other ranks that those are coupled to (the halo). Blocks of three are kept as everywhere in brio, one triangle, so
// that a product reads half of what PETSc's own formats would.

#include "brio/core/ranks.hpp"
#include "brio/linalg/block_matrix.hpp"
#include "brio/petsc/session.hpp"

#include <memory>
#include <vector>

namespace brio {

class LocalRows {
 public:
  /// `rows`: which points of the pattern each rank has; where they are not shared, all are this rank's.
  LocalRows(const BlockPattern& pattern, const SharedRows& rows);

  int own() const { return own_; }                                ///< points of this rank
  int points() const { return static_cast<int>(point_.size()); }  ///< with the halo
  int all() const { return all_; }                                ///< of all ranks
  int point(int local) const { return point_[local]; }            ///< its number in the system
  PetscInt row(int local) const { return row_[local]; }           ///< its block row in matrices of PETSc

  /// A = scale K + diag(shift), where K has the rows of the rank's own points whole.
  void set(const BlockMatrix& K, double scale, const VectorXd& shift);
  /// Inverts the diagonal blocks of own points; false, on all ranks, where one of them is not positive definite.
  bool invert_diagonal(std::vector<Mat3>& inverse) const;
  /// One triangle over all local points; whole in the rows and columns of the rank's own.
  const BlockMatrix& matrix() const { return *matrix_; }
  /// visit(other, block, transposed) for each block of an own point's row, the diagonal among them.
  template <class Visit>
  void for_row(int i, const Visit& visit) const {
    const BlockPattern& p = *pattern_;
    for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k)
      visit(p.row_column[k], matrix_->block(p.row_slot[k]), false);
    const int diagonal = p.column_begin[i];
    visit(i, matrix_->block(diagonal), false);
    for (int s = diagonal + 1; s < p.column_begin[i + 1]; ++s) visit(p.row[s], matrix_->block(s), true);
  }
  /// Slot of the system's pattern that a local slot is filled from; -1 for none.
  int source(int slot) const { return source_[slot]; }

  /// y = A x over all ranks.
  void multiply(Vec x, Vec y);
  /// The three numbers of each local point, of which the ranks have those of their own in v. Valid until the next call.
  const double* fetch(Vec v);
  Vec make_vector() const;  ///< three numbers of each own point; the caller destroys it

 private:
  int own_ = 0, all_ = 0;
  std::vector<int> point_;
  std::vector<PetscInt> row_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::unique_ptr<BlockMatrix> matrix_;
  std::vector<int> source_;
  std::vector<bool> turned_;  ///< of each slot: whether its source is the transposed block
  std::vector<double> x_, y_;
  VecHandle halo_;  ///< the end of x_
  ScatterHandle scatter_;
};

}  // namespace brio
