#pragma once
// The output folder of a run: energy.csv, bodies.csv, contacts.csv, probe.csv, reactions.csv, liveliness.csv,
// summary.json, frames and report.html.
// Everything but the report is on disk while the run goes on; finish() writes the report whatever the run's end was.

#include "brio/output/bodies_csv.hpp"
#include "brio/output/contacts_csv.hpp"
#include "brio/output/energy_csv.hpp"
#include "brio/output/frames/frame.hpp"
#include "brio/output/liveliness_output.hpp"
#include "brio/output/probe_csv.hpp"
#include "brio/output/reactions_csv.hpp"
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
  /// For a run that goes on: nothing is written before archive() has loaded what there is. Cuts that come before that
  /// are those that were made.
  struct GoesOn {};
  RunOutput(GoesOn, const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation,
            const std::vector<std::string>& formats);

  void on_step(const StepRecord& record);
  void on_frame(const RunFrame& frame);
  /// The topology of the body has changed. Formats that hold one topology only continue in folders named "pc2-cut1" …
  void on_cut();
  RunSummary finish(const RunResult& result);

  /// All files and what the page is made of; or, when the archive loads, the files cut back to what they were.
  void archive(Archive& archive);
  /// Only what the page is made of. No file is looked at.
  void archive_page(Archive& archive);
  /// Energies after a step of which there is nothing else.
  void add_energies(const StepRecord& record) { recorder_.add_energies(record); }
  /// Only the page, of a run that has not come to its end here.
  void write_page(const RunSummary& summary) const;

  std::filesystem::path report_path() const { return folder_ / "report.html"; }

 private:
  std::unique_ptr<FrameWriter> writer(size_t format) const;

  std::filesystem::path folder_;
  const Scene& scene_;
  const Simulation& simulation_;
  EnergyCsv csv_;
  std::optional<ProbeCsv> probe_;
  std::optional<BodiesCsv> bodies_;                    ///< of a scene with "bodies"
  std::optional<ReactionsCsv> reactions_;              ///< where something holds the bodies or may touch them
  std::optional<ContactsCsv> contacts_;                ///< of a scene with "contact"
  std::optional<LivelinessOutput> liveliness_;         ///< of adaptive nodes
  std::vector<std::string> formats_, folders_;         ///< and where the frames of each go
  std::vector<std::unique_ptr<FrameWriter>> writers_;  ///< one for each format
  int cuts_ = 0;
  bool goes_on_ = false;  ///< and has not loaded yet
  RunRecorder recorder_;
};

}  // namespace brio
