#include "brio/output/frames/vtu.hpp"

#include "brio/core/error.hpp"

#include "output/files.hpp"
#include "output/swinging_bar.hpp"
#include "output/vtu_array.hpp"
#include <cstdlib>

using namespace brio;
using namespace brio::testing;

namespace {

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
  return found;
}

void expect_same(const std::vector<double>& values, const auto& matrix) {
  ASSERT_EQ(values.size(), static_cast<size_t>(matrix.size()));
  for (size_t k = 0; k < values.size(); ++k) ASSERT_EQ(values[k], matrix.data()[k]) << k;
}

}  // namespace

TEST(Vtu, holds_every_number_of_the_frame) {
  TemporaryFolder folder;
  SwingingBar bar(2);
  VtuWriter writer(folder.path(), bar.body);
  writer.write(bar.frame(0.3));
  const std::string file = contents(folder / "frame_000000.vtu");

  expect_same(vtu_array<double>(file, "position", "Float64"), bar.x);
  expect_same(vtu_array<double>(file, "velocity", "Float64"), bar.v);
  expect_same(vtu_array<double>(file, "strain", "Float64"), bar.strain);
  const auto connectivity = vtu_array<std::int32_t>(file, "connectivity", "Int32");
  const auto offsets = vtu_array<std::int32_t>(file, "offsets", "Int32");
  const auto types = vtu_array<std::uint8_t>(file, "types", "UInt8");
  const auto region = vtu_array<std::int32_t>(file, "region", "Int32");
  const int tets = static_cast<int>(bar.body.tets.rows());
  ASSERT_EQ(connectivity.size(), 4u * tets);
  ASSERT_EQ(offsets.size(), 1u * tets);
  ASSERT_EQ(types.size(), 1u * tets);
  ASSERT_EQ(region.size(), 1u * tets);
  for (int i = 0; i < tets; ++i) {
    EXPECT_EQ(offsets[i], 4 * (i + 1));
    EXPECT_EQ(types[i], 10);
    EXPECT_EQ(region[i], bar.body.region[i]);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(connectivity[4 * i + k], bar.body.tets(i, k));
  }
  EXPECT_NE(file.find("NumberOfPoints=\"99\" NumberOfCells=\"240\""), file.npos);  // 3 x 3 x 11, 6 x 2 x 2 x 10
  EXPECT_TRUE(file.ends_with("</AppendedData>\n</VTKFile>\n"));
}

TEST(Vtu, collection_is_closed_after_every_frame) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  VtuWriter writer(folder.path(), bar.body);
  for (int frame = 0; frame < 12; ++frame) {
    writer.write(bar.frame(0.1 * frame));
    const std::string pvd = contents(folder / "frames.pvd");  // as it is while the writer still has it open
    EXPECT_EQ(count(pvd, "<DataSet "), frame + 1);
    EXPECT_EQ(count(pvd, "</Collection>"), 1);
    EXPECT_TRUE(pvd.ends_with("</Collection>\n</VTKFile>\n"));
  }
  const std::string pvd = contents(folder / "frames.pvd");
  EXPECT_NE(pvd.find("<DataSet timestep=\"0.5\" part=\"0\" file=\"frame_000005.vtu\"/>"), pvd.npos);
}

TEST(Vtu, spring_nets_are_triangles_or_lines) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  bar.body.tets.resize(0, 4);
  bar.body.region.resize(0);
  bar.body.edges.resize(2, 2);
  bar.body.edges << 0, 4, 4, 8;
  VtuWriter(folder.path(), bar.body).write(bar.frame(0));
  std::string file = contents(folder / "frame_000000.vtu");
  EXPECT_EQ(vtu_array<std::uint8_t>(file, "types", "UInt8"), std::vector<std::uint8_t>(bar.body.triangles.rows(), 5));

  bar.body.triangles.resize(0, 3);
  VtuWriter(folder.path(), bar.body).write(bar.frame(0));
  file = contents(folder / "frame_000000.vtu");
  EXPECT_EQ(vtu_array<std::uint8_t>(file, "types", "UInt8"), (std::vector<std::uint8_t>{3, 3}));
  EXPECT_EQ(vtu_array<std::int32_t>(file, "connectivity", "Int32"), (std::vector<std::int32_t>{0, 4, 4, 8}));
}

TEST(Vtu, frames_of_an_earlier_run_go_and_other_files_stay) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  {
    VtuWriter longer(folder.path(), bar.body);
    for (int frame = 0; frame < 3; ++frame) longer.write(bar.frame(frame));
  }
  std::ofstream(folder / "notes.vtu") << "mine";
  VtuWriter(folder.path(), bar.body).write(bar.frame(0));
  EXPECT_TRUE(std::filesystem::exists(folder / "frame_000000.vtu"));
  EXPECT_FALSE(std::filesystem::exists(folder / "frame_000001.vtu"));
  EXPECT_TRUE(std::filesystem::exists(folder / "notes.vtu"));
}

TEST(Vtu, meshio_reads_it) {
  if (std::system("/usr/bin/python3 -c 'import meshio' > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "needs Python with meshio (Debian: python3-meshio)";
  TemporaryFolder folder;
  SwingingBar bar(2);
  VtuWriter(folder.path(), bar.body).write(bar.frame(0.3));
  const std::string script =
      "import meshio, sys; m = meshio.read(sys.argv[1]); c = m.cells_dict['tetra']; "
      "assert m.points.shape == (99, 3) and c.shape == (240, 4) and m.point_data['velocity'].shape == (99, 3); "
      "p = m.points[c]; import numpy; d = p[:, 1:] - p[:, :1]; v = numpy.linalg.det(d) / 6; "
      "assert (v > 0).all() and (m.cell_data['region'][0] == numpy.arange(240) % 2).all()";
  const std::string command = "/usr/bin/python3 -c \"" + script + "\" '" + (folder / "frame_000000.vtu").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(Vtu, says_which_file_cannot_be_written_and_why) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  std::ofstream(folder / "file") << "in the way";
  const std::string message = message_of<Error>([&] { VtuWriter(folder / "file", bar.body).write(bar.frame(0)); });
  EXPECT_NE(message.find((folder / "file").string()), message.npos) << message;
  EXPECT_NE(message.find("Not a directory"), message.npos) << message;
}

TEST(Vtu, refuses_what_does_not_fit) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  const Frame frame = bar.frame(0);
  BodyTopology body = bar.body;
  body.tets(3, 2) = 99;
  EXPECT_EQ(message_of<Error>([&] { VtuWriter(folder.path(), body); }),
            "tetrahedron 3 names vertex 99, but there are 24 vertices");
  body = bar.body;
  body.region.resize(7);
  EXPECT_EQ(message_of<Error>([&] { VtuWriter(folder.path(), body); }), "7 regions are given for 30 tetrahedra");
  const MatrixX3d few = bar.v.topRows(5);
  VtuWriter writer(folder.path(), bar.body);
  EXPECT_EQ(message_of<Error>([&] {
              writer.write({0.5, frame.x, few, frame.strain, frame.obstacles});
            }),
            "frame at 0.5 s has 5 velocities, but the body has 24 vertices");
}
