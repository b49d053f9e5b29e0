#pragma once
// Which runs a comparison consists of: a scene with each of several integrators at the same output times, or several
// scenes.

#include "brio/scene/scene.hpp"

#include <optional>
#include <string>
#include <vector>

namespace brio {

struct PlannedRun {
  std::string label;  ///< tells the runs apart: "newmark gamma=0.6"
  Scene scene;
  std::string problem = {};  ///< runs with one text here differ in the method alone, and their energies compare
};

struct ComparePlan {
  std::vector<PlannedRun> runs;  ///< in the order asked for
  std::optional<PlannedRun> reference;
  size_t shown_runs = 24;          ///< of which the page shows the bodies, at most
  size_t page_bytes = 24'000'000;  ///< of the frames of all runs together, on the page
};

/// `integrators` is "si,be,newmark:gamma=0.6:beta=0.3:h=0.005", `reference` is "" or "rk4@1e-4"; both are read with the
/// scene's own rules. An own step must divide the scene's output interval (output.every steps of its integrator.h) and
/// its duration. Throws one Error with a line for every problem, before anything runs.
ComparePlan plan_comparison(const std::filesystem::path& file, const SceneTables& tables,
                            const std::vector<std::string>& overrides, const std::string& integrators,
                            const std::string& reference = "");

/// The same for a scene that is at hand.
ComparePlan plan_comparison(const Scene& scene, const SceneTables& tables, const std::string& integrators,
                            const std::string& reference = "");

/// Several scenes side by side: each with its own method where `integrators` is empty, and with each of the methods
/// otherwise.
ComparePlan plan_comparison(const std::vector<std::filesystem::path>& files, const SceneTables& tables,
                            const std::vector<std::string>& overrides, const std::string& integrators);

}  // namespace brio
