#pragma once
// When a rank dies, its launcher tells the others to end and kills them a second later, in the middle of an exchange
// that never comes to its end. So the last step is kept in memory from time to time, and brought to the disk by a thread
// that waits for nobody.

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace brio {

/// While it lives, calls `write` once when the process is asked to end (InterruptGuard).
class Rescue {
 public:
  explicit Rescue(std::function<void()> write);
  ~Rescue();

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

/// Says how often keeping a step pays: as often as it takes less than a twentieth of the time.
class KeepClock {
 public:
  bool due();
  void kept();  ///< after due() has said yes, and it was done

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now(), begin_;
  Clock::duration spent_{};
};

}  // namespace brio
