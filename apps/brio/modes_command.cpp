#include "brio/core/error.hpp"
#include "brio/core/log.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/ranks.hpp"
#include "brio/output/modes_output.hpp"
#include "brio/scene/quasistatic.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "scene_arguments.hpp"
#include <memory>

namespace brio {
namespace {

struct ModesArguments {
  SceneArguments scene;
  int count = 10;
  std::string folder = "out";
  bool at_rest = false;
  int threads = 0;
};

/// Puts the body into the shape in which all forces balance.
void settle(const std::string& file, Simulation& simulation) {
  const QuasistaticResult rest =
      solve_quasistatic(simulation, simulation.state.t, {}, [](const auto&) { return !InterruptGuard::requested(); });
  if (rest.solve.status != StaticStatus::converged)
    throw Error("{}: no shape at rest was found for --at-rest: {}", file, rest.message);
}

void print_vibrations(const Scene& scene, const std::vector<Vibration>& vibrations) {
  const std::vector<std::string> names = mode_names(vibrations);
  fmt::print("{:>8}  {:>12}  {:>12}  {:>10}  {:>22}\n", "mode", "frequency", "period", "h omega",
             "mass in x, y, z [%]");
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < vibrations.size(); ++i) {
    const Vibration& v = vibrations[i];
    const Vec3 share = 100 * v.mass_share;
    sum += share;
    const bool swings = v.frequency() > 0;
    fmt::print("{:>8}  {:>12}  {:>12}  {:>10}  {:6.2f}  {:6.2f}  {:6.2f}{}\n", names[i],
               v.rigid  ? "-"
               : swings ? fmt::format("{:.5g} Hz", v.frequency())
                        : "unstable",
               swings && !v.rigid ? fmt::format("{:.5g} s", 1 / v.frequency()) : "-",
               v.rigid ? "0" : fmt::format("{:.4g}", scene.h * v.omega()), share[0], share[1], share[2],
               v.body.empty() ? "" : fmt::format("  {} ({:.0f} %)", v.body, 100 * v.body_share));
  }
  fmt::print("{:>8}  {:>12}  {:>12}  {:>10}  {:6.2f}  {:6.2f}  {:6.2f}\n", "sum", "", "", "", sum[0], sum[1], sum[2]);
}

int modes(const ModesArguments& arguments) {
  set_thread_count(arguments.threads);
  const InterruptGuard guard;
  const Scene scene = arguments.scene.load();
  Simulation simulation = build_simulation(scene);
  for (const std::string& note : simulation.notes) log_warning(note);
  std::vector<Vibration> vibrations;
  try {
    if (arguments.at_rest) settle(arguments.scene.file, simulation);
    vibrations = find_vibrations(simulation, arguments.count);
  } catch (const Error& error) {
    throw Error("{}: {}", arguments.scene.file, error.what());
  }
  fmt::print("{}: {}, {}; h = {:g} s\n", scene.name, describe_body(simulation),
             arguments.at_rest ? "in its shape at rest" : "in its initial shape", scene.h);
  print_vibrations(scene, vibrations);
  if (!ranks().writes()) return kOk;
  const int shown = write_modes(arguments.folder, scene, simulation, vibrations);
  fmt::print("open {}/modes.html in a browser to see {} move; the numbers are in modes.csv beside it\n",
             arguments.folder, shown < static_cast<int>(vibrations.size()) ? fmt::format("{} of them", shown) : "them");
  return kOk;
}

}  // namespace

void add_modes(CommandLine& app, Command& command) {
  CommandLine* modes_app =
      app.add_subcommand("modes", "find the slowest vibration modes of a scene's body, and show them");
  auto arguments = std::make_shared<ModesArguments>();
  arguments->scene.add_to(*modes_app);
  modes_app->add_option("-s,--modes", arguments->count, "how many elastic modes; rigid motions come on top")
      ->type_name("N")
      ->range(1, 1000)
      ->capture_default_str();
  modes_app->add_flag("--at-rest", arguments->at_rest,
                      "about the shape in which weight and loads balance, rather than the initial one");
  modes_app->add_option("-o,--output", arguments->folder, "folder for the results")
      ->type_name("DIR")
      ->capture_default_str();
  add_threads_option(*modes_app, arguments->threads);
  modes_app->footer(
      "h omega tells what a step of the scene's h does to a mode: well below 1 every method follows it; near 1 and\n"
      "above, si and be damp it away, and siere or ksiere carry it (see `brio damping`). The mass is the effective "
      "modal\n"
      "mass: how much of the moving mass takes part when the ground shakes along x, y or z.");
  modes_app->callback([arguments, &command] { command = [arguments] { return modes(*arguments); }; });
}

}  // namespace brio
