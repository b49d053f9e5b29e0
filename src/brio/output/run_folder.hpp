#pragma once
// A run and the folder that it is written into: the lock, the checkpoints and the output, and how they listen to the
// run.
//
//   RunFolder folder("out", scene, simulation, version);
//   RunResult result = folder.run({.stop = interrupted}, folder.find_stored());

#include "brio/core/folder_lock.hpp"
#include "brio/output/checkpoint.hpp"
#include "brio/output/run_output.hpp"
#include "brio/scene/run.hpp"

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace brio {

class RunFolder {
 public:
  /// Makes and locks the folder. Scene and simulation must outlive it.
  RunFolder(const std::filesystem::path& folder, const Scene& scene, Simulation& simulation, std::string version);

  /// The newest checkpoint of this very run, to go on from; nothing where the folder has none yet. Throws Error where
  /// it is of another run, or has come to its end.
  std::optional<StoredRun> find_stored() const;

  /// What the caller wants to hear and say, besides what is written down.
  struct Caller {
    std::function<void(const StepRecord&)> on_step;
    std::function<bool()> stop;
    std::function<bool(int step)> checkpoint_due;  ///< empty: no checkpoints
    /// Where given, asked after each other step whether to keep it in memory, for write_kept().
    std::function<bool(int step)> keep_due;
    std::function<void()> on_kept;
  };
  /// Runs to the end, from the beginning or from what is stored. The output is written whatever the end was.
  RunResult run(const Caller& caller, std::optional<StoredRun> stored);

  const RunSummary& summary() const { return summary_; }  ///< of the run that has ended
  int stored_step() const { return stored_step_; }        ///< the newest that a checkpoint has; 0 where there is none
  /// Writes a checkpoint of the step that was kept last, unless a newer one is there, and says of which step there is
  /// one now. Another thread may call it while the run is in the middle of a step.
  int write_kept();

 private:
  std::filesystem::path folder_;
  const Scene& scene_;
  Simulation& simulation_;
  FolderLock lock_;
  RunIdentity identity_;
  Checkpoints checkpoints_;
  RunSummary summary_;
  std::mutex writing_;  ///< of checkpoints and of what is kept
  int stored_step_ = 0;
  int kept_step_ = 0;
  double kept_time_ = 0;
  std::string kept_;
};

}  // namespace brio
