// `brio compare` from end to end: what it writes, what it refuses, and what one bad method does to the others.

#include "brio/core/json.hpp"

#include "apps/program.hpp"
#include <csignal>
#include <thread>
#include <unistd.h>

namespace brio {
namespace {

using namespace testing;
const std::string kBar = kScenes + "bar-1k.json";

struct Compared {
  Outcome outcome;
  std::filesystem::path folder;
  Json json;
};

Compared compare(const std::string& name, const std::string& arguments) {
  Compared compared{{}, fresh_folder("compare-" + name), {}};
  compared.outcome = testing::brio(fmt::format("compare {} -o '{}' {}", kBar, compared.folder.string(), arguments));
  if (std::filesystem::exists(compared.folder / "compare.json"))
    compared.json = Json::parse(read_text(compared.folder / "compare.json"));
  return compared;
}

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

TEST(Compare, writes_a_run_for_each_method_in_the_order_asked) {
  const Compared c = compare("order", "--integrators si,be,im,newmark:gamma=0.6:beta=0.3025 --steps 60");
  ASSERT_EQ(c.outcome.code, 0) << c.outcome.err;
  ASSERT_EQ(c.json["runs"].size(), 4u);
  const char* labels[] = {"si", "be", "im", "newmark gamma=0.6 beta=0.3025"};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(c.json["runs"][i]["label"], labels[i]);
    EXPECT_EQ(c.json["runs"][i]["status"], "finished");
    EXPECT_EQ(c.json["runs"][i]["steps"], 60);
    EXPECT_EQ(c.json["runs"][i]["error"], nullptr);
  }
  EXPECT_EQ(c.json["probe"], "tip");
  EXPECT_EQ(c.json["reference"], nullptr);

  // The keys of summary.json, in its order, between the label and the metrics.
  const auto single = fresh_folder("compare-single");
  ASSERT_EQ(testing::brio(fmt::format("run {} -o '{}' --steps 1", kBar, single.string())).code, 0);
  std::vector<std::string> expected = {"label"};
  for (const std::string& key : keys_of(Json::parse(read_text(single / "summary.json")))) expected.push_back(key);
  for (const char* key :
       {"cost", "energy_kept", "swings", "omega", "amplitude_ratio", "damping_fit", "damping_closed_form", "error"})
    expected.push_back(key);
  EXPECT_EQ(keys_of(c.json["runs"][0]), expected);

  const std::string csv = read_text(c.folder / "compare.csv");
  EXPECT_TRUE(
      csv.starts_with("label,integrator,h,steps,status,cost,energy_kept,swings,omega,amplitude_ratio,"
                      "damping_fit,damping_closed_form,error,step_ms_median,step_ms_p95,assembly_ms,"))
      << csv;
  EXPECT_EQ(lines_of(c.folder / "compare.csv"), 5);
  EXPECT_EQ(lines_of(c.folder / "compare_series.csv"), 1 + 4 * 61);
  EXPECT_GT(std::filesystem::file_size(c.folder / "compare.html"), 100'000u);
  EXPECT_NE(c.outcome.out.find("compare.html"), std::string::npos);
}

TEST(Compare, metrics_tell_the_methods_apart_and_agree_with_the_closed_forms) {
  const Compared c = compare("metrics", "--integrators si,im --reference im@0.0025 --steps 120");
  ASSERT_EQ(c.outcome.code, 0) << c.outcome.err;
  const Json &si = c.json["runs"][0], &im = c.json["runs"][1];
  EXPECT_NEAR(im["energy_kept"].get<double>(), 1, 0.01);
  EXPECT_LT(si["energy_kept"].get<double>(), 0.1);
  EXPECT_LT(si["amplitude_ratio"].get<double>(), 0.75);
  EXPECT_GT(im["amplitude_ratio"].get<double>(), 0.95);
  // The bar is nonlinear and sways in more than one mode, so the oscillator's closed form is met to some percent only.
  EXPECT_NEAR(si["damping_fit"].get<double>() / si["damping_closed_form"].get<double>(), 1, 0.15);
  EXPECT_EQ(im["damping_closed_form"], 0);
  EXPECT_NEAR(im["damping_fit"].get<double>(), 0, 0.15);
  EXPECT_LT(im["error"].get<double>(), 0.3 * si["error"].get<double>());
  EXPECT_EQ(c.json["reference"]["steps"], 480);
  EXPECT_LT(im["iterations"].get<int>(), im["steps"].get<int>() * 20);
  EXPECT_GT(im["iterations"].get<int>(), im["steps"].get<int>());
}

TEST(Compare, a_method_that_diverges_is_shown_and_the_others_go_on) {
  const Compared c = compare("diverged", "--integrators si,fe,be --steps 20");
  EXPECT_EQ(c.outcome.code, 0) << c.outcome.err;
  ASSERT_EQ(c.json["runs"].size(), 3u);
  EXPECT_EQ(c.json["runs"][0]["status"], "finished");
  EXPECT_EQ(c.json["runs"][1]["status"], "diverged");
  EXPECT_LT(c.json["runs"][1]["steps"].get<int>(), 20);
  EXPECT_NE(c.json["runs"][1]["message"].get<std::string>().find("step "), std::string::npos);
  EXPECT_EQ(c.json["runs"][1]["energy_kept"], nullptr);
  EXPECT_EQ(c.json["runs"][2]["status"], "finished");
  EXPECT_NE(c.outcome.err.find("brio: fe diverged: step "), std::string::npos) << c.outcome.err;
}

TEST(Compare, a_reference_that_diverges_costs_only_the_errors) {
  const Compared c = compare("bad-reference", "--integrators si,be --reference rk4@0.01 --steps 10");
  EXPECT_EQ(c.outcome.code, 0) << c.outcome.err;
  EXPECT_NE(c.outcome.err.find("the errors against the reference are left out, for it has diverged"), std::string::npos)
      << c.outcome.err;
  EXPECT_EQ(c.json["reference"]["status"], "diverged");
  ASSERT_EQ(c.json["runs"].size(), 2u);
  for (const Json& run : c.json["runs"]) {
    EXPECT_EQ(run["status"], "finished");
    EXPECT_EQ(run["error"], nullptr);
  }
}

TEST(Compare, without_a_probe_the_vertex_that_moves_most_is_followed) {
  const auto folder = fresh_folder("compare-probe");
  const auto outcome =
      testing::brio(fmt::format("compare {}twisted-bar.json -o '{}' --integrators si,be --steps 5 "
                                "--set mesh.cells_across=2",
                                kScenes, folder.string()));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(Json::parse(read_text(folder / "compare.json"))["probe"].get<std::string>().starts_with("vertex "));
}

TEST(Compare, scenes_side_by_side) {
  const auto folder = fresh_folder("compare-scenes");
  const auto outcome =
      testing::brio(fmt::format("compare {0}bar-1k.json {0}rope.json -o '{1}' --steps 3", kScenes, folder.string()));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(read_text(folder / "compare.json"));
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][0]["label"], "bar-1k");
  EXPECT_EQ(json["runs"][1]["label"], "rope");
  EXPECT_NE(json["runs"][0]["vertices"], json["runs"][1]["vertices"]);

  const auto crossed = testing::brio(fmt::format(
      "compare {0}bar-1k.json {0}rope.json -o '{1}' --steps 3 --integrators si,be", kScenes, folder.string()));
  ASSERT_EQ(crossed.code, 0) << crossed.err;
  EXPECT_EQ(Json::parse(read_text(folder / "compare.json"))["runs"][3]["label"], "rope be");
  EXPECT_EQ(testing::brio(fmt::format("compare {0}bar-1k.json {0}rope.json --reference im@0.001", kScenes)).code, 2);
}

TEST(Compare, refuses_before_anything_runs) {
  for (const char* arguments :
       {"--integrators si,newmrk", "--integrators newmark:gama=1", "--integrators si:h=-1", "--integrators si:h=0.003",
        "--integrators si --reference rk4", "", "--integrators si --set stepps=3"}) {
    const Compared c = compare("refused", arguments);
    EXPECT_EQ(c.outcome.code, 2) << arguments;
    EXPECT_NE(c.outcome.err, "") << arguments;
    EXPECT_TRUE(std::filesystem::is_empty(c.folder)) << arguments;
  }
  EXPECT_NE(compare("nearest", "--integrators newmrk").outcome.err.find("did you mean \"newmark\"?"),
            std::string::npos);
}

TEST(Compare, interrupt_keeps_the_runs_that_are_done) {
  const auto folder = fresh_folder("compare-interrupted");
  const std::string output = folder.string();
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stdout);
    std::freopen("/dev/null", "w", stderr);
    // A second run that would last for an hour, and a third that is never begun.
    execl(BRIO_PROGRAM, BRIO_PROGRAM, "compare", kBar.c_str(), "-o", output.c_str(), "--steps", "20", "--integrators",
          "si,be:h=1e-7,im", nullptr);
    _exit(99);
  }
  for (int wait = 0; wait < 600; ++wait) {  // until the second run steps, at most a minute
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (std::filesystem::exists(folder / "compare_series.csv") && lines_of(folder / "compare_series.csv") > 30) break;
  }
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const Json json = Json::parse(read_text(folder / "compare.json"));
  EXPECT_EQ(json["interrupted"], true);
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][0]["status"], "finished");
  EXPECT_EQ(json["runs"][1]["status"], "interrupted");
  EXPECT_TRUE(std::filesystem::exists(folder / "compare.html"));
}

}  // namespace
}  // namespace brio
