#include "brio/core/error.hpp"
#include "brio/output/frames/obj.hpp"
#include "brio/output/frames/pc2.hpp"

#include "output/files.hpp"
#include "output/swinging_bar.hpp"
#include <set>

using namespace brio;
using namespace brio::testing;

namespace {

struct Obj {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> faces;
  int lines = 0;
};

Obj read_obj(const std::filesystem::path& path) {
  Obj obj;
  std::istringstream file(contents(path));
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") words >> obj.vertices.emplace_back()[0] >> obj.vertices.back()[1] >> obj.vertices.back()[2];
    if (kind == "f") words >> obj.faces.emplace_back()[0] >> obj.faces.back()[1] >> obj.faces.back()[2];
    if (kind == "l") ++obj.lines;
    EXPECT_TRUE(words) << line;
  }
  return obj;
}

/// Volume inside a closed surface whose faces are seen from outside counterclockwise (divergence theorem).
double enclosed_volume(const Obj& obj) {
  double volume = 0;
  for (const auto& f : obj.faces)
    volume += obj.vertices[f[0] - 1].dot(obj.vertices[f[1] - 1].cross(obj.vertices[f[2] - 1])) / 6;
  return volume;
}

}  // namespace

TEST(Obj, surface_is_closed_and_without_inner_vertices) {
  TemporaryFolder folder;
  SwingingBar bar(2);
  ObjWriter writer(folder.path(), bar.body);
  writer.write(bar.frame(0.5));  // a quarter period: upright and straight
  writer.write(bar.frame(0.6));
  const Obj obj = read_obj(folder / "frame_000000.obj");
  EXPECT_EQ(obj.vertices.size(), 90u);             // 3 x 3 x 11 without the 9 inside
  EXPECT_EQ(obj.faces.size(), 2u * (8 + 4 * 20));  // two triangles for each outer square
  // Nine decimal digits are written.
  EXPECT_NEAR(enclosed_volume(obj), SwingingBar::kLength * SwingingBar::kThickness * SwingingBar::kThickness, 1e-7);
  EXPECT_TRUE(std::filesystem::exists(folder / "frame_000001.obj"));
}

TEST(Obj, ropes_are_lines) {
  TemporaryFolder folder;
  BodyTopology rope;
  rope.vertices = 4;
  rope.edges.resize(2, 2);
  rope.edges << 0, 1, 1, 3;
  const MatrixX3d x = MatrixX3d::Random(4, 3);
  ObjWriter(folder.path(), rope).write({0, x, x, VectorXd::Zero(4), {}});
  const Obj obj = read_obj(folder / "frame_000000.obj");
  EXPECT_EQ(obj.lines, 2);
  ASSERT_EQ(obj.vertices.size(), 3u);
  EXPECT_NEAR((obj.vertices[2] - x.row(3).transpose()).norm(), 0, 1e-8);
}

TEST(Pc2, is_complete_after_every_frame_and_fits_its_obj) {
  TemporaryFolder folder;
  SwingingBar bar(2);
  Pc2Writer writer(folder.path(), bar.body);
  for (int frame = 0; frame < 5; ++frame) {
    writer.write(bar.frame(0.1 * frame));
    const std::string file = contents(folder / "surface.pc2");  // as it is while the writer still has it open
    EXPECT_EQ(file.substr(0, 12), std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(read_at<std::int32_t>(file, 12), 1);
    EXPECT_EQ(read_at<std::int32_t>(file, 16), 90);
    EXPECT_EQ(read_at<float>(file, 20), 0);
    EXPECT_EQ(read_at<float>(file, 24), 1);
    EXPECT_EQ(read_at<std::int32_t>(file, 28), frame + 1);
    EXPECT_EQ(file.size(), 32u + (frame + 1) * 90 * 12);
  }
  const std::string file = contents(folder / "surface.pc2");
  const Obj obj = read_obj(folder / "surface.obj");
  ASSERT_EQ(obj.vertices.size(), 90u);
  for (int i = 0; i < 90; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(read_at<float>(file, 32 + 12 * i + 4 * k), obj.vertices[i][k], 1e-6);

  // The last point of the surface is the last vertex of the body: a corner.
  for (int k = 0; k < 3; ++k) EXPECT_EQ(read_at<float>(file, file.size() - 12 + 4 * k), float(bar.x(98, k)));
}

TEST(FrameFormats, every_row_makes_a_writer_that_writes) {
  ASSERT_EQ(names_of(frame_formats()),
            (std::vector<std::string>{"vtu", "pvtu", "obj", "ply", "pc2", "mdd", "glb", "msh", "npz"}));
  for (const FrameFormatEntry& format : frame_formats()) {
    TemporaryFolder folder;
    SwingingBar bar(1);
    EXPECT_FALSE(format.summary.empty());
    const auto writer = format.make(folder / "new/folder", bar.body);
    writer->write(bar.frame(0));
    EXPECT_FALSE(std::filesystem::is_empty(folder / "new/folder")) << format.name;
    const MatrixX3d few = bar.x.topRows(2);
    EXPECT_THROW(writer->write({0, few, bar.v, bar.strain, {}}), Error) << format.name;
    writer->finish();
    BodyTopology broken = bar.body;
    broken.triangles(0, 0) = -1;
    EXPECT_THROW(format.make(folder.path(), broken), Error) << format.name;
  }
}
