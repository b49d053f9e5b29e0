#pragma once
// How often a run is stored.

#include "command_line.hpp"
#include <chrono>
#include <string>

namespace brio {

struct CheckpointInterval {
  static CheckpointInterval parse(const std::string& text);  ///< "200" steps, "30s", "5min", "none"; throws Error
  bool never() const { return steps == 0 && seconds == 0; }

  int steps = 0;       ///< 0: by time
  double seconds = 0;  ///< of wall clock
};

void add_checkpoint_option(CommandLine& command, std::string& interval);

/// Says when it is time to store the run.
class CheckpointClock {
 public:
  explicit CheckpointClock(const CheckpointInterval& interval) : interval_(interval) {}
  bool due(int step);

 private:
  CheckpointInterval interval_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace brio
