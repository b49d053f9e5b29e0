// Stress and stretches in files of frames, as other people's programs read them.

#include "brio/diagnose/stress.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/output/frames/msh.hpp"
#include "brio/output/frames/npz.hpp"
#include "brio/output/frames/vtu.hpp"
#include "brio/output/recording.hpp"

#include <gtest/gtest.h>

#include "output/python.hpp"
#include "support/bodies.hpp"
#include "support/temporary_folder.hpp"

namespace brio::testing {
namespace {

/// A block of 40 tetrahedra, pulled by a fifth along x.
struct PulledBlock {
  TetMesh mesh = make_box(Vec3(1, 1, 1), {2, 2, 2}, 5);
  BodyTopology body;
  MatrixX3d x, v;
  VectorXd strain;
  std::vector<Placement> obstacles;
  BodyStress stress;

  explicit PulledBlock(StressDetail detail = StressDetail::all) {
    body.vertices = mesh.vertices();
    body.tets = mesh.T;
    body.triangles = boundary_triangles(mesh);
    body.stress = true;
    x = mesh.X * Eigen::DiagonalMatrix<double, 3>(1.2, 1, 1);
    v = MatrixX3d::Zero(x.rows(), 3);
    strain = VectorXd::Zero(x.rows());
    const ElasticPart part{law("neo-hookean", {{"E", 1000.0}, {"nu", 0.25}}), first_integers(mesh.tets())};
    stress = measure_stress(mesh, {part}, x, detail);
  }
  Frame frame(double time) const { return {time, x, v, strain, obstacles, &stress}; }
};

// s = mu (F F^T - I) / J + lambda ln J / J I with mu = lambda = 400 Pa and J = 1.2; von Mises of two equal sides is the
// difference.
constexpr const char* kExpected =
    "a = (400 * 0.44 + 400 * numpy.log(1.2)) / 1.2; b = 400 * numpy.log(1.2) / 1.2; "
    "check = lambda m, c, s: (numpy.testing.assert_allclose(m, a - b, 1e-9), "
    "numpy.testing.assert_allclose(c, numpy.broadcast_to([a, b, b, 0, 0, 0], c.shape), atol=1e-9 * a), "
    "numpy.testing.assert_allclose(s, numpy.broadcast_to([1.2, 1, 1], s.shape), 1e-9)); ";

TEST(StressFields, meshio_reads_them_from_vtu_and_gmsh_files) {
  if (!python_has("meshio")) GTEST_SKIP() << "needs Python with meshio (Debian: python3-meshio)";
  const PulledBlock block;
  TemporaryFolder folder;
  VtuWriter vtu(folder / "vtu", block.body);
  MshWriter msh(folder / "msh", block.body);
  vtu.write(block.frame(0));
  msh.write(block.frame(0));
  // Gmsh's tensors have nine entries.
  const std::string script = "import meshio, numpy, sys; m = meshio.read(sys.argv[1]); " + std::string(kExpected) +
                             "six = lambda s: s[:, [0, 4, 8, 1, 5, 2]] if s.shape[1] == 9 else s; "
                             "p = m.point_data; assert len(p['cauchy']) == 27; "
                             "check(p['von_mises'], six(p['cauchy']), p['stretches']); "
                             "c = {k: v[0] for k, v in m.cell_data.items()}; assert len(c['cauchy']) == 40; "
                             "check(c['von_mises'], six(c['cauchy']), c['stretches'])";
  EXPECT_TRUE(python_accepts(script, folder / "vtu/frame_000000.vtu"));
  EXPECT_TRUE(python_accepts(script, folder / "msh/frame_000000.msh"));
}

TEST(StressFields, numpy_reads_them_from_all_frames) {
  if (!python_has("numpy")) GTEST_SKIP() << "needs Python with NumPy (Debian: python3-numpy)";
  const PulledBlock block;
  TemporaryFolder folder;
  NpzWriter writer(folder.path(), block.body);
  for (const double time : {0.0, 0.1, 0.2}) writer.write(block.frame(time));
  writer.finish();
  EXPECT_TRUE(
      python_accepts("import numpy, sys; d = numpy.load(sys.argv[1]); " + std::string(kExpected) +
                         "assert d['cauchy'].shape == (3, 27, 6); assert d['cell_stretches'].shape == (3, 40, 3); "
                         "check(d['von_mises'], d['cauchy'], d['stretches']); "
                         "check(d['cell_von_mises'], d['cell_cauchy'], d['cell_stretches'])",
                     folder / "trajectory.npz"));
}

TEST(StressFields, the_page_has_the_stretches_where_they_are_wanted) {
  for (const StressDetail detail : {StressDetail::all, StressDetail::vertices}) {
    const PulledBlock block(detail);
    Recording recording(block.body, {});
    recording.add(block.frame(0));
    const RecordedFrame& frame = *recording.frames().front();
    EXPECT_GT(frame.stress.most, 0);
    EXPECT_EQ(frame.stretch.value.empty(), detail == StressDetail::vertices);
    if (detail == StressDetail::vertices) continue;
    EXPECT_NEAR(frame.stretch.most, 0.2, 1e-9);
    EXPECT_NEAR(frame.squeeze.most, 0, 1e-9);
  }
}

}  // namespace
}  // namespace brio::testing
