// PLY, MDD, Gmsh and NumPy frames: by their bytes, by our own readers, and by other people's.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/output/frames/mdd.hpp"
#include "brio/output/frames/msh.hpp"
#include "brio/output/frames/npz.hpp"
#include "brio/output/frames/ply.hpp"

#include "output/files.hpp"
#include "output/python.hpp"
#include "output/swinging_bar.hpp"

using namespace brio;
using namespace brio::testing;

namespace {

constexpr int kFrames = 5;
double time_of(int frame) { return 0.1 * frame; }

void write_all(FrameWriter& writer, SwingingBar& bar) {
  for (int frame = 0; frame < kFrames; ++frame) writer.write(bar.frame(time_of(frame)));
  writer.finish();
}

float big_endian_float(const std::string& bytes, size_t offset) {
  return std::bit_cast<float>(__builtin_bswap32(read_at<std::uint32_t>(bytes, offset)));
}

BodyTopology rope_topology() {
  BodyTopology rope;
  rope.vertices = 4;
  rope.edges.resize(2, 2);
  rope.edges << 0, 1, 1, 3;
  return rope;
}

}  // namespace

TEST(Mdd, holds_times_and_points_in_the_other_byte_order) {
  TemporaryFolder folder;
  SwingingBar bar(2);
  MddWriter writer(folder.path(), bar.body);
  write_all(writer, bar);
  const std::string file = contents(folder / "surface.mdd");
  ASSERT_EQ(file.size(), 8u + 4 * kFrames + 12u * 90 * kFrames);
  EXPECT_EQ(__builtin_bswap32(read_at<std::uint32_t>(file, 0)), unsigned{kFrames});
  EXPECT_EQ(__builtin_bswap32(read_at<std::uint32_t>(file, 4)), 90u);
  for (int frame = 0; frame < kFrames; ++frame)
    EXPECT_EQ(big_endian_float(file, 8 + 4 * frame), static_cast<float>(time_of(frame)));
  for (int k = 0; k < 3; ++k)  // the last vertex is a corner, hence on the surface
    EXPECT_EQ(big_endian_float(file, file.size() - 12 + 4 * k), static_cast<float>(bar.x(98, k)));
  EXPECT_EQ(load_surface(folder / "surface.obj").surface.vertices(), 90);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2) << "something is left over";
}

TEST(Mdd, python_reads_it) {
  TemporaryFolder folder;
  SwingingBar bar(2);
  MddWriter writer(folder.path(), bar.body);
  write_all(writer, bar);
  // A bar that turns about the y axis keeps every point's distance from it.
  EXPECT_TRUE(
      python_accepts("import struct, sys; f = open(sys.argv[1], 'rb').read(); n, m = struct.unpack('>ii', f[:8]); "
                     "assert (n, m) == (5, 90); t = struct.unpack('>5f', f[8:28]); assert abs(t[4] - 0.4) < 1e-6; "
                     "x = struct.unpack('>%df' % (3 * n * m), f[28:]); r = lambda k, i: "
                     "sum(x[3 * (k * m + i) + c] ** 2 for c in (0, 2)); "
                     "assert all(abs(r(4, i) - r(0, i)) < 1e-5 for i in range(m))",
                     folder / "surface.mdd"));
}

TEST(Mdd, a_run_without_frames_leaves_nothing) {
  TemporaryFolder folder;
  SwingingBar bar(1);
  MddWriter(folder.path(), bar.body).finish();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Ply, our_reader_finds_the_surface) {
  TemporaryFolder folder;
  SwingingBar bar(2);
  PlyWriter writer(folder.path(), bar.body);
  write_all(writer, bar);
  const TriangleSurface surface = load_surface(folder / "frame_000004.ply").surface;
  const DrawnPart part(bar.body);
  EXPECT_EQ(surface.triangles, part.triangles);
  EXPECT_LT((surface.X - part.rows(bar.x)).cwiseAbs().maxCoeff(), 2e-7);  // float32 of numbers below 2
}

TEST(Ply, meshio_reads_positions_velocity_and_strain) {
  if (!python_has("meshio")) GTEST_SKIP() << "needs Python with meshio (Debian: python3-meshio)";
  TemporaryFolder folder;
  SwingingBar bar(2);
  PlyWriter(folder.path(), bar.body).write(bar.frame(0.3));
  EXPECT_TRUE(
      python_accepts(fmt::format("import meshio, sys; m = meshio.read(sys.argv[1]); assert m.points.shape == (90, 3); "
                                 "assert m.cells_dict['triangle'].shape == (176, 3); "
                                 "assert abs(m.points[-1][0] - {}) < 1e-6 and abs(m.point_data['vz'][-1] - {}) < 1e-6; "
                                 "assert abs(m.point_data['strain'][-1] - {}) < 1e-6",
                                 bar.x(98, 0), bar.v(98, 2), bar.strain[98]),
                     folder / "frame_000000.ply"));
}

TEST(Ply, ropes_are_edges) {
  TemporaryFolder folder;
  const MatrixX3d x = MatrixX3d::Random(4, 3);
  PlyWriter(folder.path(), rope_topology()).write({0, x, x, VectorXd::Zero(4), {}});
  const std::string file = contents(folder / "frame_000000.ply");
  EXPECT_NE(file.find("element vertex 3\n"), file.npos);
  EXPECT_NE(file.find("element edge 2\n"), file.npos);
  EXPECT_EQ(read_at<int>(file, file.size() - 4), 2);
}

TEST(Msh, our_reader_finds_the_same_bits) {
  TemporaryFolder folder;
  SwingingBar bar(2);
  MshWriter writer(folder.path(), bar.body);
  write_all(writer, bar);
  const LoadedMesh loaded = read_mesh(folder / "frame_000004.msh");
  EXPECT_EQ(loaded.mesh.X, bar.x);
  EXPECT_EQ(loaded.mesh.T, bar.body.tets);
  EXPECT_EQ(loaded.mesh.region, bar.body.region);
}

TEST(Msh, meshio_reads_cells_velocity_and_strain) {
  if (!python_has("meshio")) GTEST_SKIP() << "needs Python with meshio (Debian: python3-meshio)";
  TemporaryFolder folder;
  SwingingBar bar(2);
  MshWriter(folder.path(), bar.body).write(bar.frame(0.3));
  EXPECT_TRUE(python_accepts(
      fmt::format("import meshio, sys, numpy; m = meshio.read(sys.argv[1]); assert m.points.shape == (99, 3); "
                  "c = m.cells_dict['tetra']; assert c.shape == (240, 4); p = m.points[c]; "
                  "assert (numpy.linalg.det(p[:, 1:] - p[:, :1]) > 0).all(); "
                  "assert (m.cell_data['gmsh:physical'][0] == numpy.arange(240) % 2).all(); "
                  "assert m.point_data['velocity'][-1][2] == {} and m.point_data['strain'][-1] == {}",
                  bar.v(98, 2), bar.strain[98]),
      folder / "frame_000000.msh"));
}

TEST(Msh, nets_and_ropes_are_triangles_and_lines) {
  TemporaryFolder folder;
  const MatrixX3d x = MatrixX3d::Random(4, 3);
  BodyTopology net = rope_topology();
  MshWriter(folder.path(), net).write({0, x, x, VectorXd::Zero(4), {}});
  EXPECT_EQ(message_of<Error>([&] { read_mesh(folder / "frame_000000.msh"); }).find("(nothing"), std::string::npos);
  net.triangles.resize(1, 3);
  net.triangles << 0, 1, 3;
  MshWriter(folder.path(), net).write({0, x, x, VectorXd::Zero(4), {}});
  EXPECT_EQ(read_mesh(folder / "frame_000000.msh").surface.faces(), 1);
}

TEST(Npz, num_py_finds_every_number) {
  if (!python_has("numpy")) GTEST_SKIP() << "needs Python with NumPy (Debian: python3-numpy)";
  TemporaryFolder folder;
  SwingingBar bar(2);
  NpzWriter writer(folder.path(), bar.body);
  write_all(writer, bar);
  EXPECT_TRUE(python_accepts(
      fmt::format(
          "import numpy, sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None; d = "
          "numpy.load(sys.argv[1]); "
          "x, v, s = d['positions'], d['velocities'], d['strain']; assert x.shape == v.shape == (5, 99, 3); "
          "assert s.shape == (5, 99) and d['times'].tolist() == [{}, {}, {}, {}, {}]; "
          "assert x[4, 98, 0] == {} and v[4, 98, 2] == {} and s[4, 98] == {}; "
          "assert d['tets'].shape == (240, 4) and d['triangles'].shape == (176, 3) and d['edges'].shape == (0, 2); "
          "assert (d['region'] == numpy.arange(240) % 2).all(); p = x[4][d['tets']]; "
          "assert (numpy.linalg.det(p[:, 1:] - p[:, :1]) > 0).all()",
          time_of(0), time_of(1), time_of(2), time_of(3), time_of(4), bar.x(98, 0), bar.v(98, 2), bar.strain[98]),
      folder / "trajectory.npz"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "something is left over";
}

TEST(Npz, arrays_are_valid_while_the_run_goes_on) {
  if (!python_has("numpy")) GTEST_SKIP() << "needs Python with NumPy (Debian: python3-numpy)";
  TemporaryFolder folder;
  SwingingBar bar(1);
  NpzWriter writer(folder.path(), bar.body);
  writer.write(bar.frame(0));
  writer.write(bar.frame(0.25));
  EXPECT_TRUE(python_accepts(fmt::format("import numpy, sys; x = numpy.load(sys.argv[1]); "
                                         "assert x.shape == (2, 24, 3) and x[1, 23, 2] == {}",
                                         bar.x(23, 2)),
                             folder / "positions.npy"));
}
