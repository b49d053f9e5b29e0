// `brio advise` from end to end: what it says and writes, what it refuses, and the scene that --apply leaves.

#include "brio/core/json.hpp"

#include "apps/program.hpp"
#include "support/temporary_folder.hpp"
#include <fstream>

namespace brio {
namespace {

using namespace testing;
// Six cells and a fall of a tenth of a second: a trial takes milliseconds.
const std::string kSmallScene = R"({
  // swings under its weight
  "name": "small",
  "mesh": {"file": "body.msh"},
  "materials": [{"law": "stable-neo-hookean", "E": 2e5, "nu": 0.4, "rho": 1000}],
  "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}},
  "constraints": [{"set": "wall"}],
  "integrator": {"h": 0.01, "name": "si", "beta": 0.9},
  "steps": 60
})";

/// A folder with the scene and the body beside it.
class AdviseFolder {
 public:
  AdviseFolder() {
    const Outcome made = testing::brio(
        fmt::format("run {}bar-1k.json --steps 1 --frames msh -o {}/made", kScenes, folder_.path().string()));
    EXPECT_EQ(made.code, 0) << made.err;
    std::filesystem::copy_file(folder_ / "made/msh/frame_000000.msh", folder_ / "body.msh");
    write("scene.json", kSmallScene);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string at(const std::string& name) const { return "'" + (folder_ / name).string() + "'"; }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

TEST(AdviseCommand, recommends_writes_and_applies) {
  const AdviseFolder folder;
  std::filesystem::create_directories(folder / "elsewhere/deep");
  const Outcome outcome =
      testing::brio(fmt::format("advise {} -o {} --apply {} --seconds 8 --set steps=40", folder.at("scene.json"),
                                folder.at("out"), folder.at("elsewhere/deep/better.json")));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* text : {"slowest vibration", "fastest vibration", "si, as it is", "Advice: ", "Rule: "})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << " is not in\n" << outcome.out;

  const Json advice = Json::parse(read_text(folder / "out/advice.json"));
  ASSERT_GE(advice["trials"].size(), 3u);
  EXPECT_TRUE(advice["trials"][0]["finished"]);
  // A swing of hω = 0.16 and more under si: it has lost most of what was in play, the chosen one has not.
  EXPECT_LT(advice["trials"][0]["energy_drift"].get<double>(), -0.2);
  EXPECT_NE(advice["trials"][0]["objection"], "");
  EXPECT_NE(advice["advice"], nullptr);
  EXPECT_FALSE(advice["advice"]["own"]);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/compare.html"));

  // The scene that was written: the same but for the method (and, with another step, the number of steps).
  const Json before = Json::parse(kSmallScene);
  const Json after = Json::parse(read_text(folder / "elsewhere/deep/better.json"));
  EXPECT_EQ(after["integrator"]["name"], advice["advice"]["integrator"]["name"]);
  EXPECT_EQ(after["integrator"]["h"], advice["advice"]["h"]);
  EXPECT_FALSE(after["integrator"].contains("beta")) << "that was si's";
  EXPECT_EQ(after["mesh"]["file"], "../../body.msh");
  EXPECT_NEAR(after["steps"].get<double>() * after["integrator"]["h"].get<double>(), 0.4, 1e-9);
  std::vector<std::string> order;
  for (const auto& [key, value] : after.items()) {
    order.push_back(key);
    const bool may_differ = key == "integrator" || key == "mesh" || key == "steps";
    EXPECT_TRUE(may_differ || value == before[key]) << key;
  }
  EXPECT_EQ(order,
            (std::vector<std::string>{"name", "mesh", "materials", "sets", "constraints", "integrator", "steps"}));
  EXPECT_EQ(testing::brio("check " + folder.at("elsewhere/deep/better.json")).code, 0);
}

TEST(AdviseCommand, never_writes_over_the_scene) {
  const AdviseFolder folder;
  std::filesystem::create_symlink(folder / "scene.json", folder / "link.json");
  for (const char* name : {"scene.json", "link.json"}) {
    const Outcome outcome = testing::brio(
        fmt::format("advise {} -o {} --apply {}", folder.at("scene.json"), folder.at("out"), folder.at(name)));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("the scene file itself"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "it says so before anything is tried";
  }
  EXPECT_EQ(read_text(folder / "scene.json"), kSmallScene);
}

TEST(AdviseCommand, refuses_what_run_refuses) {
  const AdviseFolder folder;
  const auto refused = [&](const std::string& arguments, const std::string& text) {
    const Outcome outcome = testing::brio(fmt::format("advise {} -o {}", arguments, folder.at("out")));
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  };
  refused(folder.at("nothing.json"), "nothing.json");
  refused(folder.at("scene.json") + " --set integrator.h=-1", "integrator.h = -1");
  refused(folder.at("scene.json") + " --set integrator.h=-1", "from --set");
  refused(folder.at("scene.json") + " --seconds 0", "--seconds");
  refused(folder.at("scene.json") + " --set 'sets.wall={\"select\":\"all\"}'", "nothing is left to move");
  folder.write("broken.json", "{\"mesh\": [[[");
  refused(folder.at("broken.json"), "broken.json");
  folder.write("list.json", "[1, 2]");
  refused(folder.at("list.json"), "expected an object");
}

TEST(AdviseCommand, when_every_method_runs_away_nothing_is_recommended_or_written) {
  const AdviseFolder folder;
  // Springs of 1e300 N/m on a mass of 1e-300 kg: no arithmetic has room for that.
  folder.write("absurd.json", R"({"mesh": {"springs": "cloth", "width": 1, "length": 1, "nx": 4, "ny": 4},
    "springs": {"stiffness": 1e300, "total_mass": 1e-300}, "initial": {"jitter": 0.01},
    "integrator": {"name": "si", "h": 1}, "steps": 20})");
  const Outcome outcome = testing::brio(fmt::format("advise {} -o {} --apply {} --seconds 5", folder.at("absurd.json"),
                                                    folder.at("out"), folder.at("better.json")));
  EXPECT_TRUE(outcome.code == 3 || outcome.code == 2) << outcome.code << outcome.out << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "better.json"));
}

TEST(AdviseCommand, bodies_of_every_kind_get_an_answer) {
  const AdviseFolder folder;
  for (const char* scene : {"bone-chain", "ere-cloth", "ball-drop", "bar-cut"}) {
    const Outcome outcome = testing::brio(
        fmt::format("advise {}{}.json -o {} --seconds 4 --set steps=4", kScenes, scene, folder.at(scene)));
    EXPECT_EQ(outcome.code, 0) << scene << "\n" << outcome.out << outcome.err;
    const Json advice = Json::parse(read_text(folder / scene / "advice.json"));
    EXPECT_NE(advice["advice"], nullptr) << scene;
    for (const Json& trial : advice["trials"])
      EXPECT_TRUE(trial["label"] != advice["advice"]["label"] || trial["finished"].get<bool>()) << scene;
  }
}

}  // namespace
}  // namespace brio
