#include "brio/scene/run.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/scene/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sys/resource.h>

namespace brio {
namespace {

double peak_rss_mb() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void archive_cut(Archive& archive, CutReport& cut) {
  archive(cut.path, cut.time, cut.changed, cut.pieces_before, cut.pieces, cut.subdivided, cut.new_vertices,
          cut.new_tets, cut.energy_change, cut.ms);
}

class RunLoop {
 public:
  RunLoop(Simulation& simulation, const RunListener& listener)
      : simulation_(simulation), listener_(listener), stepper_(simulation) {
    result_.initial_energy = result_.max_energy = stepper_.now().total();
  }

  RunResult go() {
    tell(true);
    return go_on();
  }

  RunResult go_on_from(std::string stored) {
    Archive archive(std::move(stored));
    this->archive(archive);
    stepper_.go_on(result_.steps);
    return go_on();
  }

 private:
  RunResult go_on() {
    Stopwatch wall;
    for (int step = result_.steps + 1; step <= simulation_.steps; ++step) {
      while (cut_is_due()) cut();
      Stopwatch watch;
      const Stepper::Outcome outcome = stepper_.step();
      result_ += stepper_.report();
      if (outcome == Stepper::Outcome::failed) {
        fail();
        break;
      }
      const StepRecord& now = stepper_.now();
      result_.steps = step;
      result_.step_ms.add(now.step_ms);
      tally_.add(now.report, now.inverted);
      if (outcome == Stepper::Outcome::runaway) {
        tell(false);
        fail();
        break;
      }
      result_.max_energy = std::max(result_.max_energy, now.total());
      const bool stop = listener_.stop && listener_.stop() && step < simulation_.steps;
      tell(is_frame(step));
      result_.bookkeeping_s += watch.lap() - 1e-3 * now.step_ms;
      if (listener_.checkpoint_due && (listener_.checkpoint_due(step) || stop || step == simulation_.steps))
        store(wall);
      result_.bookkeeping_s += watch.lap();
      if (stop) {
        result_.status = RunStatus::interrupted;
        result_.message = fmt::format("interrupted after step {} of {}", step, simulation_.steps);
        break;
      }
    }
    // Whoever goes on with the run does without this frame, which an unbroken run has not.
    if (result_.status != RunStatus::diverged && !is_frame(result_.steps)) tell_frame();
    result_.extras.take_means(result_.steps);
    result_.shares = tally_.shares();
    const std::string doubt = doubts(result_.shares);
    if (result_.status == RunStatus::finished && !doubt.empty()) {
      result_.status = RunStatus::doubtful;
      result_.message = doubt;
    }
    result_.final_energy = stepper_.total();
    result_.wall_s += wall.lap();
    result_.peak_rss_mb = std::max(result_.peak_rss_mb, peak_rss_mb());
    return std::move(result_);
  }

  bool is_frame(int step) const { return step % simulation_.every == 0; }

  /// All that the rest of the run depends on, but for the simulation that it began with.
  void archive(Archive& archive) {
    archive.mark("cuts");
    archive(next_cut_, before_cuts_);
    if (archive.loading()) cut_again();
    archive.mark("state");
    archive(stepper_, tally_);
    archive.mark("result");
    archive(result_.steps, result_.wall_s, result_.step_ms, result_.bookkeeping_s, result_.initial_energy,
            result_.max_energy, result_.peak_rss_mb);
    archive_work(archive, result_);
    std::uint64_t cuts = result_.cuts.size();
    archive(cuts);
    result_.cuts.resize(cuts);
    for (CutReport& cut : result_.cuts) archive_cut(archive, cut);
    archive.mark("listener");
    if (listener_.archive) listener_.archive(archive);
  }

  /// The body as it was when it was stored: each cut from the state that it found.
  void cut_again() {
    for (BeforeCut& before : before_cuts_) {
      simulation_.state = before.state;
      const CutReport report = perform_cut(simulation_, before.number);
      if (listener_.on_cut) listener_.on_cut(report);
    }
  }

  void store(Stopwatch& wall) {
    Archive archive;
    result_.wall_s += wall.lap();
    this->archive(archive);
    if (listener_.on_checkpoint) listener_.on_checkpoint(stepper_.now(), archive.bytes());
  }

  bool cut_is_due() const {
    return next_cut_ < simulation_.cuts.size() &&
           simulation_.cuts[next_cut_].time <= simulation_.state.t + kCutSlack * simulation_.h;
  }

  void cut() {
    BeforeCut before{next_cut_, simulation_.state};
    CutReport report = perform_cut(simulation_, next_cut_++);
    if (report.changed && listener_.checkpoint_due) before_cuts_.push_back(std::move(before));
    if (report.changed) report.energy_change = stepper_.set_system();
    result_.cuts.push_back(report);
    if (listener_.on_cut) listener_.on_cut(report);
  }

  void tell(bool with_frame) {
    if (listener_.on_step) listener_.on_step(stepper_.now());
    if (with_frame) tell_frame();
  }

  void tell_frame() {
    if (listener_.on_frame) listener_.on_frame({stepper_.now().time, stepper_.x(), stepper_.u()});
  }

  void fail() {
    result_.status = RunStatus::diverged;
    result_.message = stepper_.advice();
  }

  /// A cut that changed the body, and what it was before.
  struct BeforeCut {
    size_t number = 0;  ///< of the simulation's
    State state;
    void archive(Archive& archive) { archive(number, state); }
  };

  Simulation& simulation_;
  const RunListener& listener_;
  Stepper stepper_;
  RunResult result_;
  StepTally tally_;
  size_t next_cut_ = 0;                 ///< of the simulation's
  std::vector<BeforeCut> before_cuts_;  ///< where the run may be stored
};

}  // namespace

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
