#include "brio/output/run_metrics.hpp"

#include "brio/core/json.hpp"

namespace brio {

std::vector<std::pair<std::string, std::optional<double>>> RunMetrics::named() const {
  return {{"cost", cost},
          {"energy_kept", energy_kept},
          {"swings", swings},
          {"omega", omega},
          {"amplitude_ratio", amplitude_ratio},
          {"damping_fit", damping_fit},
          {"damping_closed_form", damping_closed_form},
          {"error", error}};
}

void add_to(Json& json, const RunMetrics& metrics) {
  for (const auto& [name, value] : metrics.named()) json[name] = value ? Json(*value) : nullptr;
}

}  // namespace brio
