// Comparisons that are killed and go on; and runs beside each other.

#include "brio/core/json.hpp"

#include "apps/run_files.hpp"
#include <csignal>

namespace brio::testing {
namespace {

namespace fs = std::filesystem;

/// What compare.json says but for what has to do with time and memory.
Json compared_numbers(const fs::path& folder) {
  Json json = Json::parse(read_text(folder / "compare.json"));
  json["runs"].push_back(json["reference"]);
  json.erase("reference");
  for (Json& run : json["runs"])
    for (const char* key : {"wall_s", "cost", "step_ms", "phase_ms", "peak_rss_mb", "cuts"}) run.erase(key);
  return json;
}

TEST(InterruptedComparison, goes_on_after_kill_9_to_the_same_numbers) {
  const fs::path folder = fresh_folder("killed-comparison");
  const std::string scene = scene_in(folder), whole = (folder / "whole").string();
  const std::string methods = "--integrators si,glim,siere:modes=3 --reference im@0.0005 --checkpoint-every 7";
  const Outcome unbroken = brio(fmt::format("compare {} -o {} {}", scene, whole, methods));
  ASSERT_EQ(unbroken.code, 0) << unbroken.err;
  // In the reference (122 lines with the head), at the start of the first run, in the second, in the last.
  for (int lines : {40, 125, 220, 290}) {
    const fs::path broken = folder / fmt::format("broken-{}", lines);
    const pid_t child = started({"compare", scene, "-o", broken.string(), "--integrators", "si,glim,siere:modes=3",
                                 "--reference", "im@0.0005", "--checkpoint-every", "7"});
    const int status = signaled(child, broken / "compare_series.csv", lines, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(status));
    const Outcome more = brio(fmt::format("compare {} -o {} {} --resume", scene, broken.string(), methods));
    ASSERT_EQ(more.code, 0) << more.err;
    expect_whole_files(broken);
    expect_same_results(whole, broken);
    EXPECT_TRUE(compared_numbers(whole) == compared_numbers(broken)) << lines;
  }
  // Another comparison is none to go on with.
  const Outcome other = brio(fmt::format("compare {} -o {} --integrators be,glim --resume", scene, whole));
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("integrator.name"), std::string::npos) << other.err;
}

TEST(RunsAtOnce, eight_have_the_bytes_of_one_alone) {
  const fs::path folder = fresh_folder("at-once");
  const std::string scene = scene_in(folder), alone = (folder / "alone").string();
  ASSERT_EQ(brio(fmt::format("run {} -o {}", scene, alone)).code, 0);
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i)
    children.push_back(started({"run", scene, "-o", (folder / fmt::format("run-{}", i)).string()}));
  for (int i = 0; i < 8; ++i) {
    int status = 0;
    waitpid(children[static_cast<size_t>(i)], &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    expect_same_results(alone, folder / fmt::format("run-{}", i));
  }
}

}  // namespace
}  // namespace brio::testing
