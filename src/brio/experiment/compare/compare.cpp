#include "brio/experiment/compare/compare.hpp"

#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/integrate/parts/amplification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace brio {
namespace {

constexpr int kPageFrames = 240;
constexpr int kMostProbeRows = 1'000'000;

RunSummary failed(const PlannedRun& planned, int steps, const std::string& message) {
  RunSummary summary;
  summary.integrator = planned.scene.integrator.name;
  summary.h = planned.scene.h;
  summary.steps = steps;
  summary.status = "failed";
  summary.message = message;
  return summary;
}

/// Damping of the method itself at angular frequency omega, where there is a closed form [1/s].
std::optional<double> closed_form(const Scene& scene, double omega) {
  const IntegratorEntry& row = find_row(integrators(), "integrator", scene.integrator.name);
  if (!row.amplification) return {};
  return damping_rate(row.amplification(scene.integrator.options, scene.h * omega), scene.h);
}

class Comparer {
 public:
  Comparer(const ComparePlan& plan, const CompareListener& listener) : plan_(plan), listener_(listener) {
    if (plan.runs.empty()) throw Error("nothing to compare: no integrator was named");
    limits_ = {kPageFrames, plan.page_bytes / plan.runs.size()};
  }

  Comparison execute() {
    if (plan_.reference) {
      result_.reference.emplace();
      run(*plan_.reference, *result_.reference);
    }
    result_.runs.reserve(plan_.runs.size());
    for (const PlannedRun& planned : plan_.runs) {
      if (result_.interrupted) break;
      if (!result_.runs.empty() && skipped(planned)) continue;
      run(planned, result_.runs.emplace_back());
    }
    while (!result_.interrupted && listener_.next) {
      const PlannedRun* more = listener_.next(result_);
      if (!more) break;
      run(*more, result_.runs.emplace_back());
    }
    return std::move(result_);
  }

 private:
  bool is_reference(const ComparedRun& run) const { return result_.reference && &run == &*result_.reference; }
  bool stopped() const { return listener_.stop && listener_.stop(); }
  bool skipped(const PlannedRun& run) const { return listener_.skip && listener_.skip(run); }

  void run(const PlannedRun& planned, ComparedRun& compared) {
    compared.plan = &planned;
    try {
      Simulation simulation = build_simulation(planned.scene);
      built_ = true;
      try_run(simulation, compared);
    } catch (const WriteError&) {  // no method is to blame
      throw;
    } catch (const std::exception& error) {
      if (!built_) throw;
      compared.summary = failed(planned, compared.last.step, error.what());
    }
    result_.interrupted = stopped_ || stopped();
    measure();
    if (listener_.on_end) listener_.on_end(compared, result_);
  }

  void try_run(Simulation& simulation, ComparedRun& compared) {
    const PlannedRun& planned = *compared.plan;
    const bool reference = is_reference(compared);
    const int frames = simulation.steps / simulation.every + 2;
    const bool own_probe = !simulation.probe.empty();
    const bool choose_vertex = !own_probe && (!probe_vertex_ || simulation.vertices() != probed_body_);
    const bool comparable = reference_path_ && planned.problem == plan_.reference->problem &&
                            reference_path_->frames().front().rows() == simulation.vertices();
    std::optional<RecordedPath> path;
    if (reference || choose_vertex) path.emplace(frames, simulation.vertices());
    if (own_probe) name_probe(planned.scene);
    const int probe_stride = 1 + simulation.steps / kMostProbeRows;
    compared.recorder = RunRecorder(simulation, limits_);
    compared.lowest_potential = std::numeric_limits<double>::infinity();
    if (listener_.on_begin) listener_.on_begin(planned, simulation);

    const auto add_probe = [&](double time, const Vec3& at) {
      compared.probe.time.push_back(time);
      compared.probe.position.push_back(at);
    };
    const Index whole = simulation.vertices();  // a cut adds vertices behind those that there were
    RunListener listener;
    listener.stop = [&] {
      stopped_ = stopped();
      return stopped_ || skipped(planned);
    };
    listener.on_step = [&](const StepRecord& record) {
      compared.last = BooksAt::of(record);
      if (record.step == 0) compared.start = compared.last;
      compared.lowest_potential = std::min(compared.lowest_potential, record.potentials.total());
      compared.recorder.on_step(record);
      if (own_probe && record.step % probe_stride == 0) add_probe(record.time, record.probe);
      if (listener_.on_step) listener_.on_step(planned, record);
    };
    listener.on_frame = [&](const RunFrame& frame) {
      const MatrixX3d x = frame.x.topRows(whole);
      if (path) path->add(frame.time, x);
      if (!own_probe && !choose_vertex) add_probe(frame.time, frame.x.row(*probe_vertex_));
      if (reference) return;
      compared.recorder.on_frame(simulation, frame);
      if (comparable) compared.error.add(frame.time, x, simulation.system->vertex_mass().head(whole), *reference_path_);
    };
    listener.on_cut = [&](const CutReport& cut) {
      if (cut.changed && !reference) compared.recorder.on_cut(simulation);
    };
    listener.archive = [&](Archive& archive) {
      archive(compared);
      if (path) archive(*path);
    };
    listener.checkpoint_due = listener_.checkpoint_due;
    listener.on_checkpoint = [&](const StepRecord& record, const std::string& bytes) {
      if (listener_.on_checkpoint) listener_.on_checkpoint(planned, record, bytes);
    };
    std::string stored = listener_.stored ? listener_.stored(planned, simulation) : "";
    const RunResult result =
        stored.empty() ? brio::run(simulation, listener) : resume(simulation, listener, std::move(stored));
    compared.summary = summarize(simulation, result);
    compared.summary.bodies = summarize_bodies(simulation, compared.recorder.bodies());
    compared.metrics.cost = result.cost(simulation.h);

    if (reference && result.status != RunStatus::diverged) reference_path_ = std::move(path);
    if (!reference && choose_vertex) choose_probe(*path, compared);
  }

  void name_probe(const Scene& scene) {
    const auto& probe = *scene.output.probe;
    result_.probe = std::holds_alternative<int>(probe) ? fmt::format("vertex {}", std::get<int>(probe))
                                                       : std::get<std::string>(probe);
  }

  /// A scene without a probe: the vertex that moves most in the first run of a body is followed in all of them.
  void choose_probe(const RecordedPath& path, ComparedRun& first) {
    probe_vertex_ = path.most_moving_vertex();
    probed_body_ = path.frames().front().rows();
    result_.probe = fmt::format("vertex {}", *probe_vertex_);
    follow(path, first);
    if (reference_path_ && reference_path_->frames().front().rows() == probed_body_)
      follow(*reference_path_, *result_.reference);
  }

  void follow(const RecordedPath& path, ComparedRun& run) const {
    run.probe = {path.times(), {}};
    for (const MatrixX3d& x : path.frames()) run.probe.position.push_back(x.row(*probe_vertex_));
  }

  void measure() {
    choose_axis();
    std::map<std::string, double> levels;  // of each problem
    for_sound_runs([&](const ComparedRun& run) {
      const auto [level, is_new] = levels.emplace(run.plan->problem, run.lowest_potential);
      if (!is_new) level->second = std::min(level->second, run.lowest_potential);
    });
    std::optional<double> true_omega;
    if (result_.has_errors()) {
      measure(*result_.reference, levels.at(result_.reference->plan->problem), {});
      true_omega = result_.reference->metrics.omega;
    }
    for (ComparedRun& run : result_.runs) {
      if (result_.has_errors()) run.metrics.error = run.error.relative();
      if (run.has_results()) measure(run, levels.at(run.plan->problem), true_omega);
    }
  }

  /// `level` is the lowest potential energy that any run of the problem has seen: what is above it can swing.
  /// `true_omega` is the reference's frequency, where there is one; a method's own is shifted by its error.
  static void measure(ComparedRun& run, double level, std::optional<double> true_omega) {
    RunMetrics& m = run.metrics;
    const double expected = run.start.total + run.last.injected - run.last.dissipated;
    m.energy_kept = energy_kept(run.last.total, expected, level);
    const auto found = measure_oscillation(run.probe);
    if (!found) return;
    const DampingSpec& damping = run.plan->scene.damping;
    m.swings = found->swings;
    m.omega = found->omega;
    m.amplitude_ratio = found->amplitude_ratio;
    // Rayleigh's alpha M + beta K takes out alpha + beta omega^2 of it on purpose.
    m.damping_fit = found->damping - damping.alpha - damping.beta * found->omega * found->omega;
    m.damping_closed_form = closed_form(run.plan->scene, true_omega.value_or(found->omega));
  }

  template <class Action>
  void for_sound_runs(const Action& action) const {
    if (result_.has_errors()) action(*result_.reference);
    for (const ComparedRun& run : result_.runs)
      if (run.has_results()) action(run);
  }

  /// The direction in which the probe of the first run with results moves most.
  void choose_axis() {
    bool chosen = false;
    for_sound_runs([&](const ComparedRun& run) {
      if (!chosen) result_.axis = run.probe.main_axis();
      chosen = true;
    });
  }

  const ComparePlan& plan_;
  const CompareListener& listener_;
  RecordingLimits limits_;
  bool stopped_ = false;  ///< whether it was the listener who ended the last run, and the comparison with it
  bool built_ = false;    ///< whether the scene could be built once; after that a failure is the method's own
  std::optional<Index> probe_vertex_;
  Index probed_body_ = 0;  ///< vertices of the body that it was chosen on
  std::optional<RecordedPath> reference_path_;
  Comparison result_;
};

}  // namespace

bool Comparison::any_failed() const {
  const auto failed = [](const ComparedRun& run) { return run.summary.status == "failed"; };
  return std::any_of(runs.begin(), runs.end(), failed) || (reference && failed(*reference));
}

Comparison compare(const ComparePlan& plan, const CompareListener& listener) {
  return Comparer(plan, listener).execute();
}

}  // namespace brio
