#pragma once
// Splits the time of a piece of work into its phases.

#include <ctime>

namespace brio {

/// Which time stopwatches show: that on the wall, or that of the processor, summed over all threads of the program,
/// which does not count what other programs do meanwhile. For a whole program, chosen before anything is timed.
enum class Clock { wall, processor };

class Stopwatch {
 public:
  static void choose(Clock clock) { clock_ = clock == Clock::wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID; }

  /// Seconds since the last lap (or since the beginning).
  double lap() {
    const timespec before = last_;
    last_ = now();
    return static_cast<double>(last_.tv_sec - before.tv_sec) +
           1e-9 * static_cast<double>(last_.tv_nsec - before.tv_nsec);
  }

 private:
  static timespec now() {
    timespec time;
    clock_gettime(clock_, &time);
    return time;
  }

  static inline clockid_t clock_ = CLOCK_MONOTONIC;
  timespec last_ = now();
};

}  // namespace brio
