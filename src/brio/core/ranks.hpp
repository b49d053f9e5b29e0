#pragma once
// The processes that compute one scene together, MPI's ranks. All run the same program on the same vectors; elements
// and rows of matrices are divided among them, and what each has computed for its part is given to the others here. A
// process that was started alone is one rank and exchanges nothing. The interface is here and its use is everywhere;
// MPI itself is known to the part of the library that brings it (petsc/).

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace brio {

/// All functions but rank(), count(), arrive() and abort() must be called by all ranks, in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const { return 0; }
  virtual int count() const { return 1; }
  virtual int on_this_machine() const { return 1; }
  /// all = the numbers of rank 0, of rank 1 …; rank r gives counts[r] of them.
  virtual void gather(const double* own, const std::vector<int>& counts, double* all) const;
  /// The bytes of `from`, on all ranks.
  virtual void broadcast(std::string& /*bytes*/, int /*from*/ = 0) const {}
  /// Whether all ranks have called this within so many seconds.
  virtual bool arrive(double /*seconds*/) const { return true; }
  /// Ends all ranks at once.
  [[noreturn]] virtual void abort(int code) const;

  bool several() const { return count() > 1; }
  bool writes() const { return rank() == 0; }  ///< one rank prints and writes files
};

/// Those of this process; one rank unless set_ranks() was called.
const Ranks& ranks();
void set_ranks(std::unique_ptr<Ranks> ranks);

/// What the launcher (mpirun, srun) has told this process, whether or not the ranks know each other yet.
struct Launched {
  int count = 1, rank = 0;
};
Launched launched();

/// Sums over all ranks, in their order: the same bits on each.
void sum_over_ranks(double* values, int count);
/// What the first rank says.
bool first_rank_says(bool yes);
/// Runs `work` on every rank. Where it throws an Error on some, all throw that of the first of them.
void on_all_ranks(const std::function<void()>& work);
/// Throws Error, naming `what` and a rank, where a rank has other bytes than the first.
void require_same_on_all_ranks(const std::string& bytes, const std::string& what);

/// Rows of numbers of which each rank computes some for all.
class SharedRows {
 public:
  SharedRows() = default;
  /// The rank that computes each row.
  explicit SharedRows(const std::vector<int>& owner);

  bool shared() const { return !counts_.empty(); }
  const std::vector<int>& own() const { return own_; }  ///< rows that this rank computes, ascending
  /// Rows of all ranks, one rank after the other, ascending in each.
  const std::vector<int>& order() const { return order_; }
  int first_of(int rank) const { return begin_[rank]; }  ///< place in order(); one more rank ends the list
  std::vector<int> owner() const;                        ///< the rank of each row; empty where they are not shared
  /// Each row, of three numbers, becomes what its owner has there. Does nothing where rows are not shared.
  void exchange(double* rows) const;

 private:
  std::vector<int> own_, order_, begin_, counts_;
};

}  // namespace brio
