#pragma once
// The output folder of `brio quasistatic`: iterations.csv during the solve; summary.json, the final shape in the
// frame formats, and report.html with the iterates as an animation at the end.

#include "brio/core/file.hpp"
#include "brio/core/json.hpp"
#include "brio/output/recording.hpp"
#include "brio/scene/quasistatic.hpp"

#include <memory>

namespace brio {

class QuasistaticOutput {
 public:
  /// Creates the folder. Frame formats are names of frame_formats().
  QuasistaticOutput(const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation, double t,
                    const StaticLimits& limits, const std::vector<std::string>& formats);

  void on_iterate(const QuasistaticIterate& iterate);
  /// The simulation's state is the final shape.
  void finish(const QuasistaticResult& result);

 private:
  Json summary(const QuasistaticResult& result) const;

  std::filesystem::path folder_;
  const Scene& scene_;
  const Simulation& simulation_;
  double t_;  ///< at which supports, obstacles and loads are taken [s]
  StaticLimits limits_;
  OutputFile csv_;
  std::vector<std::unique_ptr<FrameWriter>> writers_;
  Recording recording_;  ///< its "time" is the number of the iteration
  /// One entry an iterate: number, residual, energies [J].
  std::vector<double> iteration_, residual_, elastic_, gravity_, contact_, total_;
};

}  // namespace brio
