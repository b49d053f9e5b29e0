#include "brio/experiment/advise/advise.hpp"

#include "brio/core/error.hpp"
#include "brio/core/log.hpp"
#include "brio/core/text_file.hpp"
#include "brio/experiment/advise/step_cost.hpp"
#include "brio/experiment/compare/compare_output.hpp"
#include "brio/scene/json_text.hpp"
#include "brio/scene/overrides.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <list>
#include <map>
#include <numbers>
#include <numeric>

namespace brio {
namespace {

constexpr std::uintmax_t kLongestText = std::uintmax_t{64} << 20;  // [byte], as for any scene file
constexpr double kFastTenth = 0.9;  // of the steps, whose mean is the cost; the others are the machine's hiccups
constexpr double kSounding = 0.15;  // of the time, to find out what a step of each method costs
constexpr double kPatience = 4;     // times its share of the time that a trial may take
constexpr double kNothingInPlay =
    1e-9;  // of the sizes of the energies that make up the books: below, nothing is in play

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What is followed while a trial goes on.
struct Watched {
  std::vector<double> step_ms;
  double most_expected = 0, most_gap = 0, scale = 0;  ///< [J]
  double last_gap = 0;                                ///< energy that the books do not explain [J]
  bool touched = false, projected = false;

  void see(const StepRecord& record, double start) {
    const double expected = start + record.injected - record.dissipated;
    last_gap = record.total() - expected;
    if (record.step == 0) most_expected = expected;
    most_expected = std::max(most_expected, expected);
    most_gap = std::max(most_gap, last_gap);
    scale = std::max({scale, std::fabs(record.kinetic), std::fabs(record.potentials.elastic),
                      std::fabs(record.potentials.gravity), std::fabs(record.injected)});
    touched = touched || record.potentials.contact > 0;
    projected = projected || record.report.projections > 0 || record.report.shifts > 0;
    if (record.step > 0) step_ms.push_back(record.step_ms);
  }

  double cost(double h) const {
    std::vector<double> sorted = step_ms;
    std::sort(sorted.begin(), sorted.end());
    sorted.resize(std::max<size_t>(1, static_cast<size_t>(kFastTenth * static_cast<double>(sorted.size()))));
    return 1e-3 * std::accumulate(sorted.begin(), sorted.end(), 0.0) / (static_cast<double>(sorted.size()) * h);
  }
};

class Advisor {
 public:
  Advisor(const SceneText& text, const SceneTables& tables, double seconds, const std::filesystem::path& folder,
          const AdviceListener& listener)
      : text_(text), tables_(tables), seconds_(seconds), folder_(folder), listener_(listener) {}

  Advice execute() {
    look();
    advice_.plan = plan_trials(advice_.facts, advice_.candidates, std::max(0.1, seconds_ - seconds_since(begin_)));
    advice_.notes = advice_.plan.notes;
    ComparePlan plan;
    for (size_t i = 0; i < advice_.plan.tried; ++i) plan.runs.push_back(planned(i, advice_.scene.h));
    if (advice_.plan.reference) plan.reference = planned_reference();
    if (plan.reference) reference_ = &*plan.reference;
    CompareOutput output(folder_);
    CompareListener listener = compare_listener(output);
    const Comparison comparison = compare(plan, listener);
    output.write(plan, comparison);
    advice_.interrupted = comparison.interrupted;
    measure(comparison);
    judge();
    note_limits(comparison);
    return std::move(advice_);
  }

 private:
  void look() {
    advice_.scene = text_.scene(tables_);
    json_ = text_.json(tables_);
    advice_.own_integrator = json_["integrator"];
    const auto start = std::chrono::steady_clock::now();
    const Simulation simulation = build_simulation(advice_.scene);
    const double build_s = seconds_since(start);
    for (const std::string& note : simulation.notes) log_warning(note);
    try {
      advice_.facts = gather_facts(advice_.scene, simulation);
    } catch (const Error& error) {
      throw Error("{}: {}", text_.file.string(), error.what());
    }
    advice_.facts.build_s = build_s;
    advice_.candidates = candidates_for(advice_.facts, advice_.own_integrator);
    if (listener_.on_facts) listener_.on_facts(advice_.scene, advice_.facts);
    estimate_step_cost(simulation, advice_.facts, kSounding * seconds_, advice_.candidates);
  }

  PlannedRun planned(size_t candidate, double h) const {
    const Candidate& method = advice_.candidates[candidate];
    const double base = advice_.scene.h;
    PlannedRun run{h == base ? method.label : fmt::format("{}, h={:g}", method.label, h),
                   parse_scene(with_candidate(json_, method, h).dump(), text_.file, tables_)};
    // Every run has the same output times: each second step of the scene's, which is one step of twice the length.
    run.scene.output.every = std::max(1, static_cast<int>(std::lround(2 * base / h)));
    run.scene.steps = static_cast<int>(std::lround(advice_.plan.steps * base / h));
    return run;
  }

  PlannedRun planned_reference() const {
    const TrialReference& reference = *advice_.plan.reference;
    Candidate method;
    method.integrator = {{"name", reference.name}};
    PlannedRun run{fmt::format("reference {}, h / {}", reference.name, reference.pieces),
                   parse_scene(with_candidate(json_, method, advice_.scene.h).dump(), text_.file, tables_)};
    run.scene.h = advice_.scene.h / reference.pieces;
    run.scene.output.every = 2 * reference.pieces;
    run.scene.steps = advice_.plan.steps * reference.pieces;
    return run;
  }

  CompareListener compare_listener(CompareOutput& output) {
    CompareListener listener;
    listener.on_begin = [this](const PlannedRun& run, const Simulation&) {
      run_begin_ = std::chrono::steady_clock::now();
      if (listener_.on_begin) listener_.on_begin(run.label, run.scene.steps);
    };
    listener.on_step = [this, &output](const PlannedRun& run, const StepRecord& record) {
      output.on_step(run, record);
      Watched& watched = watched_[&run];
      if (record.step == 0) start_energy_ = record.total();
      watched.see(record, start_energy_);
      if (listener_.on_step) listener_.on_step(record.step);
    };
    listener.on_end = [this](const ComparedRun&, const Comparison&) {
      if (listener_.on_end) listener_.on_end();
    };
    listener.stop = listener_.stop;
    listener.skip = [this](const PlannedRun& run) { return out_of_time(run); };
    listener.next = [this](const Comparison& comparison) { return next_step(comparison); };
    return listener;
  }

  /// The first trial is the scene's own method: without it there is nothing to say, so it may take longer.
  bool out_of_time(const PlannedRun& run) const {
    const bool first = watched_.size() - watched_.count(reference_) == 1 && watched_.contains(&run);
    if (seconds_since(begin_) > (first ? kPatience : 1) * seconds_) return true;
    if (first || !watched_.contains(&run)) return false;
    return seconds_since(run_begin_) > kPatience * seconds_ / static_cast<double>(advice_.plan.tried + 3);
  }

  /// Once the method is chosen: half its step, and twice.
  const PlannedRun* next_step(const Comparison& comparison) {
    if (!advice_.plan.other_steps || seconds_since(begin_) > seconds_) return nullptr;
    if (factors_.empty()) return nullptr;
    measure(comparison);
    if (further_.empty()) {
      const Verdict verdict = choose_method(advice_.trials, advice_.swings);
      if (!verdict.chosen) return nullptr;
      chosen_ = *verdict.chosen;
    }
    const double factor = factors_.back();
    factors_.pop_back();
    if (factor > 1 && !comparison.has_errors()) return next_step(comparison);  // nothing would say what it costs
    further_.push_back(planned(advice_.tried[chosen_], factor * advice_.scene.h));
    further_candidates_[&further_.back()] = advice_.tried[chosen_];
    return &further_.back();
  }

  /// The trials so far in numbers.
  void measure(const Comparison& comparison) {
    advice_.trials.clear();
    advice_.tried.clear();
    double level = std::numeric_limits<double>::infinity();
    if (comparison.has_errors()) level = comparison.reference->lowest_potential;
    for (const ComparedRun& run : comparison.runs)
      if (run.has_results()) level = std::min(level, run.lowest_potential);
    for (const ComparedRun& run : comparison.runs) {
      advice_.tried.push_back(candidate_of(*run.plan));
      advice_.trials.push_back(trial_of(run, level));
    }
    measure_swings(comparison);
    if (comparison.has_errors()) advice_.reference = comparison.reference->plan->label.substr(strlen("reference "));
  }

  size_t candidate_of(const PlannedRun& run) const {
    const auto further = further_candidates_.find(&run);
    if (further != further_candidates_.end()) return further->second;
    const auto& all = advice_.candidates;
    return std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.label == run.label; }) - all.begin();
  }

  Trial trial_of(const ComparedRun& run, double level) {
    const Watched& watched = watched_[run.plan];
    Trial trial;
    trial.label = run.plan->label;
    trial.h = run.plan->scene.h;
    trial.own = advice_.candidates[advice_.tried.back()].own && trial.h == advice_.scene.h;
    trial.finished = run.summary.status == "finished";
    trial.steps = run.summary.steps;
    trial.failure = run.summary.status == "interrupted"
                        ? fmt::format("out of time: stopped after {} of {} steps", trial.steps, run.plan->scene.steps)
                        : fmt::format("{}: {}", run.summary.status, run.summary.message);
    if (trial.finished) trial.failure.clear();
    if (!watched.step_ms.empty()) trial.cost = watched.cost(trial.h);
    const double in_play = watched.most_expected - level;
    if (trial.finished && in_play > kNothingInPlay * watched.scale && in_play > 0) {
      trial.drift = watched.last_gap / in_play;
      trial.gain = watched.most_gap / in_play;
    }
    trial.error = run.metrics.error;
    trial.projected = watched.projected;
    return trial;
  }

  /// The period is that of the reference's probe; of the run with the least error where it has none; else that of the
  /// mode which starts with the most energy.
  void measure_swings(const Comparison& comparison) {
    const double duration = advice_.plan.steps * advice_.scene.h;
    std::optional<double> omega;
    if (comparison.has_errors()) omega = comparison.reference->metrics.omega;
    for (const ComparedRun& run : comparison.runs)
      if (!omega && run.has_results()) omega = run.metrics.omega;
    if (!omega) omega = advice_.facts.leading();
    advice_.swings = omega ? duration * *omega / (2 * std::numbers::pi) : 0;
  }

  void judge() {
    std::vector<Trial> first;
    for (const Trial& trial : advice_.trials)
      if (trial.h == advice_.scene.h) first.push_back(trial);
    advice_.verdict = choose_method(first, advice_.swings);
    if (further_.empty() || !advice_.verdict.chosen) return;
    std::vector<size_t> steps = {*advice_.verdict.chosen};
    for (size_t i = first.size(); i < advice_.trials.size(); ++i) steps.push_back(i);
    const Verdict step = choose_step(advice_.trials, *advice_.verdict.chosen, steps, advice_.swings);
    advice_.verdict.objections = step.objections;
    advice_.verdict.chosen = step.chosen;
    advice_.step_reason = step.reason;
  }

  void note_limits(const Comparison& comparison) {
    const auto leading = advice_.facts.leading();
    if (advice_.swings > 0 && advice_.swings < 1)
      advice_.notes.push_back(
          fmt::format("the trials are shorter than one swing ({:.2g} of it): what is lost in the long "
                      "run does not show yet",
                      advice_.swings));
    if (advice_.swings == 0 && !leading)
      advice_.notes.push_back("no swing is known: what may be lost is counted over the whole trial");
    if (advice_.plan.reference && advice_.reference.empty())
      advice_.notes.push_back("the reference did not get through: errors are not known");
    if (comparison.reference && comparison.reference->summary.status == "interrupted")
      advice_.notes.push_back(fmt::format("the reference ran out of time: errors are those of the first {:.3g} s",
                                          comparison.reference->last.time));
    if (comparison.runs.size() < advice_.plan.tried)
      for (size_t i = comparison.runs.size(); i < advice_.plan.tried; ++i)
        advice_.notes.push_back(fmt::format("no time was left to try {}", advice_.candidates[i].label));
    const bool touched = std::any_of(watched_.begin(), watched_.end(), [](auto& w) { return w.second.touched; });
    if (advice_.facts.contact && !touched)
      advice_.notes.push_back("nothing was touched during the trials: they say nothing about contact");
  }

  const SceneText& text_;
  const SceneTables& tables_;
  const double seconds_;
  const std::filesystem::path folder_;
  const AdviceListener& listener_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point run_begin_;
  Json json_;
  Advice advice_;
  std::map<const PlannedRun*, Watched> watched_;
  double start_energy_ = 0;  ///< of the run that goes on [J]
  std::list<PlannedRun> further_;
  std::map<const PlannedRun*, size_t> further_candidates_;
  std::vector<double> factors_ = {0.5, 2};  ///< on the step, to be tried from the last
  size_t chosen_ = 0;
  const PlannedRun* reference_ = nullptr;
};

}  // namespace

SceneText read_scene_text(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return {file, read_text(file, kLongestText), overrides};
}

Json SceneText::json(const SceneTables& tables) const {
  Json json = parse_json(text, file.string());
  Problems problems(file.string());
  apply_overrides(json, overrides, tables, problems);
  problems.throw_if_any();
  return json;
}

Advice advise(const SceneText& text, const SceneTables& tables, double seconds, const std::filesystem::path& folder,
              const AdviceListener& listener) {
  return Advisor(text, tables, seconds, folder, listener).execute();
}

}  // namespace brio
