#pragma once
// Sparse Cholesky factorization of a symmetric positive definite matrix of 3x3 blocks, or of single numbers: one
// symbolic analysis per pattern, then numeric factors and block solves without further allocation. Factors and
// solutions have the same bits for any number of threads. (With SuiteSparse, OpenBLAS is set to one thread for the
// whole process to that end.)

#include "brio/linalg/block_solver.hpp"

#include <memory>
#include <string>

namespace brio {

struct CholeskyStats {
  std::string backend;   ///< "supernodal" or "eigen"
  std::string ordering;  ///< "metis" or "amd", whichever gives the sparser factor
  double factor_nonzeros = 0;
  double factor_flops = 0;  ///< squared lengths of the columns
};

class Cholesky : public BlockSolver {
 public:
  using BlockSolver::factor;
  /// The same for a matrix with one number per slot of the pattern (see make_scalar_cholesky).
  virtual FactorStatus factor(const VectorXd& slot_values, double scale, const VectorXd& shift) = 0;
  /// solve() with the factor rounded to single precision, which is read in half the time: the inverse of a symmetric
  /// positive definite matrix that differs from A by some 1e-7 of its entries. Good enough for search directions and
  /// preconditioners.
  void solve_single_precision(Eigen::Ref<MatrixXd> B) override = 0;
  virtual CholeskyStats stats() const = 0;
};

/// About what a factor takes, before any analysis: by measurement of bodies that are as long as they are wide or
/// longer [B].
double factor_memory(const BlockPattern& pattern);
/// About how many operations it takes to make one.
double factor_operations(const BlockPattern& pattern);

/// The fastest back end for a system of this size.
std::unique_ptr<Cholesky> make_cholesky(std::shared_ptr<const BlockPattern> pattern);
/// For matrices with one number per slot: one row per vertex, as in [QN], where the coordinates do not mix.
std::unique_ptr<Cholesky> make_scalar_cholesky(std::shared_ptr<const BlockPattern> pattern);
/// A back end by name ("supernodal", "eigen"), for tests and benchmarks.
std::unique_ptr<Cholesky> make_cholesky(std::shared_ptr<const BlockPattern> pattern, const std::string& backend,
                                        int block = 3);

}  // namespace brio
