#pragma once
// A progress bar for each run in turn.

#include "brio/output/progress.hpp"

#include "interrupt.hpp"
#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <unistd.h>

namespace brio {

class ProgressOfRuns {
 public:
  void begin(int steps, const std::string& label) {
    progress_.emplace(std::cerr, terminal_width(STDERR_FILENO), steps, label);
    start_ = std::chrono::steady_clock::now();
  }
  void update(int step) {
    progress_->update(step, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
  }
  void end() {
    if (progress_) progress_->finish();
    progress_.reset();
  }
  /// Until the user interrupts; it refers to this object.
  ProgressListener listener() {
    return {[this](const std::string& label, int steps) { begin(std::max(1, steps), label); },
            [this](int step) { update(step); }, [this] { end(); }, InterruptGuard::requested};
  }

 private:
  std::optional<Progress> progress_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace brio
