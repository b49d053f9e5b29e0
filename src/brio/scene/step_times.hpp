#pragma once
// How long the steps of a run took: counts by length, so that a run of any number of steps needs the same memory.

#include "brio/core/archive.hpp"

#include <cstdint>
#include <vector>

namespace brio {

class StepTimes {
 public:
  void add(double ms);
  std::int64_t count() const { return count_; }
  double sum() const { return sum_; }  ///< [ms]
  /// The q-quantile [ms], to half a percent; the largest exactly; 0 where there are none.
  double quantile(double q) const;
  void archive(Archive& archive) { archive(count_, sum_, largest_, counts_); }

 private:
  std::int64_t count_ = 0;
  double sum_ = 0, largest_ = 0;
  std::vector<std::int64_t> counts_;  ///< of lengths between powers of 2^(1/64)
};

}  // namespace brio
