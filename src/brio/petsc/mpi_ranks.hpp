#pragma once
// The ranks of MPI_COMM_WORLD.

#include "brio/core/ranks.hpp"

#include <mpi.h>

namespace brio {

class MpiRanks final : public Ranks {
 public:
  /// MPI must have been initialized.
  MpiRanks();

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int on_this_machine() const override { return on_this_machine_; }
  void gather(const double* own, const std::vector<int>& counts, double* all) const override;
  void broadcast(std::string& bytes, int from) const override;
  bool arrive(double seconds) const override;
  [[noreturn]] void abort(int code) const override;

 private:
  int rank_ = 0, count_ = 1, on_this_machine_ = 1;
  MPI_Comm errors_ = MPI_COMM_NULL;  ///< for arrive(), which may come while others wait in an exchange
};

}  // namespace brio
