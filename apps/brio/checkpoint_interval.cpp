#include "checkpoint_interval.hpp"

#include "brio/core/error.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace brio {

CheckpointInterval CheckpointInterval::parse(const std::string& text) {
  if (text == "none") return {};
  char* unit = nullptr;
  const double number = std::strtod(text.c_str(), &unit);
  const std::string_view name(unit);
  const bool positive = number > 0 && std::isfinite(number);
  if (name.empty() && positive && number == std::floor(number) && number <= std::numeric_limits<int>::max())
    return {static_cast<int>(number), 0};
  if (name == "s" && positive) return {0, number};
  if (name == "min" && positive) return {0, 60 * number};
  if (name == "h" && positive) return {0, 3600 * number};
  throw Error("--checkpoint-every {}: expected a number of steps such as 200, a time such as 30s, 5min or 1h, or none",
              text);
}

void add_checkpoint_option(CommandLine& command, std::string& interval) {
  command
      .add_option("--checkpoint-every", interval,
                  "how often to store the run so that it can be resumed: steps (200), time (30s, 5min), or none")
      ->type_name("N|TIME")
      ->capture_default_str();
}

bool CheckpointClock::due(int step) {
  if (interval_.steps > 0) return step % interval_.steps == 0;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_).count() < interval_.seconds) return false;
  last_ = now;
  return true;
}

}  // namespace brio
