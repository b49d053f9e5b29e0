// Cuts of meshes: volume, orientation and conformity survive any surface, and pieces are what geometry says.

#include "brio/mesh/cutting/cut.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/faces.hpp"
#include "brio/mesh/generators/ball.hpp"
#include "brio/mesh/generators/box.hpp"
#include "brio/mesh/solids/implicit_primitives.hpp"
#include "brio/mesh/stuffing/stuffing.hpp"

#include "mesh/mesh_checks.hpp"
#include <random>

namespace brio {
namespace {

using Through = CutOptions::Through;

TetMesh bar() { return make_box(Vec3(0.4, 0.1, 0.1), {8, 3, 3}, 6); }
TetMesh ball() { return make_ball(0.1, 0.03, 4); }

/// A ring around the z axis.
TetMesh torus() {
  static const TetMesh mesh =
      stuff(*make_torus(Vec3::Zero(), Vec3::UnitZ(), 0.1, 0.04), StuffingTarget{.size = 0.02}).mesh;
  return mesh;
}

/// Vertices less edges plus faces less tetrahedra: 1 for each ball-like piece, 0 for each ring.
int solid_euler(const TetMesh& mesh) {
  const Faces faces = find_faces(mesh);
  return mesh.vertices() - static_cast<int>(find_edges(mesh).size()) +
         static_cast<int>(faces.single.size() + faces.shared.size()) - mesh.tets();
}

std::map<int, double> volume_by_old_tet(const CutMesh& cut) {
  std::map<int, double> volume;
  for (int t = 0; t < cut.mesh.tets(); ++t) volume[cut.old_tet[t]] += tet_volume(cut.mesh, t);
  return volume;
}

void expect_consistent(const TetMesh& mesh, const CutMesh& cut) {
  ASSERT_EQ(static_cast<int>(cut.origin.size()), cut.mesh.vertices());
  ASSERT_EQ(static_cast<int>(cut.old_tet.size()), cut.mesh.tets());
  ASSERT_EQ(cut.mesh.region.size(), cut.mesh.tets());
  ASSERT_EQ(cut.mesh.fiber.rows(), cut.mesh.tets());
  ASSERT_EQ(connected_components(cut.mesh).count, cut.pieces);
  ASSERT_GE(connected_components(cut.mesh).of_vertex.minCoeff(), 0) << "a vertex of no tetrahedron";
  EXPECT_EQ(cut.mesh.X.topRows(mesh.vertices()), mesh.X);
  // The smallest part that a snap of 0.1 leaves has 0.1^3 of the volume; edges that end in one vertex may cut it
  // thrice.
  for (int t = 0; t < cut.mesh.tets(); ++t) {
    ASSERT_GE(tet_volume(cut.mesh, t), 0.999e-3 * tet_volume(mesh, cut.old_tet[t])) << "tet " << t;
    ASSERT_EQ(cut.mesh.region[t], mesh.region[cut.old_tet[t]]);
  }
  // Corners are rounded to their size times epsilon; that moves faces, of at most half a longest edge squared each.
  const double rounding = std::numeric_limits<double>::epsilon() * mesh.X.cwiseAbs().maxCoeff();
  for (const auto& [t, volume] : volume_by_old_tet(cut)) {
    double longest = 0;  // squared
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b)
        longest = std::max(longest, (mesh.X.row(mesh.T(t, a)) - mesh.X.row(mesh.T(t, b))).squaredNorm());
    ASSERT_NEAR(volume, tet_volume(mesh, t), 2 * rounding * longest);
  }
  ASSERT_EQ(volume_by_old_tet(cut).size(), static_cast<size_t>(mesh.tets()));
  // Conforming: a crack or an overlap would leave faces without a partner inside, which the surface's volume shows.
  const MatrixX3i surface = boundary_triangles(cut.mesh);
  const double volume = total_volume(mesh);
  EXPECT_NEAR(enclosed_volume(cut.mesh.X, surface), volume, 1e-12 * volume);
}

Vec3 random_vector(std::mt19937_64& random, double size) {
  std::uniform_real_distribution<double> even(-size, size);
  return {even(random), even(random), even(random)};
}

/// The volume on the positive side of a plane, tetrahedron by tetrahedron from their heights alone.
double volume_above(const TetMesh& mesh, const Vec3& point, const Vec3& normal) {
  double sum = 0;
  for (int t = 0; t < mesh.tets(); ++t) {
    std::vector<double> h;
    for (int v : mesh.T.row(t)) h.push_back(normal.dot(Vec3(mesh.X.row(v)) - point));
    // Of the tetrahedron, the part where an affine function is positive: the sum over positive corners of
    // h_i^3 / prod_{j != i} (h_i - h_j), a divided difference of the truncated cube.
    double part = 0;
    for (int i = 0; i < 4; ++i) {
      if (h[i] <= 0) continue;
      double product = 1;
      for (int j = 0; j < 4; ++j)
        if (j != i) product *= h[i] - h[j];
      part += h[i] * h[i] * h[i] / product;
    }
    sum += part * tet_volume(mesh, t);
  }
  return sum;
}

TEST(CutMesh, random_planes_keep_every_volume_positive_and_the_sum) {
  std::mt19937_64 random(3);
  const TetMesh meshes[] = {bar(), ball(), torus()};
  int changed = 0;
  for (const TetMesh& mesh : meshes)
    for (int trial = 0; trial < 40; ++trial)
      for (const Through through : {Through::elements, Through::faces}) {
        const Vec3 middle = mesh.X.colwise().mean();
        const auto plane = cutting_plane(middle + random_vector(random, 0.06), random_vector(random, 1));
        const CutMesh cut = cut_mesh(mesh, mesh.X, *plane, {.through = through});
        expect_consistent(mesh, cut);
        changed += cut.changed();
        if (HasFatalFailure()) return;
        if (cut.changed()) {
          EXPECT_GT(cut.pieces, cut.pieces_before - (&mesh == &meshes[2] ? 1 : 0)) << trial;
        }
        if (through == Through::faces) {
          EXPECT_EQ(cut.mesh.tets(), mesh.tets());
        }
      }
  EXPECT_GT(changed, 200);
}

TEST(CutMesh, through_elements_the_pieces_have_the_volume_on_either_side) {
  const TetMesh mesh = bar();
  const Vec3 point(0.173, 0.05, 0.05), normal = Vec3(1, 0.4, -0.2).normalized();
  CutOptions options;
  options.snap = 1e-3;  // next to nothing is taken to be on the plane that is not
  const CutMesh cut = cut_mesh(mesh, mesh.X, *cutting_plane(point, normal), options);
  ASSERT_EQ(cut.pieces, 2);
  const Components parts = connected_components(cut.mesh);
  double above = 0;
  for (int t = 0; t < cut.mesh.tets(); ++t) {
    const Vec3 middle = (cut.mesh.X(cut.mesh.T.row(t), Eigen::all)).colwise().mean();
    if (normal.dot(middle - point) > 0) above += tet_volume(cut.mesh, t);
  }
  // Snapping moves the cut by at most 1e-3 edges (of 0.05 m), on an area of 0.01 m^2.
  EXPECT_NEAR(above, volume_above(mesh, point, normal), 1e-3 * 0.05 * 0.012);
  for (int t = 0; t < cut.mesh.tets(); ++t)
    for (int c = 1; c < 4; ++c) ASSERT_EQ(parts.of_vertex[cut.mesh.T(t, 0)], parts.of_vertex[cut.mesh.T(t, c)]);
}

TEST(CutMesh, a_bar_cut_across_falls_into_two) {
  const TetMesh mesh = bar();
  for (const Through through : {Through::elements, Through::faces})
    for (const double x : {0.2, 0.2 + 1e-17, 0.213, 0.2 - 1e-9}) {  // on a layer of vertices, and not
      const CutMesh cut = cut_mesh(mesh, mesh.X, *cutting_plane(Vec3(x, 0, 0), Vec3::UnitX()), {.through = through});
      EXPECT_EQ(cut.pieces, 2);
      EXPECT_EQ(solid_euler(cut.mesh), 2);
      expect_closed(boundary_triangles(cut.mesh));
    }
  const CutMesh layer = cut_mesh(mesh, mesh.X, *cutting_plane(Vec3(0.2, 0, 0), Vec3::UnitX()), {});
  EXPECT_EQ(layer.mesh.vertices(), mesh.vertices() + 16) << "the 4 x 4 vertices of the layer, once more";
  EXPECT_EQ(layer.mesh.tets(), mesh.tets());
}

TEST(CutMesh, a_torus_needs_two_cuts) {
  const TetMesh mesh = torus();
  ASSERT_EQ(solid_euler(mesh), 0);
  // A path through one side of the ring only.
  const auto one_side = [](double sign) {
    return cutting_path({{sign * 0.02, 0.001, 0.1}, {sign * 0.2, 0.001, 0.1}}, -Vec3::UnitZ(), {});
  };
  for (const Through through : {Through::elements, Through::faces}) {
    const CutMesh once = cut_mesh(mesh, mesh.X, *one_side(1), {.through = through});
    EXPECT_TRUE(once.changed());
    EXPECT_EQ(once.pieces, 1);
    EXPECT_EQ(solid_euler(once.mesh), 1) << "no ring any more";
    const CutMesh twice = cut_mesh(once.mesh, once.mesh.X, *one_side(-1), {.through = through});
    EXPECT_EQ(twice.pieces, 2);
    EXPECT_EQ(solid_euler(twice.mesh), 2);
    expect_consistent(once.mesh, twice);
    const CutMesh whole =
        cut_mesh(mesh, mesh.X, *cutting_plane(Vec3(0, 0.001, 0), Vec3::UnitY()), {.through = through});
    EXPECT_EQ(whole.pieces, 2);
    EXPECT_EQ(solid_euler(whole.mesh), 2);
  }
}

TEST(CutMesh, a_cut_that_ends_inside_leaves_one_piece_open_at_its_border) {
  const TetMesh mesh = bar();
  for (const Through through : {Through::elements, Through::faces}) {
    const auto notch = cutting_path({{0.21, 0.1, -0.01}, {0.21, 0.1, 0.11}}, -Vec3::UnitY(), 0.06);
    const CutMesh cut = cut_mesh(mesh, mesh.X, *notch, {.through = through});
    EXPECT_TRUE(cut.changed());
    EXPECT_EQ(cut.pieces, 1);
    EXPECT_EQ(solid_euler(cut.mesh), 1);
    expect_consistent(mesh, cut);
    expect_closed(boundary_triangles(cut.mesh));
    for (int v = mesh.vertices(); v < cut.mesh.vertices(); ++v) {
      // Along faces the jagged cut stays within an element (0.05 m) of the path.
      EXPECT_NEAR(cut.mesh.X(v, 0), 0.21, through == Through::elements ? 0.011 : 0.05);
      EXPECT_GT(cut.mesh.X(v, 1), through == Through::elements ? 0.04 - 1e-9 : 0);
    }
    // Across the whole width, but only the middle of the height: a slit, open to both sides.
    const auto slit = cutting_path({{0.21, 0.08, -0.01}, {0.21, 0.08, 0.11}}, -Vec3::UnitY(), 0.06);
    const CutMesh tunnel = cut_mesh(mesh, mesh.X, *slit, {.through = through});
    EXPECT_EQ(tunnel.pieces, 1);
    expect_consistent(mesh, tunnel);
  }
}

TEST(CutMesh, a_closed_path_punches_a_hole) {
  const TetMesh mesh = make_box(Vec3(0.3, 0.3, 0.05), {12, 12, 2}, 6);
  std::vector<Vec3> circle;
  for (int i = 0; i <= 40; ++i) {
    const double angle = 2 * M_PI * (i % 40) / 40;
    circle.push_back(Vec3(0.15 + 0.08 * std::cos(angle), 0.15 + 0.08 * std::sin(angle), 0));
  }
  for (const Through through : {Through::elements, Through::faces}) {
    const CutMesh cut = cut_mesh(mesh, mesh.X, *cutting_path(circle, Vec3::UnitZ(), {}), {.through = through});
    EXPECT_EQ(cut.pieces, 2);
    EXPECT_EQ(solid_euler(cut.mesh), 1) << "a ring and a disc";
    expect_consistent(mesh, cut);
  }
}

TEST(CutMesh, random_paths_keep_every_volume_positive_and_the_sum) {
  std::mt19937_64 random(7);
  const TetMesh meshes[] = {bar(), ball(), torus()};
  int changed = 0;
  for (const TetMesh& mesh : meshes)
    for (int trial = 0; trial < 30; ++trial)
      for (const Through through : {Through::elements, Through::faces}) {
        const Vec3 middle = mesh.X.colwise().mean();
        std::vector<Vec3> points(2 + trial % 7);
        for (Vec3& p : points) p = middle + random_vector(random, 0.15);
        const auto path =
            cutting_path(points, random_vector(random, 1), trial % 3 ? std::optional<double>(0.1) : std::nullopt);
        const CutMesh cut = cut_mesh(mesh, mesh.X, *path, {.through = through});
        expect_consistent(mesh, cut);
        changed += cut.changed();
        if (HasFatalFailure()) return;
      }
  EXPECT_GT(changed, 60);
}

TEST(CutMesh, the_same_cut_again_finds_nothing_to_part) {
  const TetMesh mesh = ball();
  const auto plane = cutting_plane(Vec3(0.013, 0, 0), Vec3(1, 2, 3));
  for (const Through through : {Through::elements, Through::faces}) {
    const CutMesh once = cut_mesh(mesh, mesh.X, *plane, {.through = through});
    ASSERT_TRUE(once.changed());
    EXPECT_FALSE(cut_mesh(once.mesh, once.mesh.X, *plane, {.through = through}).changed());
  }
}

TEST(CutMesh, cut_upon_cut_stays_sound) {
  std::mt19937_64 random(11);
  TetMesh mesh = bar();
  const double volume = total_volume(mesh);
  int pieces = 1;
  for (int k = 0; k < 10; ++k) {
    const Vec3 middle = mesh.X.colwise().mean();
    const auto plane = cutting_plane(middle + random_vector(random, 0.03), random_vector(random, 1));
    CutMesh cut = cut_mesh(mesh, mesh.X, *plane, {});
    expect_consistent(mesh, cut);
    if (HasFatalFailure()) return;
    EXPECT_EQ(cut.pieces_before, pieces);
    EXPECT_GT(cut.pieces, pieces);
    pieces = cut.pieces;
    mesh = std::move(cut.mesh);
  }
  EXPECT_NEAR(total_volume(mesh), volume, 1e-12 * volume);
}

TEST(CutMesh, a_moved_body_is_cut_where_it_is) {
  const TetMesh mesh = bar();
  MatrixX3d moved = mesh.X;
  moved.col(0) *= 1.5;
  moved.rowwise() += Eigen::RowVector3d(1, 0, 0);
  const CutMesh cut = cut_mesh(mesh, moved, *cutting_plane(Vec3(1.32, 0, 0), Vec3::UnitX()), {});
  const CutMesh same = cut_mesh(mesh, mesh.X, *cutting_plane(Vec3(0.32 / 1.5, 0, 0), Vec3::UnitX()), {});
  ASSERT_EQ(cut.mesh.T, same.mesh.T);
  EXPECT_LT((cut.mesh.X - same.mesh.X).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(CutMesh, linear_fields_stay_linear_and_old_vertices_keep_their_numbers) {
  const TetMesh mesh = ball();
  const CutMesh cut = cut_mesh(mesh, mesh.X, *cutting_plane(Vec3(0.01, 0, 0), Vec3(1, 2, 3)), {});
  const Mat3 A = Mat3::Random();
  const MatrixX3d field = mesh.X * A.transpose();
  EXPECT_LT((carried(cut.origin, field) - cut.mesh.X * A.transpose()).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(CutMesh, what_misses_changes_nothing) {
  const TetMesh mesh = bar();
  for (const Through through : {Through::elements, Through::faces})
    for (const auto& surface :
         {cutting_plane(Vec3(1, 0, 0), Vec3::UnitX()), cutting_plane(Vec3(0, 0, 0), Vec3::UnitX()),
          cutting_path({{0.2, 0.05, 0.05}, {0.2, 0.051, 0.05}}, Vec3::UnitZ(), 0.001)}) {
      const CutMesh cut = cut_mesh(mesh, mesh.X, *surface, {.through = through});
      EXPECT_FALSE(cut.changed());
      EXPECT_EQ(cut.mesh.T, mesh.T);
      EXPECT_EQ(cut.mesh.X, mesh.X);
      EXPECT_EQ(cut.pieces, 1);
    }
}

std::string refused_cut(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CutMesh, surfaces_without_direction_are_refused) {
  const double nan = std::nan("");
  EXPECT_EQ(refused_cut([] { cutting_plane(Vec3::Zero(), Vec3::Zero()); }),
            "\"normal\" = [0, 0, 0]: expected a direction");
  EXPECT_EQ(refused_cut([&] { cutting_plane(Vec3::Zero(), Vec3(0, nan, 1)); }),
            "\"normal\" = [0, nan, 1]: expected a direction");
  EXPECT_EQ(refused_cut([&] { cutting_plane(Vec3(nan, 0, 0), Vec3::UnitX()); }),
            "\"point\": expected finite coordinates");
  EXPECT_EQ(refused_cut([] {
              cutting_path({{0, 0, 0}, {0, 0, 1}}, Vec3::UnitZ(), {});
            }),
            "\"points\": expected a path of two different points or more, seen along the \"direction\"");
  EXPECT_EQ(refused_cut([] { cutting_path({}, Vec3::UnitZ(), {}); }),
            "\"points\": expected a path of two different points or more, seen along the \"direction\"");
  EXPECT_NE(
      refused_cut([] { cutting_path(std::vector<Vec3>(20'000, Vec3::Zero()), Vec3::UnitZ(), {}); }).find("at most"),
      std::string::npos);
  EXPECT_EQ(
      refused_cut([] { cut_mesh(bar(), MatrixX3d::Zero(3, 3), *cutting_plane(Vec3::Zero(), Vec3::UnitX()), {}); }),
      "3 positions for 144 vertices");
}

}  // namespace
}  // namespace brio
