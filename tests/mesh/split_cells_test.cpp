// Cells of mesh files that are no tetrahedra are split into some.

#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/surface.hpp"

#include "mesh/mesh_checks.hpp"
#include "mesh/mesh_files.hpp"

namespace brio {
namespace {

/// 2 x 1 x 1 cubes of edge 1 in region 7, numbered so that corners with small numbers lie all over.
const std::array<int, 12> kShuffled{5, 2, 9, 0, 11, 7, 3, 8, 1, 10, 4, 6};
Vec3 grid_point(int i) { return {double(i % 3), double(i / 3 % 2), double(i / 6)}; }
std::array<int, 8> grid_cube(int x) {
  const auto at = [&](int a, int b, int c) { return kShuffled[x + a + 3 * b + 6 * c]; };
  return {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)};
}
std::string rows_of_points(const char* format) {
  std::array<Vec3, 12> places;
  for (int i = 0; i < 12; ++i) places[kShuffled[i]] = grid_point(i);
  std::string rows;
  for (int i = 0; i < 12; ++i)
    rows += fmt::format(fmt::runtime(format), i + 1, places[i][0], places[i][1], places[i][2]);
  return rows;
}
std::string rows_of_cubes(const std::string& before, int first, const std::string& after) {
  std::string rows;
  for (int x = 0; x < 2; ++x) {
    rows += fmt::format(fmt::runtime(before), x + 1);
    for (int corner : grid_cube(x)) rows += fmt::format(" {}", corner + first);
    rows += after + "\n";
  }
  return rows;
}

TEST(SplitCells, hexahedra_are_split_so_that_neighbors_fit) {
  const std::map<std::string, std::string> files{
      {"gmsh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n12\n" + rows_of_points("{} {} {} {}\n") +
                   "$EndNodes\n$Elements\n2\n" + rows_of_cubes("{} 5 2 7 1", 1, "") + "$EndElements\n"},
      {"medit", "MeshVersionFormatted 2\nDimension 3\nVertices 12\n" + rows_of_points("{1} {2} {3} 0\n") +
                    "Hexahedra 2\n" + rows_of_cubes("", 1, " 7") + "End\n"},
      {"vega", "*VERTICES\n12 3 0 0\n" + rows_of_points("{}, {}, {}, {}\n") + "*ELEMENTS CUBIC\n2 8 0\n" +
                   rows_of_cubes("{}", 1, "") + "*SET region_7 all of them\n1, 2\n"},
      {"vtk", "# vtk DataFile Version 3.0\ncubes\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n" +
                  rows_of_points("{1} {2} {3}\n") + "CELLS 2 18\n" + rows_of_cubes("8", 0, "") +
                  "CELL_TYPES 2\n12\n12\nCELL_DATA 2\nSCALARS region int 1\nLOOKUP_TABLE default\n7\n7\n"}};
  for (const auto& [name, text] : files) {
    SCOPED_TRACE(name);
    const LoadedMesh loaded = read_bytes(find_row(mesh_formats(), "format", name), text);
    EXPECT_EQ(loaded.mesh.tets(), 12);
    EXPECT_EQ(loaded.mesh.region, VectorXi::Constant(12, 7));
    expect_sound(loaded.mesh);  // positive volumes, every face shared by two or on the surface
    EXPECT_NEAR(total_volume(loaded.mesh), 2, 1e-14);
    EXPECT_EQ(boundary_triangles(loaded.mesh).rows(), 20);
    ASSERT_FALSE(loaded.messages.empty());
    EXPECT_EQ(loaded.messages[0], "2 hexahedra split into tetrahedra");
  }
}

TEST(SplitCells, prisms_pyramids_and_voxels_are_split) {
  const MeshFormat& vtk = find_row(mesh_formats(), "format", "vtk");
  const auto volume = [&](const std::string& points, const std::string& cells) {
    const LoadedMesh loaded =
        read_bytes(vtk, "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n" + points + cells);
    for (int t = 0; t < loaded.mesh.tets(); ++t) EXPECT_GT(tet_volume(loaded.mesh, t), 0);
    return total_volume(loaded.mesh);
  };
  const std::string cube = "POINTS 8 double\n0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\n";  // row by row
  EXPECT_NEAR(volume(cube, "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n"), 1, 1e-14);
  EXPECT_NEAR(volume(cube, "CELLS 1 7\n6 0 1 2 4 5 6\nCELL_TYPES 1\n13\n"), 0.5, 1e-14);
  EXPECT_NEAR(volume(cube, "CELLS 1 6\n5 0 1 3 2 4\nCELL_TYPES 1\n14\n"), 1.0 / 3, 1e-14);
}

}  // namespace
}  // namespace brio
