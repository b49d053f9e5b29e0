#include "brio/scene/run.hpp"

#include "brio/scene/run_loop.hpp"

#include <array>

namespace brio {

std::string to_string(RunStatus status) {
  static constexpr std::array kNames = {"finished", "doubtful", "diverged", "interrupted"};
  return kNames[static_cast<size_t>(status)];
}

double RunResult::cost(double h) const { return steps == 0 ? 0 : 1e-3 * step_ms.sum() / (steps * h); }

RunResult run(Simulation& simulation, const RunListener& listener) { return RunLoop(simulation, listener).go(); }

RunResult resume(Simulation& simulation, const RunListener& listener, std::string stored) {
  return RunLoop(simulation, listener).go_on_from(std::move(stored));
}

}  // namespace brio
