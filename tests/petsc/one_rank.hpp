#pragma once
// While it lives, each process computes alone, as without mpirun: for results to compare with.

#include "brio/core/ranks.hpp"
#include "brio/petsc/mpi_ranks.hpp"

namespace brio::testing {

class OneRank {
 public:
  OneRank() { set_ranks(std::make_unique<Ranks>()); }
  ~OneRank() { set_ranks(std::make_unique<MpiRanks>()); }
};

template <class Work>
auto alone(const Work& work) {
  const OneRank one;
  return work();
}

}  // namespace brio::testing
