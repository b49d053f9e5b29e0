#include "brio/scene/run_loop.hpp"

#include "brio/core/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

RunLoop::RunLoop(Simulation& simulation, const RunListener& listener)
    : simulation_(simulation), listener_(listener), stepper_(simulation) {
  result_.initial_energy = result_.max_energy = now().total();
}

RunResult RunLoop::go() {
  tell(true);
  return go_on();
}

RunResult RunLoop::go_on_from(std::string stored) {
  load(std::move(stored));
  return go_on();
}

void RunLoop::load(std::string stored) {
  Archive archive(std::move(stored));
  this->archive(archive);
  stepper_.go_on(result_.steps);  // with what the listener has loaded
}

std::string RunLoop::stored() {
  Archive archive;
  archive.expect(stored_bytes_);
  this->archive(archive);
  stored_bytes_ = archive.bytes().size();
  return std::move(archive).bytes();
}

StepReport RunLoop::step() {
  result_.status = RunStatus::finished;
  result_.message.clear();
  while (cut_is_due()) cut();
  Stopwatch watch;
  const Stepper::Outcome outcome = stepper_.step();
  StepReport report = stepper_.report();
  result_ += report;
  if (outcome != Stepper::Outcome::failed) {
    result_.steps = now().step;
    result_.step_ms.add(now().step_ms);
    tally_.add(report, now().inverted);
  }
  if (outcome != Stepper::Outcome::ok) {
    report.status = StepStatus::diverged;
    report.reason = stepper_.wrong();
    fail();
    return report;
  }
  result_.max_energy = std::max(result_.max_energy, now().total());
  result_.bookkeeping_s += watch.lap() - 1e-3 * now().step_ms;
  return report;
}

void RunLoop::on_simulation_changed() {
  const std::shared_ptr<MatrixX3d> x = stepper_.positions(), u = stepper_.velocities();
  stepper_.set_system();
  stepper_.keep_in(x, u);
  stepper_.set_step_length();
  stepper_.go_on(stepper_.steps());
}

RunResult RunLoop::result_here() const {
  RunResult result = result_;
  result.extras.take_means(result.steps);
  result.shares = tally_.shares();
  result.final_energy = stepper_.total();
  return result;
}

RunResult RunLoop::go_on() {
  Stopwatch wall;
  for (int step = result_.steps + 1; step <= simulation_.steps; ++step) {
    if (this->step().status == StepStatus::diverged) {
      if (result_.steps == step) tell(false);  // taken, and the energy ran away
      break;
    }
    Stopwatch watch;
    const bool stop = listener_.stop && listener_.stop() && step < simulation_.steps;
    tell(is_frame(step));
    result_.bookkeeping_s += watch.lap();
    if (listener_.checkpoint_due && (listener_.checkpoint_due(step) || stop || step == simulation_.steps)) {
      result_.wall_s += wall.lap();
      const std::string bytes = stored();
      if (listener_.on_checkpoint) listener_.on_checkpoint(now(), bytes);
    } else if (listener_.keep_due && listener_.keep_due(step)) {
      result_.wall_s += wall.lap();
      listener_.on_kept(now(), stored());
    }
    result_.bookkeeping_s += watch.lap();
    if (stop) {
      result_.status = RunStatus::interrupted;
      result_.message = fmt::format("interrupted after step {} of {}", step, simulation_.steps);
      break;
    }
  }
  // Whoever goes on with the run does without this frame, which an unbroken run has not.
  if (result_.status != RunStatus::diverged && !is_frame(result_.steps)) tell_frame();
  result_ = result_here();
  const std::string doubt = doubts(result_.shares);
  if (result_.status == RunStatus::finished && !doubt.empty()) {
    result_.status = RunStatus::doubtful;
    result_.message = doubt;
  }
  result_.wall_s += wall.lap();
  result_.peak_rss_mb = std::max(result_.peak_rss_mb, peak_rss_mb());
  return std::move(result_);
}

void RunLoop::archive(Archive& archive) {
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
void RunLoop::cut_again() {
  for (BeforeCut& before : before_cuts_) {
    simulation_.state = before.state;
    const CutReport report = perform_cut(simulation_, before.number);
    if (listener_.on_cut) listener_.on_cut(report);
  }
}

bool RunLoop::cut_is_due() const {
  return next_cut_ < simulation_.cuts.size() &&
         simulation_.cuts[next_cut_].time <= simulation_.state.t + kCutSlack * simulation_.h;
}

void RunLoop::cut() {
  BeforeCut before{next_cut_, simulation_.state};
  CutReport report = perform_cut(simulation_, next_cut_++);
  if (report.changed && listener_.checkpoint_due) before_cuts_.push_back(std::move(before));
  if (report.changed) report.energy_change = stepper_.set_system();
  result_.cuts.push_back(report);
  if (listener_.on_cut) listener_.on_cut(report);
}

void RunLoop::tell(bool with_frame) {
  if (listener_.on_step) listener_.on_step(now());
  if (with_frame) tell_frame();
}

void RunLoop::tell_frame() {
  if (listener_.on_frame)
    listener_.on_frame({now().time, stepper_.x(), stepper_.u(), now().report.contact_forces.get()});
}

void RunLoop::fail() {
  result_.status = RunStatus::diverged;
  result_.message = stepper_.advice();
}

}  // namespace brio
