#pragma once
// The output folder of a run: energy.csv, bodies.csv, probe.csv, liveliness.csv, summary.json, frames and
// report.html.
// Everything but the report is on disk while the run goes on; finish() writes the report whatever the run's end was.

#include "brio/output/bodies_csv.hpp"
#include "brio/output/energy_csv.hpp"
#include "brio/output/frames/frame.hpp"
#include "brio/output/liveliness_output.hpp"
#include "brio/output/probe_csv.hpp"
#include "brio/output/run_recorder.hpp"
#include "brio/output/summary.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brio {

class RunOutput {
 public:
  /// Creates the folder. Frame formats are names of frame_formats().
  RunOutput(const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation,
            const std::vector<std::string>& formats);

  void on_step(const StepRecord& record);
  void on_frame(const RunFrame& frame);
  /// The topology of the body has changed. Formats that hold one topology only continue in folders named "pc2-cut1" …
  void on_cut();
  RunSummary finish(const RunResult& result);

  std::filesystem::path report_path() const { return folder_ / "report.html"; }

 private:
  std::filesystem::path folder_;
  const Scene& scene_;
  const Simulation& simulation_;
  EnergyCsv csv_;
  std::optional<ProbeCsv> probe_;
  std::optional<BodiesCsv> bodies_;             ///< of a scene with "bodies"
  std::optional<LivelinessOutput> liveliness_;  ///< of adaptive nodes
  std::vector<std::string> formats_;
  std::vector<std::unique_ptr<FrameWriter>> writers_;  ///< one for each format
  int cuts_ = 0;
  RunRecorder recorder_;
};

}  // namespace brio
