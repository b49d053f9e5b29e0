// Animated glTF, by what the specification demands of its bytes and by what three.js makes of it.

#include "brio/output/frames/glb.hpp"

#include "brio/core/error.hpp"
#include "brio/core/json.hpp"

#include <nlohmann/json.hpp>

#include "output/files.hpp"
#include "output/mixed_world.hpp"
#include "output/swinging_bar.hpp"

using nlohmann::json;
using namespace brio;
using namespace brio::testing;
namespace {

const std::filesystem::path kThree = std::filesystem::path(BRIO_SOURCE_DIR) / "viewer/node_modules/three";

bool can_run_three() { return std::filesystem::exists(kThree) && std::system("node --version > /dev/null 2>&1") == 0; }

json as_three_reads_it(const TemporaryFolder& folder) {
  const std::string command = fmt::format("node '{}/tests/output/read_glb.mjs' '{}' '{}' > '{}'", BRIO_SOURCE_DIR,
                                          kThree.string(), (folder / "body.glb").string(), (folder / "seen").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  return json::parse(contents(folder / "seen"));
}

struct Glb {
  json root;
  std::string binary;
};

/// Splits the file, and checks on the way what the specification says of headers, alignment, views and ranges.
Glb read_glb(const std::filesystem::path& path) {
  const std::string file = contents(path);
  EXPECT_EQ(file.substr(0, 4), "glTF");
  EXPECT_EQ(read_at<std::uint32_t>(file, 4), 2u);
  EXPECT_EQ(read_at<std::uint32_t>(file, 8), file.size());
  const auto text = read_at<std::uint32_t>(file, 12);
  EXPECT_EQ(file.substr(16, 4), "JSON");
  const auto bytes = read_at<std::uint32_t>(file, 20 + text);
  EXPECT_EQ(file.substr(24 + text, 4), std::string("BIN\0", 4));
  EXPECT_EQ(28 + text + bytes, file.size());
  EXPECT_EQ(text % 4, 0u);
  EXPECT_EQ(bytes % 4, 0u);
  Glb glb{json::parse(file.substr(20, text)), file.substr(28 + text)};
  EXPECT_EQ(glb.root["buffers"][0]["byteLength"], bytes);
  for (const json& view : glb.root["bufferViews"]) {
    EXPECT_LE(view.value("byteOffset", 0u) + view["byteLength"].get<size_t>(), bytes);
    EXPECT_EQ(view.value("byteOffset", 0u) % 4, 0u);
  }
  for (const json& a : glb.root["accessors"]) {
    const json& view = glb.root["bufferViews"][a["bufferView"].get<size_t>()];
    const std::map<std::string, size_t> widths = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}};
    const size_t width = widths.at(a["type"]), count = a["count"], at = a["byteOffset"];
    EXPECT_GE(count, 1u);
    EXPECT_EQ(at % 4, 0u);
    EXPECT_LE(at + 4 * width * count, view["byteLength"].get<size_t>());
    if (!a.contains("min")) continue;
    for (size_t k = 0; k < width; ++k) {
      float low = INFINITY, high = -INFINITY;
      for (size_t i = 0; i < count; ++i) {
        const auto value = read_at<float>(glb.binary, view.value("byteOffset", 0u) + at + 4 * (width * i + k));
        low = std::min(low, value), high = std::max(high, value);
      }
      EXPECT_EQ(a["min"][k].get<double>(), low);
      EXPECT_EQ(a["max"][k].get<double>(), high);
    }
  }
  return glb;
}

std::vector<float> times_of(const Glb& glb) {
  const json& sampler = glb.root["animations"][0]["samplers"][0];
  const json& a = glb.root["accessors"][sampler["input"].get<size_t>()];
  const json& view = glb.root["bufferViews"][a["bufferView"].get<size_t>()];
  std::vector<float> times;
  for (size_t i = 0; i < a["count"]; ++i)
    times.push_back(
        read_at<float>(glb.binary, view["byteOffset"].get<size_t>() + a["byteOffset"].get<size_t>() + 4 * i));
  return times;
}

size_t targets_of(const Glb& glb) {
  const json& primitive = glb.root["meshes"][0]["primitives"][0];
  return primitive.contains("targets") ? primitive["targets"].size() : 0;
}

void expect_positions(const json& seen, const MatrixX3d& expected, double tolerance) {
  ASSERT_EQ(seen.size(), static_cast<size_t>(expected.rows()));
  for (Index i = 0; i < expected.rows(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(seen[i][k].get<double>(), expected(i, k), tolerance) << i;
}

}  // namespace

/// As a checkpoint does.
void put_together(GlbWriter& writer) {
  Archive archive;
  writer.archive(archive);
}

TEST(Glb, is_valid_and_up_to_date_at_every_checkpoint) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  GlbWriter writer(folder.path(), bar.body);
  for (int frame = 0; frame < 6; ++frame) {
    writer.write(bar.frame(1 + 0.1 * frame));
    put_together(writer);
    const Glb glb = read_glb(folder / "body.glb");  // as it is while the writer still has it open
    EXPECT_EQ(targets_of(glb), size_t(frame));
    EXPECT_EQ(glb.root.contains("animations"), frame > 0);
    if (frame == 0) continue;
    const std::vector<float> times = times_of(glb);
    ASSERT_EQ(times.size(), 1u + frame);
    for (int k = 0; k <= frame; ++k) EXPECT_NEAR(times[k], 0.1 * k, 1e-6);  // from the first frame on
  }
}

TEST(Glb, three_sees_the_bar_swing) {
  if (!can_run_three()) GTEST_SKIP() << "needs Node.js and viewer/node_modules";
  TemporaryFolder folder;
  SwingingBar bar(2);
  GlbWriter writer(folder.path(), bar.body);
  for (int frame = 0; frame <= 4; ++frame) writer.write(bar.frame(0.1 * frame));
  writer.finish();
  const json seen = as_three_reads_it(folder);
  EXPECT_EQ(seen["kind"], "Mesh");
  EXPECT_EQ(seen["vertices"], 90);
  EXPECT_EQ(seen["indices"], 3 * 176);
  EXPECT_EQ(seen["targets"], 4);
  EXPECT_EQ(seen["tracks"], 1);
  const DrawnPart part(bar.body);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(seen["first_triangle"][k], part.triangles(0, k));
  // float32 of numbers below 2, and sums of two of them; the last one is a ten-millionth of the time early.
  expect_positions(seen["first"], part.rows(bar.positions(0)), 5e-7);
  expect_positions(seen["last"], part.rows(bar.positions(0.4)), 2e-6);
  expect_positions(seen["between"], part.rows(MatrixX3d((bar.positions(0.3) + bar.positions(0.4)) / 2)), 1e-6);

  // The bar is prismatic: the normal of a vertex in the middle of its side y = const stays along y.
  const MatrixX3d rest = part.rows(bar.rest);
  for (Index i = 0; i < rest.rows(); ++i) {
    const bool middle = rest(i, 0) == 0 && rest(i, 2) < 0 && rest(i, 2) > -SwingingBar::kLength;
    if (!middle) continue;
    EXPECT_NEAR(seen["normals"][3 * i + 1].get<double>(), rest(i, 1) > 0 ? 1 : -1, 1e-6);
    EXPECT_NEAR(seen["last_normals"][3 * i + 1].get<double>(), 0, 1e-6);
  }
}

TEST(Glb, bodies_with_names_are_nodes) {
  TemporaryFolder folder;
  MixedWorld world;
  GlbWriter writer(folder.path(), world.body);
  for (int frame = 0; frame < 3; ++frame) writer.write(world.frame(0.1 * frame));
  writer.finish();
  const Glb glb = read_glb(folder / "body.glb");  // checks the ranges of every body and target
  ASSERT_EQ(glb.root["nodes"].size(), 3u);
  ASSERT_EQ(glb.root["scenes"][0]["nodes"], json({0, 1, 2}));
  const int modes[] = {4, 4, 1}, counts[] = {90, 25, 9}, indices[] = {3 * 176, 3 * 32, 2 * 8};
  for (size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(glb.root["nodes"][b]["name"], world.body.body_names[b]);
    EXPECT_EQ(glb.root["animations"][0]["channels"][b]["target"]["node"], b);
    const json& primitives = glb.root["meshes"][glb.root["nodes"][b]["mesh"].get<size_t>()]["primitives"];
    ASSERT_EQ(primitives.size(), 1u);
    const json& primitive = primitives[0];
    EXPECT_EQ(primitive["mode"], modes[b]);
    EXPECT_EQ(primitive["targets"].size(), 2u);
    EXPECT_EQ(primitive["attributes"].contains("NORMAL"), b < 2);
    EXPECT_EQ(glb.root["accessors"][primitive["attributes"]["POSITION"].get<size_t>()]["count"], counts[b]);
    EXPECT_EQ(glb.root["accessors"][primitive["indices"].get<size_t>()]["count"], indices[b]);
  }
}

TEST(Glb, three_sees_each_body_by_name) {
  if (!can_run_three()) GTEST_SKIP() << "needs Node.js and viewer/node_modules";
  TemporaryFolder folder;
  MixedWorld world;
  GlbWriter writer(folder.path(), world.body);
  for (int frame = 0; frame <= 4; ++frame) writer.write(world.frame(0.1 * frame));
  writer.finish();
  const json seen = as_three_reads_it(folder);
  EXPECT_EQ(seen["kinds"], json({"Mesh", "Mesh", "LineSegments"}));
  EXPECT_EQ(seen["counts"], json({90, 25, 9}));
  EXPECT_EQ(seen["names"][0], "bar");
  EXPECT_EQ(seen["names"][1], "sheet");
  EXPECT_EQ(seen["tracks"], 3);
  const DrawnPart part(world.bar.body);
  expect_positions(seen["last"], part.rows(world.bar.positions(0.4)), 2e-6);  // of the first body
}

TEST(Glb, too_many_frames_are_thinned_and_the_last_stays) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  GlbWriter writer(folder.path(), bar.body, {.frames = 10, .bytes = 100'000'000});
  std::uintmax_t largest = 0;
  for (int frame = 0; frame <= 101; ++frame) {
    writer.write(bar.frame(0.01 * frame));
    put_together(writer);
    largest = std::max(largest, std::filesystem::file_size(folder / "body.glb"));
    if (frame < 2) continue;
    const std::vector<float> times = times_of(read_glb(folder / "body.glb"));
    EXPECT_LE(times.size(), 11u);
    EXPECT_GE(times.size(), std::min<size_t>(frame, 6));
    EXPECT_EQ(times.front(), 0);
    EXPECT_NEAR(times.back(), 0.01 * frame, 1e-6);
    EXPECT_TRUE(std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end());
  }
  const std::vector<float> times = times_of(read_glb(folder / "body.glb"));
  for (size_t k = 0; k + 1 < times.size(); ++k) EXPECT_NEAR(times[k], 0.16 * k, 1e-6);  // every sixteenth frame
  EXPECT_LE(std::filesystem::file_size(folder / "body.slots"), largest) << "slots are used again";
}

TEST(Glb, thinned_frames_are_in_their_own_slots) {
  if (!can_run_three()) GTEST_SKIP() << "needs Node.js and viewer/node_modules";
  TemporaryFolder folder;
  SwingingBar bar(1);
  GlbWriter writer(folder.path(), bar.body, {.frames = 10, .bytes = 100'000'000});
  for (int frame = 0; frame <= 64; ++frame) writer.write(bar.frame(0.01 * frame));
  writer.finish();
  const json seen = as_three_reads_it(folder);  // frames 0, 8, 16 … 64
  ASSERT_EQ(seen["targets"], 8);
  const DrawnPart part(bar.body);
  expect_positions(seen["last"], part.rows(bar.positions(0.64)), 2e-6);
  expect_positions(seen["between"], part.rows(MatrixX3d((bar.positions(0.56) + bar.positions(0.64)) / 2)), 1e-6);
}

TEST(Glb, frames_at_the_same_time_are_one) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  GlbWriter writer(folder.path(), bar.body);
  for (double t : {0.0, 0.0, 0.1, 0.1 + 1e-12, 0.2}) writer.write(bar.frame(t));
  writer.finish();
  EXPECT_EQ(targets_of(read_glb(folder / "body.glb")), 2u);
}

TEST(Glb, ropes_are_lines_and_points_are_points) {
  if (!can_run_three()) GTEST_SKIP() << "needs Node.js and viewer/node_modules";
  TemporaryFolder folder;
  BodyTopology rope;
  rope.vertices = 4;
  const MatrixX3d x = MatrixX3d::Random(4, 3);
  const auto kind = [&] {
    GlbWriter writer(folder.path(), rope);
    for (double t : {0.0, 1.0}) writer.write({t, x * (1 + t), x, VectorXd::Zero(4), {}});
    writer.finish();
    read_glb(folder / "body.glb");
    return as_three_reads_it(folder)["kind"];
  };
  EXPECT_EQ(kind(), "Points");
  rope.edges.resize(2, 2);
  rope.edges << 0, 1, 1, 3;
  EXPECT_EQ(kind(), "LineSegments");
}

TEST(Glb, refuses_what_gltf_cannot_hold) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  GlbWriter writer(folder.path(), bar.body);
  bar.frame(0);
  bar.x(3, 1) = 1e39;  // finite, but not as float32
  EXPECT_NE(message_of<Error>([&] {
              writer.write({0.5, bar.x, bar.v, bar.strain, {}});
            }).find("frame at 0.5 s"),
            std::string::npos);
  EXPECT_NE(message_of<Error>([&] { GlbWriter(folder.path(), BodyTopology{}); }).find("nothing to draw"),
            std::string::npos);
}

TEST(Glb, a_skin_keeps_texture_and_materials) {
  if (!can_run_three()) GTEST_SKIP() << "needs Node.js and viewer/node_modules";
  TemporaryFolder folder;
  SwingingBar bar(1);
  auto skin = std::make_shared<Skin>();
  TriangleSurface& surface = skin->surface;
  surface.X.resize(3, 3);
  surface.X << 0, 0, -0.1, 0.1, 0, -1, 0, 0.1, -1.5;
  surface.triangles.resize(2, 3);
  surface.triangles << 0, 1, 2, 0, 2, 1;
  surface.uv.resize(3, 2);
  surface.uv << 0, 0.25, 1, 0.5, 0.5, 1;
  surface.uv_triangles.resize(2, 3);
  surface.uv_triangles << 0, 1, 2, 1, 2, -1;  // point 0 has two texture points, point 1 has one and none
  surface.material = Eigen::Vector2i(1, 0);
  surface.material_names = {"fur", "horn"};
  skin->embedding = embed(TetMesh{bar.rest, bar.body.tets, bar.body.region, {}}, surface.X);
  bar.body.skin = skin;
  GlbWriter writer(folder.path(), bar.body);
  for (double t : {0.0, 0.1}) writer.write(bar.frame(t));
  writer.finish();
  read_glb(folder / "body.glb");
  const json seen = as_three_reads_it(folder);
  EXPECT_EQ(seen["objects"], 2);
  EXPECT_EQ(seen["materials"], (json{"fur", "horn"}));
  EXPECT_EQ(seen["indices"], 6);
  EXPECT_EQ(seen["first_triangle"], (json{3, 2, 4}));
  // From the upper left corner of the picture, where OBJ counts from the lower left.
  EXPECT_EQ(seen["uv"], (json{0, 0.75, 1, 0.5, 0.5, 0, 1, 0.5, 0, 0}));
  const MatrixX3d carried = skin->embedding.carry(bar.positions(0.1));
  expect_positions(seen["last"], carried({0, 1, 2, 0, 1}, Eigen::all), 1e-6);
}
