#pragma once
// Splits the time of a piece of work into its phases.

#include <chrono>

namespace brio {

class Stopwatch {
 public:
  /// Seconds since the last lap (or since the beginning).
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace brio
