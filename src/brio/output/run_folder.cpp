#include "brio/output/run_folder.hpp"

#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/log.hpp"

namespace brio {

RunFolder::RunFolder(const std::filesystem::path& folder, const Scene& scene, Simulation& simulation,
                     std::string version)
    : folder_(folder),
      scene_(scene),
      simulation_(simulation),
      lock_(create_folder(folder)),
      identity_(RunIdentity::of(simulation, version)),
      checkpoints_(folder, identity_) {}

std::optional<StoredRun> RunFolder::find_stored() const {
  if (!has_run(folder_)) return {};
  StoredRun stored = newest_checkpoint(folder_);
  refuse_other_run(folder_, stored.identity, identity_);
  if (stored.stored.empty()) {
    if (std::filesystem::exists(folder_ / "summary.json"))
      throw Error("{}: the run has ended, and no checkpoint was kept to go on from; `brio run` begins anew",
                  folder_.string());
    return {};
  }
  if (stored.step > scene_.steps)
    throw Error("{}: the run is at step {} already, beyond the {} steps asked for", folder_.string(), stored.step,
                scene_.steps);
  return stored;
}

int RunFolder::write_kept() {
  const std::lock_guard guard(writing_);
  if (kept_step_ > stored_step_) {
    checkpoints_.write(kept_step_, kept_time_, kept_);
    stored_step_ = kept_step_;
  }
  return stored_step_;
}

RunResult RunFolder::run(const Caller& caller, std::optional<StoredRun> stored) {
  checkpoints_.begin(!stored);
  std::optional<RunOutput> output;
  if (stored)
    output.emplace(RunOutput::GoesOn{}, folder_, scene_, simulation_, scene_.output.frames);
  else
    output.emplace(folder_, scene_, simulation_, scene_.output.frames);
  stored_step_ = stored ? stored->step : 0;

  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    output->on_step(record);
    if (caller.on_step) caller.on_step(record);
  };
  listener.on_frame = [&](const RunFrame& frame) { output->on_frame(frame); };
  listener.on_cut = [&](const CutReport& cut) {
    if (!cut.changed) return;
    for (const std::string& note : simulation_.notes) log_warning(note);
    output->on_cut();
  };
  listener.stop = caller.stop;
  listener.archive = [&](Archive& archive) { output->archive(archive); };
  listener.checkpoint_due = caller.checkpoint_due;
  if (caller.checkpoint_due)
    listener.on_checkpoint = [&](const StepRecord& record, const std::string& bytes) {
      const std::lock_guard guard(writing_);
      checkpoints_.write(record.step, record.time, bytes);
      stored_step_ = record.step;
    };
  // What was kept before makes room for what is kept now; whoever writes it meanwhile waits.
  std::unique_lock keeping(writing_, std::defer_lock);
  if (caller.keep_due)
    listener.keep_due = [&](int step) {
      if (!caller.keep_due(step)) return false;
      keeping.lock();
      kept_step_ = 0;
      kept_ = std::string();
      return true;
    };
  listener.on_kept = [&](const StepRecord& record, std::string bytes) {
    kept_step_ = record.step;
    kept_time_ = record.time;
    kept_ = std::move(bytes);
    keeping.unlock();
    if (caller.on_kept) caller.on_kept();
  };
  RunResult result =
      stored ? resume(simulation_, listener, std::move(stored->stored)) : brio::run(simulation_, listener);
  summary_ = output->finish(result);
  checkpoints_.end();
  return result;
}

}  // namespace brio
