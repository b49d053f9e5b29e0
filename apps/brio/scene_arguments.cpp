#include "scene_arguments.hpp"

#include "brio/core/error.hpp"
#include "brio/core/printable.hpp"
#include "brio/core/ranks.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/overrides.hpp"

#include <fmt/format.h>

#include "start_ranks.hpp"

namespace brio {
namespace {

/// As a text of JSON.
std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) all += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return all + "\"";
}

std::string with_commas(int number) {
  std::string digits = std::to_string(number);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
  return digits;
}

}  // namespace

void SceneArguments::add_to(CommandLine& command) {
  command.add_option("scene", file, "the scene file; `brio list scenes` shows those that come with brio")
      ->type_name("SCENE.json")
      ->required();
  command
      .add_option("--set", set,
                  "put a value in place of the scene's, for example integrator.h=0.005 or materials[0].E=1e6; may be "
                  "given several times")
      ->type_name("key.path=value")
      ->allow_extra_args(false);
  command
      .add_option("--engine", engine, "how matrices are solved with, in place of the scene's; see `brio list engines`")
      ->type_name("NAME");
}

void SceneArguments::add_method_to(CommandLine& command) {
  command
      .add_option("--integrator", integrator,
                  "another method, with options if wanted: ksiere:cut=3:h=0.005; see `brio list integrators`")
      ->type_name("NAME[:key=value…]");
  command.add_option("--steps", steps, "how many steps, in place of the scene's steps or duration")->type_name("N");
}

std::vector<std::string> SceneArguments::overrides() const {
  std::vector<std::string> all = set;
  if (integrator) {
    try {
      const std::vector<std::string> method = integrator_overrides(*integrator);
      all.insert(all.end(), method.begin(), method.end());
    } catch (const Error& error) {
      throw Error("--integrator {}: {}", *integrator, error.what());
    }
  }
  if (steps) all.push_back(fmt::format("steps={}", *steps));
  if (engine) all.push_back("integrator.engine=" + *engine);
  if (!taken_engine_options().empty()) all.push_back("integrator.engine_options=" + quoted(taken_engine_options()));
  return all;
}

Scene SceneArguments::load() const {
  Scene scene;
  on_all_ranks([&] { scene = load_scene(file, scene_tables(), overrides()); });
  make_ready(scene);
  return scene;
}

void make_ready(const Scene& scene) {
  require_same_on_all_ranks(scene.text, fmt::format("{}: the scene", scene.file.string()));
}

void add_threads_option(CommandLine& command, int& threads) {
  command.add_option("--threads", threads, "threads to use; 0 for all cores. The results do not depend on it")
      ->type_name("N")
      ->range(0, 1024)
      ->capture_default_str();
}

std::string describe_body(const Simulation& simulation) {
  return fmt::format("{} vertices, {} {}", with_commas(simulation.vertices()), with_commas(simulation.elements()),
                     simulation.element_name());
}

std::vector<std::string> describe_bodies(const Simulation& simulation) {
  if (simulation.bodies.front().name.empty()) return {};
  const NodalSystem& system = *simulation.system;
  std::vector<double> mass(simulation.bodies.size(), 0);
  std::vector<int> vertices(mass.size(), 0), held(mass.size(), 0);
  for (int v = 0; v < system.vertices(); ++v) {
    const int b = simulation.body_of_vertex[v];
    mass[b] += system.vertex_mass()[v];
    ++vertices[b];
    held[b] += system.supported(v);
  }
  std::vector<std::string> lines;
  for (size_t b = 0; b < mass.size(); ++b) {
    const Body& body = simulation.bodies[b];
    lines.push_back(fmt::format("bodies.{}: {} vertices{}, {} {}, {:.4g} kg", printable(body.name),
                                with_commas(vertices[b]),
                                held[b] > 0 ? fmt::format(" ({} held)", with_commas(held[b])) : "",
                                with_commas(body.elements()), body.element_name(), mass[b]));
  }
  return lines;
}

std::string describe(const Scene& scene, const Simulation& simulation) {
  return fmt::format("{}, {} step{} of {:g} s with {}", describe_body(simulation), with_commas(scene.steps),
                     scene.steps == 1 ? "" : "s", scene.h, scene.integrator.name);
}

}  // namespace brio
