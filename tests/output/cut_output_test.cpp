// What a run leaves behind when its body is cut: files of every format, the report, comparisons.

#include "brio/experiment/compare/compare.hpp"
#include "brio/output/run_output.hpp"
#include "brio/output/scene_tables.hpp"

#include "output/files.hpp"
#include "output/page_data.hpp"

namespace brio::testing {
namespace {

const std::vector<std::string> kCutBar = {
    "steps=6", "mesh.cells_across=2", "output.every=2",
    R"(cuts=[{"time": 0.03, "kind": "plane", "point": [0.19, 0, 0], "normal": [1, 0.3, 0]}])"};
const std::string kBar = BRIO_SOURCE_DIR "/scenes/bar-1k.json";

int points_of(const std::filesystem::path& vtu) {
  const std::string text = contents(vtu), key = "NumberOfPoints=\"";
  return std::stoi(text.substr(text.find(key) + key.size()));
}

TEST(CutOutput, every_format_goes_on_and_the_report_shows_both_bodies) {
  const Scene scene = load_scene(kBar, scene_tables(), kCutBar);
  Simulation simulation = build_simulation(scene);
  const int whole = simulation.vertices();
  TemporaryFolder folder;
  RunOutput output(folder.path(), scene, simulation, names_of(frame_formats()));
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) { output.on_step(record); };
  listener.on_frame = [&](const RunFrame& frame) { output.on_frame(frame); };
  listener.on_cut = [&](const CutReport& cut) {
    ASSERT_TRUE(cut.changed);
    output.on_cut();
  };
  const RunSummary summary = output.finish(run(simulation, listener));
  ASSERT_EQ(summary.status, "finished");
  ASSERT_EQ(summary.cuts.size(), 1u);
  EXPECT_GT(simulation.vertices(), whole);

  // Frames at 0, 0.02, 0.04 and 0.06 s: two of the whole body and two of its halves.
  EXPECT_EQ(points_of(folder / "vtu/frame_000001.vtu"), whole);
  EXPECT_EQ(points_of(folder / "vtu/frame_000002.vtu"), simulation.vertices());
  EXPECT_EQ(points_of(folder / "vtu/frame_000003.vtu"), simulation.vertices());
  EXPECT_FALSE(std::filesystem::exists(folder / "vtu-cut1"));
  EXPECT_TRUE(std::filesystem::exists(folder / "obj/frame_000003.obj"));
  for (const std::string name : {"pc2", "pc2-cut1"}) {
    const std::string cache = contents(folder / (name + "/surface.pc2"));
    const auto points = read_at<std::int32_t>(cache, 16), samples = read_at<std::int32_t>(cache, 28);
    EXPECT_EQ(samples, 2) << name;
    EXPECT_EQ(cache.size(), 32u + 12u * points * samples) << name;
  }

  const auto data = page_data(contents(output.report_path()))["runs"][0];
  ASSERT_EQ(data["parts"].size(), 2u);
  ASSERT_EQ(data["frames"].size(), 4u);
  EXPECT_EQ(data["frames"][1]["part"], 0);
  EXPECT_EQ(data["frames"][2]["part"], 1);
  EXPECT_GT(data["parts"][1]["triangles"].get<std::string>().size(),
            data["parts"][0]["triangles"].get<std::string>().size());
}

TEST(CutOutput, comparisons_measure_what_was_there_from_the_start) {
  const ComparePlan plan = plan_comparison(kBar, scene_tables(), kCutBar, "im,si,be:h=0.005", "im@0.01");
  const Comparison result = compare(plan, {});
  ASSERT_TRUE(result.has_errors());
  ASSERT_EQ(result.runs.size(), 3u);
  for (const ComparedRun& run : result.runs) {
    EXPECT_EQ(run.summary.status, "finished") << run.summary.message;
    EXPECT_EQ(run.recorder.recording().parts().size(), 2u);
  }
  EXPECT_EQ(result.runs[0].metrics.error, 0.0);
  EXPECT_GT(result.runs[1].metrics.error, 1e-6);
}

}  // namespace
}  // namespace brio::testing
