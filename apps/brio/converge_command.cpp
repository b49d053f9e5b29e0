#include "brio/core/error.hpp"
#include "brio/core/log.hpp"
#include "brio/experiment/converge/convergence.hpp"
#include "brio/output/curves_page.hpp"
#include "brio/output/progress.hpp"
#include "brio/scene/run.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "scene_arguments.hpp"
#include <memory>

namespace brio {
namespace {

struct ConvergeArguments {
  SceneArguments scene;
  std::string folder = "out";
  int frame = 0, iterations = 60;
  std::vector<std::string> solvers;
};

/// What the paper's figures compare: every solver, and windows of L-BFGS.
std::vector<SolverChoice> all_solvers(int iterations) {
  std::vector<SolverChoice> choices;
  for (const StageSolverEntry& row : stage_solvers())
    choices.push_back({row.name, &row, {.tolerance = 1e-12, .iterations = iterations}});
  const StageSolverEntry& quasi = find_row(stage_solvers(), "solver", "quasi-newton");
  for (int window : {0, 2, 10, 100})
    choices.push_back(
        {fmt::format("window {}", window), &quasi, {.tolerance = 1e-12, .iterations = iterations, .window = window}});
  return choices;
}

std::vector<SolverChoice> chosen_solvers(const ConvergeArguments& arguments) {
  if (arguments.solvers.empty()) return all_solvers(arguments.iterations);
  std::vector<SolverChoice> choices;
  for (const std::string& name : arguments.solvers)
    choices.push_back(
        {name, &find_row(stage_solvers(), "solver", name), {.tolerance = 1e-12, .iterations = arguments.iterations}});
  return choices;
}

CurvesPage convergence_page(const Scene& scene, const Simulation& simulation, const ConvergenceStudy& study) {
  CurvesPage page;
  page.title = fmt::format("How fast the solvers find the step: {}", scene.name);
  page.text = fmt::format(
      "One backward Euler step of {:g} s from t = {:g} s, {}. The error is (g(x) - g(x*)) / (g(x0) - g(x*)) with x0 "
      "where inertia alone leads and x* the minimum that Newton's method found in {} iterations ([QN] eq. "
      "12).",
      simulation.h, simulation.state.t, describe_body(simulation), study.newton_iterations);
  page.footer =
      "Time is that of one step alone: what is factored once for all steps is not counted, what each step or each "
      "iteration factors is. [QN] Liu, Bouaziz, Kavan: Quasi-Newton methods for real-time simulation of "
      "hyperelastic materials, 2017.";
  CurveChart by_time{"Error against time", "figures 7, 8, 13", "time [ms]", "", "xy", {}, {}};
  CurveChart by_iteration{"Error against iterations", "figures 7, 8, 13", "iterations", "", "y", {}, {}};
  for (const ConvergenceCurve& curve : study.curves) {
    constexpr double kRoundOff = 1e-14;  // below, differences of the objective are noise
    Curve time{curve.name, {}, {}}, iteration{curve.name, {}, {}};
    for (size_t i = 0; i < curve.error.size() && (i == 0 || curve.error[i - 1] > kRoundOff); ++i) {
      const double error = std::max(curve.error[i], kRoundOff);
      if (i > 0) {
        time.x.push_back(1e3 * curve.seconds[i]);
        time.y.push_back(error);
      }
      iteration.x.push_back(static_cast<double>(i));
      iteration.y.push_back(error);
    }
    by_time.curves.push_back(std::move(time));
    by_iteration.curves.push_back(std::move(iteration));
  }
  page.charts = {by_time, by_iteration};
  return page;
}

void print_curves(const ConvergenceStudy& study) {
  fmt::print("{:<28} {:>10} {:>12} {:>12} {:>12}\n", "solver", "iterations", "ms", "error at 10", "error at end");
  for (const ConvergenceCurve& curve : study.curves) {
    const size_t ten = std::min<size_t>(10, curve.error.size() - 1);
    fmt::print("{:<28} {:>10} {:>12.3f} {:>12.2e} {:>12.2e}\n", curve.name, curve.error.size() - 1,
               1e3 * curve.seconds.back(), curve.error[ten], curve.error.back());
  }
}

int converge(const ConvergeArguments& arguments) {
  const InterruptGuard guard;
  const Scene scene = arguments.scene.load();
  const std::vector<SolverChoice> solvers = chosen_solvers(arguments);
  Simulation simulation = build_simulation(scene);
  if (simulation.bones) throw Error("bones move by a handful of joints: there are no solvers to compare");
  for (const std::string& note : simulation.notes) log_warning(note);
  simulation.steps = arguments.frame;
  fmt::print("{}: {}; {} steps with {} first\n", scene.name, describe_body(simulation), arguments.frame,
             simulation.integrator_name);
  std::fflush(stdout);
  RunListener listener;
  listener.stop = InterruptGuard::requested;
  const RunResult result = run(simulation, listener);
  if (result.status == RunStatus::interrupted) return kInterrupted;
  if (result.status == RunStatus::diverged) {
    fmt::print(stderr, "brio: {}\n", result.message);
    return kDiverged;
  }
  const ConvergenceStudy study = study_convergence(*simulation.system, simulation.state, simulation.h, solvers);
  write_curves(arguments.folder, "converge", convergence_page(scene, simulation, study));
  print_curves(study);
  fmt::print("open {}/converge.html in a browser; the numbers are in converge.csv and converge.json beside it\n",
             arguments.folder);
  return kOk;
}

}  // namespace

void add_converge(CommandLine& app, Command& command) {
  CommandLine* converge_app =
      app.add_subcommand("converge", "draw how fast each solver finds the solution of one implicit step");
  auto arguments = std::make_shared<ConvergeArguments>();
  arguments->scene.add_to(*converge_app);
  converge_app
      ->add_option("--frame", arguments->frame, "the step to look at: so many are taken with the scene's method first")
      ->type_name("K")
      ->range(0, 10000000)
      ->capture_default_str();
  converge_app->add_option("--iterations", arguments->iterations, "of each solver, at most")
      ->type_name("N")
      ->range(1, 100000)
      ->capture_default_str();
  converge_app
      ->add_option("--solvers", arguments->solvers, "only these; all of them, and windows of L-BFGS, if left out")
      ->type_name("NAME,...")
      ->delimiter(',');
  converge_app->add_option("-o,--output", arguments->folder, "folder for the results")
      ->type_name("DIR")
      ->capture_default_str();
  converge_app->callback([arguments, &command] { command = [arguments] { return converge(*arguments); }; });
}

}  // namespace brio
