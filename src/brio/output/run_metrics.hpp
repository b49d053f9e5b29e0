#pragma once
// The numbers by which runs of a comparison are measured against each other; docs/compare.md says how.

#include "brio/core/json.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brio {

struct RunMetrics {
  double cost = 0;                    ///< time spent in steps per simulated second
  std::optional<double> energy_kept;  ///< share of the oscillation energy
  int swings = 0;                     ///< of the probe
  std::optional<double> omega;        ///< of the probe's dominant motion [rad/s]
  std::optional<double> amplitude_ratio;
  std::optional<double> damping_fit;          ///< artificial, of the dominant motion [1/s]
  std::optional<double> damping_closed_form;  ///< of the method at h omega [1/s]
  std::optional<double> error;                ///< relative distance from the reference

  /// Keys and values as compare.json and compare.csv have them.
  std::vector<std::pair<std::string, std::optional<double>>> named() const;
};

/// Adds the metrics; null where there is no number.
void add_to(Json& json, const RunMetrics& metrics);

}  // namespace brio
