#include "brio/core/error.hpp"
#include "brio/core/json.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/printable.hpp"
#include "brio/core/text_file.hpp"
#include "brio/experiment/compare/compare_plan.hpp"
#include "brio/live/live_host.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/scene.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "data_folder.hpp"
#include "interrupt.hpp"
#include "scene_arguments.hpp"
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <spawn.h>
#include <unistd.h>

namespace brio {
namespace {

struct LiveArguments {
  std::vector<std::string> scenes;
  std::vector<std::string> set;
  std::string integrators;
  std::string host = "127.0.0.1";
  int port = 0;
  int threads = 0;
  bool no_open = false;
};

/// The scenes, each under every one of the methods, or as they are. Methods are given as for a comparison.
std::vector<Session::Source> sources_of(const std::vector<std::filesystem::path>& files,
                                        const std::vector<std::string>& set, const std::string& methods) {
  std::vector<Session::Source> sources;
  if (files.size() == 1 && methods.empty()) {
    const Scene scene = load_scene(files.front(), scene_tables(), set);
    return {{scene.text, files.front(), scene.integrator.name}};
  }
  const ComparePlan plan = files.size() == 1 ? plan_comparison(files.front(), scene_tables(), set, methods)
                                             : plan_comparison(files, scene_tables(), set, methods);
  for (const PlannedRun& run : plan.runs) sources.push_back({run.scene.text, run.scene.file, run.label});
  constexpr size_t kMost = 12;
  if (sources.size() > kMost) throw Error("{} runs side by side; at most {}", sources.size(), kMost);
  return sources;
}

/// The scenes of scenes/gallery/gallery.json.
std::vector<GalleryEntry> gallery() {
  const std::filesystem::path folder = data_folder("scenes");
  if (folder.empty()) throw Error("the scenes that come with brio were not found; name one: brio live SCENE.json");
  std::vector<GalleryEntry> entries;
  const Json list = Json::parse(read_text(folder / "gallery" / "gallery.json"));
  for (const Json& item : list["scenes"]) {
    const std::string name = item["scene"].get<std::string>();
    GalleryEntry entry;
    entry.sources = sources_of({folder / (name + ".json")}, {},
                               item.contains("integrators") ? item["integrators"].get<std::string>() : "");
    entry.name = item["title"].get<std::string>();
    entry.description = item["text"].get<std::string>();
    const std::filesystem::path picture = folder / "gallery" / (name + ".webp");
    if (std::filesystem::exists(picture)) entry.picture = read_text(picture);
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// Opens the address in the browser of the desktop, where there is one; whether it does is none of our business.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open", argument = address;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ);
}

int live(const LiveArguments& arguments) {
  set_thread_count(arguments.threads);
  const InterruptGuard guard;
  LivePlan plan;
  if (arguments.scenes.empty())
    plan.gallery = gallery();
  else
    plan.sources = sources_of({arguments.scenes.begin(), arguments.scenes.end()}, arguments.set, arguments.integrators);
  plan.server = {arguments.host, arguments.port};
  plan.on_ready = [&](const WebServer& server) {
    if (!server.loopback())
      fmt::print(stderr,
                 "brio: --host {}: whoever can reach this machine and knows the address below, which is sent without "
                 "encryption, can move the bodies\n",
                 printable(arguments.host));
    fmt::print("{}\nOpen it in a browser; Ctrl-C ends.\n", server.address());
    std::fflush(stdout);
    if (!arguments.no_open) open_browser(server.address());
  };
  plan.on_trouble = [](const std::string& text) { fmt::print(stderr, "brio: {}", printable(text)); };
  plan.stop = InterruptGuard::requested;
  host_live(plan);
  fmt::print("ended\n");
  return kOk;
}

}  // namespace

void add_live(CommandLine& app, Command& command) {
  CommandLine* live_app = app.add_subcommand("live", "show scenes in a browser while they run, and take hold of them");
  auto arguments = std::make_shared<LiveArguments>();
  live_app->add_option("scene", arguments->scenes, "scene files, side by side; a gallery to choose from without any")
      ->type_name("SCENE.json");
  live_app
      ->add_option("--set", arguments->set,
                   "put a value in place of the scene's, for example integrator.h=0.005; may be given several times")
      ->type_name("key.path=value")
      ->allow_extra_args(false);
  live_app
      ->add_option("--integrators", arguments->integrators,
                   "methods side by side, in the same hand: si,newmark:gamma=0.6")
      ->type_name("NAMES");
  live_app->add_option("--port", arguments->port, "where to listen; 0 for any port that is free")
      ->type_name("N")
      ->range(0, 65535)
      ->capture_default_str();
  live_app
      ->add_option("--host", arguments->host,
                   "address to listen on; other machines are only heard when it is not that of this one")
      ->type_name("ADDRESS")
      ->capture_default_str();
  live_app->add_flag("--no-open", arguments->no_open, "do not open a browser");
  add_threads_option(*live_app, arguments->threads);
  live_app->callback([arguments, &command] { command = [arguments] { return live(*arguments); }; });
}

}  // namespace brio
