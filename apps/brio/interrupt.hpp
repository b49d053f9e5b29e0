#pragma once
// Ctrl-C: the first asks the run to end after the step, the second ends the program at once.

namespace brio {

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted rather than fatal; after the first, they are fatal again.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();
};

}  // namespace brio
