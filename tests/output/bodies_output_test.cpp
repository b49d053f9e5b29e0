// Bodies with names in files of frames, in pages and in summary.json.

#include "brio/core/json.hpp"
#include "brio/experiment/compare/compare.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/output/frames/msh.hpp"
#include "brio/output/frames/npz.hpp"
#include "brio/output/frames/obj.hpp"
#include "brio/output/frames/ply.hpp"
#include "brio/output/frames/vtu.hpp"
#include "brio/output/run_output.hpp"
#include "brio/output/scene_tables.hpp"

#include "output/files.hpp"
#include "output/mixed_world.hpp"
#include "output/page_data.hpp"
#include "output/python.hpp"
#include "output/vtu_array.hpp"
#include <numeric>

namespace brio::testing {
namespace {

const std::string kThreeBodies = BRIO_SOURCE_DIR "/scenes/three-bodies.json";

TEST(BodiesOutput, grids_hold_the_cells_of_every_kind_once) {
  const MixedWorld world;
  const std::vector<GridCells> kinds = grid_cells(world.body);
  ASSERT_EQ(kinds.size(), 3u);
  const int corners[] = {4, 3, 2};
  const size_t counts[] = {MixedWorld::kTets, MixedWorld::kSheetTriangles, MixedWorld::kRope - 1};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(kinds[k].corners, corners[k]);
    ASSERT_EQ(kinds[k].count(), counts[k]);
    EXPECT_EQ(kinds[k].body, std::vector<int>(counts[k], k));
  }
  EXPECT_EQ(kinds[0].region[1], 1);
  EXPECT_EQ(kinds[1].region, std::vector<int>(counts[1], 0));
  EXPECT_EQ(kinds[2].vertices.front(), MixedWorld::kRopeStart);
}

TEST(BodiesOutput, vtu_says_whose_each_point_and_cell_is) {
  TemporaryFolder folder;
  MixedWorld world;
  VtuWriter(folder.path(), world.body).write(world.frame(0.1));
  const std::string file = contents(folder / "frame_000000.vtu");
  EXPECT_EQ(vtu_array<std::int32_t>(file, "body", "Int32", "PointData"), world.body.body);
  const auto cells = vtu_array<std::int32_t>(file, "body", "Int32", "CellData");
  const auto types = vtu_array<std::uint8_t>(file, "types", "UInt8");
  const auto offsets = vtu_array<std::int32_t>(file, "offsets", "Int32");
  ASSERT_EQ(types.size(), 240u + 32 + 8);
  ASSERT_EQ(cells.size(), types.size());
  EXPECT_EQ(vtu_array<std::int32_t>(file, "region", "Int32").size(), types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    const int kind = i < 240 ? 0 : i < 272 ? 1 : 2;
    EXPECT_EQ(types[i], (std::array{10, 5, 3})[kind]);
    EXPECT_EQ(cells[i], kind);
  }
  EXPECT_EQ(offsets.back(), 4 * 240 + 3 * 32 + 2 * 8);
  EXPECT_EQ(offsets[240], 4 * 240 + 3);
}

TEST(BodiesOutput, meshio_reads_the_fields) {
  if (!python_has("meshio")) GTEST_SKIP() << "needs Python with meshio (Debian: python3-meshio)";
  TemporaryFolder folder;
  MixedWorld world;
  VtuWriter(folder.path(), world.body).write(world.frame(0.1));
  MshWriter(folder.path(), world.body).write(world.frame(0.1));
  for (const char* name : {"frame_000000.vtu", "frame_000000.msh"})
    EXPECT_TRUE(
        python_accepts("import meshio, sys, numpy; m = meshio.read(sys.argv[1]); "
                       "assert [len(c.data) for c in m.cells] == [240, 32, 8]; "
                       "assert [set(b) for b in m.cell_data['body']] == [{0}, {1}, {2}]; "
                       "assert (m.point_data['body'] == numpy.repeat([0, 1, 2], [99, 25, 9])).all()",
                       folder / name));
}

TEST(BodiesOutput, our_readers_find_the_tetrahedra_among_other_cells) {
  TemporaryFolder folder;
  MixedWorld world;
  VtuWriter(folder.path(), world.body).write(world.frame(0.1));
  MshWriter(folder.path(), world.body).write(world.frame(0.1));
  for (const char* name : {"frame_000000.vtu", "frame_000000.msh"})
    EXPECT_EQ(read_mesh(folder / name).mesh.tets(), 240) << name;
}

TEST(BodiesOutput, npz_has_numbers_and_names) {
  if (!python_has("numpy")) GTEST_SKIP() << "needs Python with NumPy (Debian: python3-numpy)";
  TemporaryFolder folder;
  MixedWorld world;
  NpzWriter writer(folder.path(), world.body);
  writer.write(world.frame(0));
  writer.finish();
  EXPECT_TRUE(
      python_accepts("import numpy, sys; d = numpy.load(sys.argv[1]); "
                     "assert d['body_names'].tolist() == ['bar', 'sheet', 'Seil \\u00fc']; "
                     "assert (d['body'] == numpy.repeat([0, 1, 2], [99, 25, 9])).all(); "
                     "assert len(d['tets']) == 240 and len(d['triangles']) == 208 and len(d['edges']) == 12",
                     folder / "trajectory.npz"));
}

TEST(BodiesOutput, ply_has_an_integer_and_obj_a_group) {
  TemporaryFolder folder;
  MixedWorld world;
  PlyWriter(folder.path(), world.body).write(world.frame(0));
  const std::string ply = contents(folder / "frame_000000.ply");
  EXPECT_NE(ply.find("property float strain\nproperty int body\n"), ply.npos);
  const size_t rows = ply.find("end_header\n") + 11, drawn = 90 + 25 + 9;
  for (size_t i = 0; i < drawn; ++i)
    EXPECT_EQ(read_at<int>(ply, rows + 32 * i + 28), i < 90 ? 0 : i < 115 ? 1 : 2) << i;
  EXPECT_EQ(ply.size(), rows + 32 * drawn + 13 * 208 + 8 * 8);

  ObjWriter(folder.path(), world.body).write(world.frame(0));
  const std::string obj = contents(folder / "frame_000000.obj");
  EXPECT_NE(obj.find("g Seil \xc3\xbc\nl 116 117\n"), obj.npos);
  const TriangleSurface surface = load_surface(folder / "frame_000000.obj").surface;
  ASSERT_GE(surface.group_names.size(), 2u);
  for (int f = 0; f < surface.faces(); ++f) EXPECT_EQ(surface.group_names[surface.group[f]], f < 176 ? "bar" : "sheet");
}

TEST(BodiesOutput, a_vertex_of_no_body_is_refused) {
  MixedWorld world;
  world.body.body[5] = 3;
  EXPECT_EQ(message_of<Error>([&] { DrawnPart{world.body}; }), "a vertex belongs to body 3, but 3 bodies have names");
}

TEST(BodySeries, thinning_keeps_peaks_and_both_ends) {
  BodySeries series(2);
  StepRecord record;
  record.bodies.resize(2);
  for (int k = 0; k <= 10000; ++k) {
    record.time = k;
    record.bodies[0].kinetic = k == 5003 ? 99 : 1;
    record.bodies[1].potentials.elastic = 10000 - k;
    series.add(record);
  }
  EXPECT_EQ(series.initial_energy(1), 10000);
  EXPECT_EQ(series.final_energy(1), 0);
  const auto data = series.to_json();
  const std::string kinetic = decode(data["kinetic"][0]), total = decode(data["total"][1]);
  ASSERT_LE(kinetic.size() / 8, 2001u);
  ASSERT_EQ(kinetic.size(), total.size());
  double most = 0;
  for (size_t at = 0; at < kinetic.size(); at += 8) most = std::max(most, read_at<double>(kinetic, at));
  EXPECT_EQ(most, 99);
  EXPECT_EQ(read_at<double>(total, 0), 10000);
  EXPECT_EQ(read_at<double>(total, total.size() - 8), 0);
}

TEST(BodiesOutput, page_and_summary_of_a_run_list_the_bodies) {
  const Scene scene = load_scene(kThreeBodies, scene_tables(), {"steps=4"});
  Simulation simulation = build_simulation(scene);
  TemporaryFolder folder;
  RunOutput output(folder.path(), scene, simulation, {});
  std::vector<StepRecord> records;
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) {
    output.on_step(record);
    records.push_back(record);
  };
  listener.on_frame = [&](const RunFrame& frame) { output.on_frame(frame); };
  output.finish(run(simulation, listener));

  const auto summary = Json::parse(contents(folder / "summary.json"));
  const auto data = page_data(contents(output.report_path()))["runs"][0];
  EXPECT_EQ(data["bodies"], Json({"bar", "flag", "pendulum"}));
  ASSERT_EQ(summary["bodies"].size(), 3u);
  EXPECT_EQ(data["summary"]["bodies"], summary["bodies"]);
  const double masses[] = {1000 * 0.4 * 0.1 * 0.1, 0.03};  // density x length x width x height; as the scene says
  const char* elements[] = {"tetrahedra", "springs", "bones"};
  int vertices = 0;
  for (size_t b = 0; b < 3; ++b) {
    const auto& body = summary["bodies"][b];
    EXPECT_EQ(body["name"], data["bodies"][b]);
    EXPECT_EQ(body["element_name"], elements[b]);
    if (b < 2) {
      EXPECT_NEAR(body["mass_kg"].get<double>(), masses[b], 1e-12);
    }
    EXPECT_EQ(body["initial_energy_J"].get<double>(), records.front().bodies[b].total());
    EXPECT_EQ(body["final_energy_J"].get<double>(), records.back().bodies[b].total());
    vertices += body["vertices"].get<int>();
    const std::string total = decode(data["body_series"]["total"][b]),
                      kinetic = decode(data["body_series"]["kinetic"][b]);
    ASSERT_EQ(total.size(), 8 * records.size());
    for (size_t k = 0; k < records.size(); ++k) {
      EXPECT_EQ(read_at<double>(total, 8 * k), records[k].bodies[b].total());
      EXPECT_EQ(read_at<double>(kinetic, 8 * k), records[k].bodies[b].kinetic);
    }
  }
  EXPECT_EQ(vertices, summary["vertices"]);
  EXPECT_EQ(summary["bodies"][2]["elements"], 2);

  const std::string drawn = decode(data["parts"][0]["bodies"]);
  const DrawnPart part(topology(simulation));
  ASSERT_EQ(drawn.size(), 4 * part.vertices.size());
  for (size_t i = 0; i < part.vertices.size(); ++i)
    EXPECT_EQ(read_at<int>(drawn, 4 * i), simulation.body_of_vertex[part.vertices[i]]);
}

TEST(BodiesOutput, one_body_without_a_name_is_not_listed) {
  const Scene scene = load_scene(BRIO_SOURCE_DIR "/scenes/bar-1k.json", scene_tables(), {"steps=1"});
  Simulation simulation = build_simulation(scene);
  TemporaryFolder folder;
  RunOutput output(folder.path(), scene, simulation, {});
  RunListener listener;
  listener.on_step = [&](const StepRecord& record) { output.on_step(record); };
  listener.on_frame = [&](const RunFrame& frame) { output.on_frame(frame); };
  output.finish(run(simulation, listener));
  EXPECT_FALSE(Json::parse(contents(folder / "summary.json")).contains("bodies"));
  const auto data = page_data(contents(output.report_path()))["runs"][0];
  for (const char* key : {"bodies", "body_series"}) EXPECT_FALSE(data.contains(key)) << key;
  EXPECT_FALSE(data["parts"][0].contains("bodies"));
}

TEST(BodiesOutput, runs_of_a_comparison_know_their_bodies) {
  const ComparePlan plan = plan_comparison(kThreeBodies, scene_tables(), {"steps=2"}, "im,be", "");
  const Comparison result = compare(plan, {});
  ASSERT_EQ(result.runs.size(), 2u);
  for (const ComparedRun& run : result.runs) {
    EXPECT_EQ(run.recorder.bodies().bodies(), 3u);
    ASSERT_EQ(run.summary.bodies.size(), 3u);
    EXPECT_EQ(run.summary.bodies[1].name, "flag");
    EXPECT_EQ(run.recorder.recording().part().body_names.size(), 3u);
  }
}

}  // namespace
}  // namespace brio::testing
