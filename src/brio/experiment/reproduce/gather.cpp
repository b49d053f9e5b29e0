#include "brio/experiment/reproduce/gather.hpp"

#include "brio/core/error.hpp"
#include "brio/core/json.hpp"
#include "brio/experiment/compare/compare_output.hpp"
#include "brio/experiment/converge/convergence.hpp"
#include "brio/material/stretch_curves.hpp"
#include "brio/output/damping_output.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/scene_laws.hpp"

#include <cmath>

namespace brio {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kCurvesOfSteps[] = {"min_det_f", "step_ms"};  // that the page of a run has not

/// Curves of every step that the page of a run has not, by name: those above, and what methods report in numbers.
std::vector<std::string> curves_of_steps() {
  std::vector<std::string> names(std::begin(kCurvesOfSteps), std::end(kCurvesOfSteps));
  for (const Extra& extra : declared_extras())
    if (extra.over != Extra::Over::curve && extra.value != Extra::Value::choice) names.emplace_back(extra.name);
  return names;
}

void add_point(SampledCurve& curve, double x, double y) {
  if (!std::isfinite(y)) return;
  curve.x.push_back(x);
  curve.y.push_back(y);
}

bool is_time(const std::string& name) {
  return name.ends_with("_ms") || name == "step_ms_max" || name == "wall_s" || name == "cost";
}

/// The numbers of a run by name: those of its summary and of its comparison with the others.
std::map<std::string, double> numbers_of(const ComparedRun& run) {
  const RunSummary& s = run.summary;
  std::map<std::string, double> numbers = {
      {"finished", s.finished()}, {"step_ms", s.step_ms_median}, {"step_ms_max", s.step_ms_max}, {"spread", 1}};
  const Json summary = to_json(s);
  for (const auto& [name, value] : summary.items())
    if (value.is_number()) numbers[name] = value.get<double>();
  for (const char* phase : {"assembly", "factor", "solve", "other", "bookkeeping"}) {
    double& ms = numbers[std::string(phase) + "_ms"] = kNone;
    for (const auto& [name, value] : s.phase_ms)
      if (name == phase) ms = value;
  }
  for (const auto& [name, value] : run.metrics.named()) numbers[name] = value.value_or(kNone);
  return numbers;
}

/// Curves against time: those of the page, and the path of the probe.
std::map<std::string, SampledCurve> curves_of(const ComparedRun& run) {
  std::map<std::string, SampledCurve> curves;
  const std::vector<std::string>& columns = run.recorder.series().columns();
  for (size_t c = 1; c < columns.size(); ++c) curves[columns[c]];
  for (const Series::Row& row : run.recorder.series().rows())
    for (size_t c = 1; c < columns.size(); ++c) add_point(curves[columns[c]], row[0], row[c]);
  for (int axis = 0; axis < 3; ++axis) {
    SampledCurve& path = curves[std::string("probe_") + "xyz"[axis]];
    for (size_t i = 0; i < run.probe.time.size(); ++i) add_point(path, run.probe.time[i], run.probe.position[i][axis]);
  }
  return curves;
}

std::vector<std::string> changes(const SceneChange& change, const ReproduceOptions& options) {
  std::vector<std::string> set = change.set;
  if (options.quick) set.insert(set.end(), change.quick.begin(), change.quick.end());
  return set;
}

Scene load_changed(const SceneChange& change, const ReproduceOptions& options) {
  Scene scene = load_scene(change.scene, scene_tables(), changes(change, options));
  if (options.steps) scene.steps = std::min(scene.steps, *options.steps);
  return scene;
}

/// Runs that differ in nothing but their method are of one problem.
std::string problem_of(const SceneChange& change, const ReproduceOptions& options) {
  std::string problem = change.scene.string();
  for (const std::string& value : changes(change, options))
    if (!value.starts_with("integrator.") && !value.starts_with("condensation.") && !value.starts_with("steps=") &&
        !value.starts_with("output."))
      problem += "\n" + value;
  return problem;
}

class Gatherer {
 public:
  Gatherer(const PaperItem& item, const ReproduceOptions& options, const std::filesystem::path& folder,
           const ProgressListener& listener)
      : item_(item), options_(options), folder_(folder), listener_(listener) {}

  Gathered execute() {
    run_scenes();
    for (const ConvergenceSource& source : item_.convergence)
      if (!result_.interrupted) solve_step(source);
    for (const OscillatorSource& source : item_.oscillators) swing(source);
    for (const MaterialSource& source : item_.materials) stretch(source);
    return std::move(result_);
  }

 private:
  PlannedRun planned(const LabeledRun& run) const {
    return {run.label, load_changed(run.change, options_), problem_of(run.change, options_)};
  }

  void run_scenes() {
    if (item_.runs.empty()) return;
    constexpr size_t kPageBytes = 4'000'000;  // there are dozens of such pages
    constexpr size_t kBodiesShown = 8;
    ComparePlan plan;
    plan.page_bytes = kPageBytes;
    plan.shown_runs = kBodiesShown;
    for (const LabeledRun& run : item_.runs) plan.runs.push_back(planned(run));
    if (item_.reference) plan.reference = planned(*item_.reference);
    CompareOutput output(folder_);
    CompareListener listener;
    listener.on_begin = [&](const PlannedRun& run, const Simulation&) {
      listener_.on_begin(run.label, run.scene.steps);
    };
    listener.on_step = [&](const PlannedRun& run, const StepRecord& record) {
      output.on_step(run, record);
      add_point(extra_[run.label]["min_det_f"], record.time, record.min_det_f);
      if (record.step > 0) {
        add_point(extra_[run.label]["step_ms"], record.time, record.step_ms);
        for (const auto& [what, value] : record.report.extras.entries())
          add_point(extra_[run.label][std::string(what->name)], record.time, value);
      }
      listener_.on_step(record.step);
    };
    listener.on_end = [&](const ComparedRun&, const Comparison&) { listener_.on_end(); };
    listener.stop = listener_.stop;
    const Comparison comparison = compare(plan, listener);
    result_.interrupted = comparison.interrupted;
    output.write(plan, comparison);
    result_.page = true;
    for (const ComparedRun& run : comparison.runs) add(run);
    if (comparison.reference) add(*comparison.reference);
    plan.reference.reset();
    if (item_.rounds > 1) keep_times(comparison);
    for (int round = 1; round < item_.rounds && !result_.interrupted; ++round) time_again(plan);
  }

  /// The runs once more: their times become the least of all rounds. Whatever else the machine does then meets all runs
  /// alike; `spread` says how far the rounds are apart.
  void time_again(const ComparePlan& plan) {
    CompareListener listener;
    listener.on_begin = [&](const PlannedRun& run, const Simulation&) {
      listener_.on_begin(run.label, run.scene.steps);
    };
    listener.on_step = [&](const PlannedRun&, const StepRecord& record) { listener_.on_step(record.step); };
    listener.on_end = [&](const ComparedRun&, const Comparison&) { listener_.on_end(); };
    listener.stop = listener_.stop;
    const Comparison comparison = compare(plan, listener);
    result_.interrupted = comparison.interrupted;
    keep_times(comparison);
    for (const ComparedRun& run : comparison.runs) {
      std::map<std::string, double>& numbers = result_.evidence[run.plan->label].numbers;
      const std::map<std::string, double> again = numbers_of(run);
      const double least = std::min(numbers["step_ms"], again.at("step_ms"));
      const double most = std::max(numbers["step_ms"] * numbers["spread"], again.at("step_ms"));
      for (auto& [name, value] : numbers)
        if (is_time(name)) value = std::min(value, again.at(name));
      numbers["spread"] = most / least;
    }
  }

  void keep_times(const Comparison& comparison) {
    TimesAgain& times = result_.rounds.emplace_back();
    for (const ComparedRun& run : comparison.runs)
      for (const auto& [name, value] : numbers_of(run))
        if (is_time(name)) times[run.plan->label][name] = value;
  }

  void add(const ComparedRun& run) {
    const std::string& label = run.plan->label;
    const RunSummary& s = run.summary;
    Findings& findings = result_.evidence[label];
    findings.numbers = numbers_of(run);
    findings.curves = curves_of(run);
    for (const std::string& name : curves_of_steps()) findings.curves[name] = std::move(extra_[label][name]);
    if (!run.has_results()) findings.trouble = s.message;
    result_.runs.push_back({label, run.plan->scene.file.stem().string(), s.integrator, s.vertices, s.elements, s.steps,
                            s.h, s.status, s.message});
  }

  void solve_step(const ConvergenceSource& source) {
    const Scene scene = load_changed(source.change, options_);
    Simulation simulation = build_simulation(scene);
    simulation.steps = options_.steps ? std::min(source.frame, *options_.steps) : source.frame;
    listener_.on_begin(scene.name, simulation.steps);
    RunListener run_listener;
    run_listener.stop = listener_.stop;
    run_listener.on_step = [&](const StepRecord& record) { listener_.on_step(record.step); };
    const RunResult run = brio::run(simulation, run_listener);
    listener_.on_end();
    result_.interrupted = run.status == RunStatus::interrupted;
    if (result_.interrupted) return;
    if (run.status == RunStatus::diverged) throw Error("{}: {}", source.change.scene.string(), run.message);
    std::vector<SolverChoice> choices;
    constexpr double kTolerance = 1e-12;  // of the step's change of velocity: the iterations end it
    for (const ConvergenceSource::Solver& s : source.solvers)
      choices.push_back({s.label,
                         &find_row(stage_solvers(), "solver", s.name),
                         {.tolerance = kTolerance, .iterations = s.iterations, .window = s.window, .rho = s.rho}});
    const ConvergenceStudy study = study_convergence(*simulation.system, simulation.state, simulation.h, choices);
    for (const ConvergenceCurve& curve : study.curves) {
      result_.rounds.resize(std::max(result_.rounds.size(), curve.round_seconds.size()));
      Findings& findings = result_.evidence[curve.name];
      const auto iterations = static_cast<double>(curve.error.size() - 1);
      const auto per_iteration = [&](double seconds) { return iterations > 0 ? 1e3 * seconds / iterations : kNone; };
      for (size_t round = 0; round < curve.round_seconds.size(); ++round) {
        const double seconds = curve.round_seconds[round];
        result_.rounds[round][curve.name] = {{"ms", 1e3 * seconds}, {"ms_per_iteration", per_iteration(seconds)}};
      }
      findings.numbers = {{"iterations", iterations},
                          {"ms", 1e3 * curve.seconds.back()},
                          {"ms_per_iteration", per_iteration(curve.seconds.back())},
                          {"last_error", curve.error.back()},
                          {"vertices", simulation.vertices()},
                          {"elements", simulation.elements()}};
      for (size_t i = 0; i < curve.error.size(); ++i) {
        add_point(findings.curves["error"], static_cast<double>(i), curve.error[i]);
        add_point(findings.curves["error_by_ms"], 1e3 * curve.seconds[i], curve.error[i]);
      }
    }
    result_.runs.push_back({"one step", scene.file.stem().string(), "the solvers", simulation.vertices(),
                            simulation.elements(), simulation.steps, simulation.h, "finished", ""});
  }

  void swing(const OscillatorSource& source) {
    Findings& findings = result_.evidence[source.label];
    const bool exact = source.method == "exact";
    if (!exact) {
      const std::vector<double> products = damping_products();
      const DampingStudy study = study_damping({parse_method(source.method)}, {source.h}, products);
      for (size_t i = 0; i < products.size(); ++i)
        add_point(findings.curves["damping"], products[i], study.curves[0].measured[i]);
    }
    if (!source.omega) return;
    constexpr int kSamples = 1200;
    const OscillatorRun run =
        exact ? exact_oscillator(*source.omega, source.damping, source.end, kSamples)
              : step_oscillator(parse_method(source.method), *source.omega, source.damping, source.h,
                                static_cast<int>(std::min(1e6, std::round(source.end / source.h))));
    for (size_t i = 0; i < run.t.size(); ++i) add_point(findings.curves["path"], run.t[i], run.q[i]);
  }

  void stretch(const MaterialSource& source) {
    const std::vector<NamedLaw> laws = laws_of(load_changed(source.change, options_));
    if (static_cast<size_t>(source.index) >= laws.size())
      throw Error("{}: there is no material {}; expected at most {}", source.change.scene.string(), source.index,
                  static_cast<int>(laws.size()) - 1);
    const NamedLaw& law = laws[source.index];
    Findings& findings = result_.evidence[source.label];
    findings.numbers = {{"fitted_stiffness", law.material->projective_weight(Vec3::UnitX(), Vec3::UnitX(), law.fiber)}};
    constexpr int kPoints = 201;
    constexpr double kLeast = 0.3, kMost = 2.3;
    for (int i = 0; i < kPoints; ++i) {
      const double s = kLeast + (kMost - kLeast) * i / (kPoints - 1);
      const StretchPoint held = stretched(*law.material, law.fiber, s, Sides::held);
      add_point(findings.curves["stress"], s, held.stress);
      add_point(findings.curves["energy"], s, held.energy);
      add_point(findings.curves["tension"], s, stretched(*law.material, law.fiber, s, Sides::free).stress);
    }
  }

  const PaperItem& item_;
  const ReproduceOptions& options_;
  std::filesystem::path folder_;
  const ProgressListener& listener_;
  std::map<std::string, std::map<std::string, SampledCurve>> extra_;  ///< curves that the page of a run does not have
  Gathered result_;
};

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

}  // namespace

Gathered gather(const PaperItem& item, const ReproduceOptions& options, const std::filesystem::path& folder,
                const ProgressListener& listener) {
  return Gatherer(item, options, folder, listener).execute();
}

std::vector<std::string> run_numbers() { return keys_of(numbers_of({})); }

std::vector<std::string> run_curves() {
  std::vector<std::string> names = keys_of(curves_of({}));
  for (const std::string& name : curves_of_steps()) names.push_back(name);
  return names;
}

}  // namespace brio
