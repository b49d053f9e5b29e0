#pragma once
// The default preconditioner, the one of the engine "iterative" over ranks: inverses of the diagonal blocks, plus a
// coarse space in which small groups of points move rigidly. No group has points of two ranks. The coarse matrix, six
// unknowns a group, is factored by all ranks together while it is small; beyond, and where -coarse_pc_type asks for it,
// it is PETSc's, by default for GAMG with the rigid motions of all bodies as near null space (options with the prefix
// -coarse_).

#include "brio/linalg/aggregates.hpp"
#include "brio/petsc/coarse_factor.hpp"
#include "brio/petsc/local_rows.hpp"

#include <functional>

namespace brio {

class RigidGroups {
 public:
  /// `couplings` by slot of the system's pattern, or empty: as in the first matrix. Kept by reference: rows.
  RigidGroups(LocalRows& rows, const VectorXd& couplings);
  ~RigidGroups();

  /// For the matrix that the rows have now; points at q, stacked over the system. False where it is not positive
  /// definite.
  bool set(const VectorXd& q);
  void apply(Vec r, Vec z);

 private:
  void find_groups(const VectorXd& couplings);
  void number_groups();
  void find_columns();
  bool is_small() const;
  void make_matrix();
  void find_arms(const VectorXd& q);
  void fill_row(int group, std::vector<double>& values) const;
  void set_near_null_space();
  bool set_up_coarse();
  void solve_coarse();

  LocalRows& rows_;
  Aggregates groups_;                           ///< of own points
  std::vector<std::vector<PetscInt>> columns_;  ///< of each own group: groups of all ranks that it is coupled to
  std::vector<PetscInt> group_;                 ///< of each local point, among all ranks; negative for none
  PetscInt first_ = 0, total_ = 0;              ///< groups of the ranks before this one, and of all
  std::vector<Mat3> inverse_;                   ///< of the diagonal blocks of own points
  std::vector<Vec3> arms_;                      ///< of each local point, from the center of its group, in its radii
  std::vector<Vec3> center_;                    ///< of each own group [m]
  std::vector<double> radius_;                  ///< [m]
  MatHandle coarse_;
  VecHandle right_, left_, place_;
  KspHandle ksp_;
  std::unique_ptr<CoarseFactor> factor_;  ///< or none, and then PETSc's matrix
  std::vector<double> forces_, motions_;  ///< of own groups, six numbers each
};

}  // namespace brio
