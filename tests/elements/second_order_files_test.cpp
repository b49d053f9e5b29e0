// Files with tetrahedra of second order: read with the vertices on their edges, written, and refused by name.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/quadratic.hpp"
#include "brio/output/save_mesh.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/temporary_folder.hpp"

namespace brio {
namespace {

class SecondOrderFiles : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  std::string refusal(const std::filesystem::path& path) {
    try {
      load_mesh(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  testing::TemporaryFolder folder_;
};

// Edges in Gmsh's order: 01 12 02 03 23 13.
constexpr const char* kGmshNodes = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
10
1 0 0 0
2 2 0 0
3 0 2 0
4 0 0 2
5 1 0 0
6 1 1 0
7 0 1 0
8 0 0 1
9 0 1 1
10 1 0 1
$EndNodes
)";

void expect_straight(const TetMesh& mesh) {
  for (int t = 0; t < mesh.tets(); ++t)
    for (int e = 0; e < 6; ++e) {
      const int a = mesh.T(t, kEdgeCorners[e][0]), b = mesh.T(t, kEdgeCorners[e][1]);
      EXPECT_EQ(mesh.X.row(mesh.mid(t, e)), (0.5 * (mesh.X.row(a) + mesh.X.row(b))).eval()) << e;
    }
}

TEST_F(SecondOrderFiles, gmsh_keeps_all_ten_nodes_and_sides_with_six) {
  const LoadedMesh loaded = load_mesh(file("a.msh", std::string(kGmshNodes) + R"($Elements
2
1 11 1 3 1 2 3 4 5 6 7 8 9 10
2 9 1 4 1 2 3 5 6 7
$EndElements
)"));
  EXPECT_EQ(loaded.mesh.vertices(), 10);
  ASSERT_EQ(loaded.mesh.order(), 2);
  expect_straight(loaded.mesh);
  EXPECT_EQ(loaded.vertex_sets.at("group_3").size(), 10u);
  EXPECT_EQ(loaded.vertex_sets.at("group_4"), (std::vector<int>{0, 1, 2, 4, 5, 6}));
  EXPECT_TRUE(loaded.messages.empty()) << loaded.messages.front();
}

TEST_F(SecondOrderFiles, medit_keeps_all_ten_nodes) {
  const LoadedMesh loaded = load_mesh(file("a.mesh", R"(MeshVersionFormatted 2
Dimension 3
Vertices
10
0 0 0 0
2 0 0 0
0 2 0 0
0 0 2 0
1 0 0 0
1 1 0 0
0 1 0 0
0 0 1 0
1 0 1 0
0 1 1 0
TetrahedraP2
1
1 2 3 4 5 6 7 8 9 10 7
End
)"));
  ASSERT_EQ(loaded.mesh.order(), 2);
  expect_straight(loaded.mesh);
  EXPECT_EQ(loaded.mesh.region[0], 7);
}

TEST_F(SecondOrderFiles, round_trips_keep_every_bit) {
  LoadedMesh mesh;
  mesh.mesh = make_box(Vec3(1, 1, 1), {2, 2, 2}, 5);
  make_quadratic(mesh.mesh);
  mesh.mesh.X = testing::shaken(mesh.mesh.X, 0.02);
  for (const char* name : {"b.msh", "b.mesh"}) {
    save_mesh(folder_.path() / name, mesh);
    const LoadedMesh back = load_mesh(folder_.path() / name);
    EXPECT_EQ(back.mesh.X, mesh.mesh.X) << name;
    EXPECT_EQ(back.mesh.T, mesh.mesh.T) << name;
    EXPECT_EQ(back.mesh.mid, mesh.mesh.mid) << name;
  }
  // Formats that we write with linear tetrahedra get the corners, and say so.
  const SavedMesh saved = save_mesh(folder_.path() / "b.veg", mesh);
  ASSERT_FALSE(saved.messages.empty());
  const LoadedMesh back = load_mesh(folder_.path() / "b.veg");
  EXPECT_EQ(back.mesh.order(), 1);
  EXPECT_EQ(back.mesh.vertices(), 27);
}

TEST_F(SecondOrderFiles, folded_elements_are_refused_by_name) {
  std::string text = std::string(kGmshNodes) + "$Elements\n1\n1 11 1 3 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
  text.replace(text.find("5 1 0 0"), 7, "5 .3 0 0");  // before the quarter of its edge
  const std::string said = refusal(file("fold.msh", text));
  EXPECT_NE(said.find("fold.msh: tetrahedron 0"), std::string::npos) << said;
  EXPECT_NE(said.find("fold it"), std::string::npos) << said;
}

TEST_F(SecondOrderFiles, mixed_orders_are_refused) {
  const std::string said = refusal(file("mixed.msh", std::string(kGmshNodes) +
                                                         "$Elements\n2\n1 11 1 3 1 2 3 4 5 6 7 8 9 10\n2 4 1 3 5 6 7 8\n"
                                                         "$EndElements\n"));
  EXPECT_NE(said.find("mixed.msh: holds 1 quadratic tetrahedra and 1 others"), std::string::npos) << said;
}

}  // namespace
}  // namespace brio
