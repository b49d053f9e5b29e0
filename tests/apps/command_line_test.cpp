// The program as a shell sees it: exit codes, what goes to which stream, and what lies on disk afterwards.

#include "brio/core/json.hpp"

#include <gtest/gtest.h>

#include "apps/program.hpp"
#include <array>
#include <csignal>
#include <cstdio>
#include <thread>
#include <unistd.h>

namespace brio {
namespace {

using namespace testing;

TEST(CommandLine, version_and_help) {
  EXPECT_EQ(brio("--version").out, "brio 0.1.0\n");
  const Outcome help = brio("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"run", "compare", "check", "list", "schema", "Examples:", "Exit codes:"})
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
}

TEST(CommandLine, wrong_usage_is_two) {
  for (const char* arguments :
       {"", "walk", "run", "run a.json --steps x", "run a.json --threads -1", "list nonsense"}) {
    const Outcome outcome = brio(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_NE(outcome.err, "") << arguments;
  }
}

TEST(CommandLine, refused_input_is_two_with_one_line_a_problem) {
  const Outcome outcome = brio("check " + kScenes + "bar-1k.json --set integrator.h=-1 --set stepps=3");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 2);
  EXPECT_TRUE(outcome.err.starts_with("brio: " + kScenes +
                                      "bar-1k.json: integrator.h = -1: expected a number > 0 [s] "
                                      "(from --set integrator.h=-1)\nbrio: "))
      << outcome.err;
  EXPECT_EQ(brio("run missing.json").code, 2);
}

TEST(CommandLine, check_says_fine) {
  const Outcome outcome = brio("check " + kScenes + "bar-1k.json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, kScenes + "bar-1k.json: fine: 425 vertices, 1,280 tetrahedra, 200 steps of 0.01 s with si\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(CommandLine, takes_another_method_with_its_options) {
  const Outcome outcome = brio("check " + kScenes + "bar-1k.json --integrator ksiere:cut=3:h=0.005 --steps 7");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            kScenes + "bar-1k.json: fine: 425 vertices, 1,280 tetrahedra, 7 steps of 0.005 s with ksiere\n");
  EXPECT_EQ(brio("check " + kScenes + "bar-1k.json --integrator ksiere:3").err,
            "brio: --integrator ksiere:3: \"3\" is no option; expected key=value, as in newmark:gamma=0.6:h=0.005\n");
}

TEST(CommandLine, list_shows_every_kind_and_its_options) {
  const std::string everything = brio("list").out;
  for (const char* name : {"si ", "stable-neo-hookean", "fiber-fung", "honeycomb", "cloth", "extreme", "keyframes",
                           "torus", "wind", "vtu", "bar-5k.json"})
    EXPECT_NE(everything.find(name), std::string::npos) << name;
  EXPECT_NE(brio("list loads").out.find("air_density: a number > 0 [kg/m^3], default 1.2: "), std::string::npos);
  EXPECT_EQ(brio("list loads").out.find("honeycomb"), std::string::npos);
}

TEST(CommandLine, schema_is_json) {
  EXPECT_EQ(Json::parse(brio("schema").out)["title"], "brio scene");
  EXPECT_TRUE(brio("schema --markdown").out.starts_with("# Scene reference\n"));
}

TEST(CommandLine, run_writes_everything) {
  const auto folder = fresh_folder("run");
  const Outcome outcome =
      brio(fmt::format("run {}bar-1k.json -o '{}' --steps 10 --threads 1 --set output.every=5 --frames obj,vtu",
                       kScenes, folder.string()));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(
      outcome.out.starts_with("Bar, 1,280 tetrahedra: 425 vertices, 1,280 tetrahedra, 10 steps of 0.01 s with si\n"
                              "finished: 10 steps, 0.1 s simulated in "))
      << outcome.out;
  EXPECT_NE(outcome.out.find(folder.string() + "/report.html"), std::string::npos);
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos);  // no bar where there is no terminal
  EXPECT_EQ(lines_of(folder / "energy.csv"), 12);        // a header, the start and ten steps
  EXPECT_EQ(lines_of(folder / "probe.csv"), 12);
  const auto summary = Json::parse(read_text(folder / "summary.json"));
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_EQ(summary["steps"], 10);
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
  for (const char* format : {"obj", "vtu"}) EXPECT_FALSE(std::filesystem::is_empty(folder / format)) << format;
}

TEST(CommandLine, no_frames_when_none_are_asked_for) {
  const auto folder = fresh_folder("noframes");
  EXPECT_EQ(brio(fmt::format("run {}bar-1k.json -o '{}' --steps 2 --frames none", kScenes, folder.string())).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "vtu"));
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
}

TEST(CommandLine, results_do_not_depend_on_the_number_of_threads) {
  std::array<std::string, 2> momenta;
  for (int threads : {1, 2}) {
    const auto folder = fresh_folder("threads");
    ASSERT_EQ(brio(fmt::format("run {}bar-1k.json -o '{}' --steps 20 --frames none --threads {}", kScenes,
                               folder.string(), threads))
                  .code,
              0);
    momenta[threads - 1] = read_text(folder / "probe.csv");
  }
  EXPECT_EQ(momenta[0], momenta[1]);
}

TEST(CommandLine, diverged_is_three_with_what_was_computed) {
  const auto folder = fresh_folder("diverged");
  // A speed at which the forces overflow.
  const Outcome outcome =
      brio(fmt::format("run {}bar-1k.json -o '{}' --steps 50 --frames none --set 'initial.velocity=[1e120,0,0]'",
                       kScenes, folder.string()));
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("brio: diverged: step "), std::string::npos) << outcome.err;
  EXPECT_EQ(Json::parse(read_text(folder / "summary.json"))["status"], "diverged");
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
}

/// Starts a long run and interrupts it once it steps; returns how it ended, as waitpid tells it.
int interrupted_run(const std::filesystem::path& folder) {
  const std::string scene = kScenes + "bar-5k.json", output = folder.string();
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stdout);
    std::freopen("/dev/null", "w", stderr);
    execl(BRIO_PROGRAM, BRIO_PROGRAM, "run", scene.c_str(), "-o", output.c_str(), "--steps", "1000000", "--frames",
          "none", nullptr);
    _exit(99);
  }
  for (int wait = 0; wait < 600; ++wait) {  // until it has taken a step, at most a minute
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (std::filesystem::exists(folder / "energy.csv") && lines_of(folder / "energy.csv") > 3) break;
  }
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(CommandLine, interrupt_finishes_the_step_and_writes_everything) {
  const auto folder = fresh_folder("interrupted");
  const int status = interrupted_run(folder);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const auto summary = Json::parse(read_text(folder / "summary.json"));
  EXPECT_EQ(summary["status"], "interrupted");
  EXPECT_EQ(summary["steps"].get<int>() + 2, lines_of(folder / "energy.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
}

}  // namespace
}  // namespace brio
