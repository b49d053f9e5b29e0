#pragma once
// Which runs a comparison consists of: the same scene with each of several integrators, and the same output times.

#include "brio/scene/scene.hpp"

#include <optional>
#include <string>
#include <vector>

namespace brio {

struct PlannedRun {
  std::string label;  ///< tells the runs apart: "newmark gamma=0.6"
  Scene scene;
};

struct ComparePlan {
  std::vector<PlannedRun> runs;  ///< in the order asked for
  std::optional<PlannedRun> reference;
};

/// `integrators` is "si,be,newmark:gamma=0.6:beta=0.3:h=0.005", `reference` is "" or "rk4@1e-4"; both are read with the
/// scene's own rules. An own step must divide the scene's output interval (output.every steps of its integrator.h) and
/// its duration. Throws one Error with a line for every problem, before anything runs.
ComparePlan plan_comparison(const std::filesystem::path& file, const SceneTables& tables,
                            const std::vector<std::string>& overrides, const std::string& integrators,
                            const std::string& reference = "");

}  // namespace brio
