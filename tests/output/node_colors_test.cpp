// Adaptive nodes on the page: which of them speaks for each vertex that is drawn, and what each does in every frame.

#include "brio/core/error.hpp"
#include "brio/core/json.hpp"
#include "brio/output/run_output.hpp"
#include "brio/output/scene_tables.hpp"

#include "output/files.hpp"
#include "output/page_data.hpp"

namespace brio::testing {
namespace {

const std::string kNodeBar = BRIO_SOURCE_DIR "/scenes/bar-1k.json";

std::vector<int> regions_of(const Json& part) {
  const std::string bytes = decode(part["regions"]);
  std::vector<int> regions;
  for (size_t at = 0; at < bytes.size(); at += 4) regions.push_back(read_at<std::int32_t>(bytes, at));
  return regions;
}

TEST(NodeColors, the_page_has_the_state_of_each_vertex_in_each_frame_and_after_a_cut) {
  // Along the bar: both halves are held and keep their nodes. The threshold lies between the rates of the two nodes of
  // a bar that begins to swing, so that both states occur.
  const Scene scene = load_scene(
      kNodeBar, scene_tables(),
      {"steps=12", "mesh.cells_across=2", "output.every=3",
       R"(condensation={"nodes": {"choose": "farthest", "count": 2}, "adaptive": {"threshold": 0.05, "window": 2}})",
       R"(cuts=[{"time": 0.06, "kind": "plane", "point": [0, 0.04, 0], "normal": [0, 1, 0.1]}])"});
  Simulation simulation = build_simulation(scene);
  const std::vector<int> before = simulation.node_region;
  ASSERT_EQ(static_cast<int>(before.size()), simulation.vertices());
  for (size_t i = 0; i < simulation.adaptive_nodes.size(); ++i)
    EXPECT_EQ(before[simulation.adaptive_nodes[i]], static_cast<int>(i));

  TemporaryFolder folder;
  RunOutput output(folder.path(), scene, simulation, {});
  std::vector<StepReport> reports;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    output.on_step(record);
    reports.push_back(record.report);
  };
  listener.on_frame = [&](const RunFrame& frame) { output.on_frame(frame); };
  listener.on_cut = [&](const CutReport&) { output.on_cut(); };
  ASSERT_EQ(output.finish(run(simulation, listener)).status, "finished");

  const auto data = page_data(contents(output.report_path()))["runs"][0];
  ASSERT_EQ(data["parts"].size(), 2u);
  const DrawnPart whole(topology(build_simulation(scene)));
  const std::vector<int> drawn = regions_of(data["parts"][0]);
  ASSERT_EQ(drawn.size(), whole.vertices.size());
  for (size_t i = 0; i < drawn.size(); ++i) EXPECT_EQ(drawn[i], before[whole.vertices[i]]);
  EXPECT_EQ(regions_of(data["parts"][1]), DrawnPart(topology(simulation)).node_region);

  const auto& frames = data["frames"];
  ASSERT_EQ(frames.size(), 5u);
  EXPECT_FALSE(frames[0].contains("nodes"));  // before the first step
  int awake = 0, asleep = 0;
  for (size_t k = 1; k < frames.size(); ++k) {
    const StepReport& report = reports[3 * k];
    const auto& nodes = frames[k]["nodes"];
    EXPECT_EQ(nodes["rate"].get<std::vector<double>>(), report.liveliness);
    ASSERT_EQ(nodes["awake"].size(), report.awake.size());
    for (size_t i = 0; i < report.awake.size(); ++i) {
      EXPECT_EQ(nodes["awake"][i], int(report.awake[i]));
      ++(report.awake[i] ? awake : asleep);
    }
  }
  EXPECT_GT(awake, 0);
  EXPECT_GT(asleep, 0);
}

TEST(NodeColors, a_skin_has_the_regions_of_the_vertices_that_carry_it) {
  auto skin = std::make_shared<Skin>();
  skin->surface.X.resize(3, 3);
  skin->surface.X << 0.1, 0.1, 0.1, 0.8, 0.1, 0.05, 0.1, 0.1, 0.7;
  skin->surface.triangles.resize(1, 3);
  skin->surface.triangles << 0, 1, 2;
  TetMesh mesh;
  mesh.X.resize(4, 3);
  mesh.X << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  mesh.T.resize(1, 4);
  mesh.T << 0, 1, 2, 3;
  skin->embedding = embed(mesh, skin->surface.X);
  BodyTopology body{.vertices = 4, .tets = mesh.T, .triangles = {}, .edges = {}, .region = {}, .skin = skin};
  body.node_region = {5, 6, 7, -1};
  EXPECT_EQ(DrawnPart(body).node_region, (std::vector<int>{5, 6, -1}));
  body.node_region.pop_back();
  EXPECT_THROW(DrawnPart{body}, Error);
}

}  // namespace
}  // namespace brio::testing
