// Every mesh format: round trips to the last bit, files that others wrote, other readers' view of ours.

#include "brio/mesh/formats/mesh_format.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/surface.hpp"

#include "mesh/mesh_checks.hpp"
#include "mesh/mesh_files.hpp"
#include "support/temporary_folder.hpp"
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace brio {
namespace {

namespace fs = std::filesystem;

/// Two tetrahedra on a shared face and one apart, with numbers that need all their digits.
LoadedMesh awkward_tets() {
  LoadedMesh loaded;
  loaded.mesh.X.resize(9, 3);
  loaded.mesh.X << 0, 0, 0, 1.0 / 3, 1e-17, -0.1, 0.1 + 0.2, 1, 0, 0, -0.0, 1, 1, 1, 1.0000000000000002,  //
      1e5, 1.7e-300, 5e-324, 1e5 + 1, 0, 0, 1e5, 1, 0, 1e5, 0, 1;
  loaded.mesh.T.resize(3, 4);
  loaded.mesh.T << 0, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8;
  loaded.mesh.region = Eigen::Vector3i(4, 5, 0);
  loaded.mesh.fiber = MatrixX3d::Zero(3, 3);
  loaded.region_names = {{4, "bone"}};
  loaded.vertex_sets = {{"feet", {0, 2}}, {"bone", {0, 1, 2, 3}}, {"group_5", {1, 2, 3, 4}}};
  return loaded;
}

LoadedMesh awkward_surface() {
  LoadedMesh loaded;
  TriangleSurface& surface = loaded.surface;
  surface.X = awkward_tets().mesh.X.topRows(5);
  surface.triangles.resize(4, 3);
  surface.triangles << 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4;
  surface.uv.resize(3, 2);
  surface.uv << 0, 1.0 / 3, 1, 0.1, 0.5, 1;
  surface.uv_triangles.resize(4, 3);
  surface.uv_triangles << 0, 1, 2, -1, -1, -1, 2, 1, 0, 0, 0, 1;
  surface.group = Eigen::Vector4i(0, 1, 1, 0);
  surface.group_names = {"left side", "right"};
  surface.material = Eigen::Vector4i(0, 0, 1, 0);
  surface.material_names = {"red wool", "steel"};
  surface.material_files = {"../looks/wool and steel.mtl"};
  return loaded;
}

/// Bits, so that -0 and 0 are told apart.
template <class Matrix>
bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0;
}

TEST(MeshFormats, tetrahedra_come_back_to_the_last_bit) {
  const LoadedMesh mesh = awkward_tets();
  int formats = 0;
  for (const MeshFormat& format : mesh_formats()) {
    if (!format.tets) continue;
    ++formats;
    const LoadedMesh back = read_bytes(format, written_bytes(format, mesh));
    EXPECT_TRUE(same_bits(back.mesh.X, mesh.mesh.X)) << format.name;
    EXPECT_EQ(back.mesh.T, mesh.mesh.T) << format.name;
    EXPECT_EQ(back.mesh.region, mesh.mesh.region) << format.name;
    if (format.sets) {
      EXPECT_EQ(back.vertex_sets, mesh.vertex_sets) << format.name;
      EXPECT_EQ(back.region_names, mesh.region_names) << format.name;
    }
    // A second trip changes nothing any more.
    EXPECT_EQ(written_bytes(format, read_bytes(format, written_bytes(format, back))), written_bytes(format, back))
        << format.name;
  }
  EXPECT_EQ(formats, 6);
}

TEST(MeshFormats, surfaces_come_back_to_the_last_bit) {
  const LoadedMesh mesh = awkward_surface();
  int formats = 0;
  for (const MeshFormat& format : mesh_formats()) {
    if (!format.surfaces) continue;
    ++formats;
    const LoadedMesh back = read_bytes(format, written_bytes(format, mesh));
    ASSERT_EQ(back.surface.faces(), 4) << format.name;
    if (format.name == "stl") {  // by corners: the file has no vertices of its own, and its solids are in order
      const int row_of[] = {0, 3, 1, 2};
      for (int f = 0; f < 4; ++f)
        for (int c = 0; c < 3; ++c)
          EXPECT_EQ(back.surface.X.row(back.surface.triangles(f, c)),
                    mesh.surface.X.row(mesh.surface.triangles(row_of[f], c)));
      continue;
    }
    EXPECT_TRUE(same_bits(back.surface.X, mesh.surface.X)) << format.name;
    EXPECT_EQ(back.surface.triangles, mesh.surface.triangles) << format.name;
    if (format.groups) {
      EXPECT_EQ(back.surface.group, mesh.surface.group) << format.name;
      EXPECT_EQ(back.surface.group_names, mesh.surface.group_names) << format.name;
    }
    if (format.name == "obj") {
      EXPECT_TRUE(same_bits(back.surface.uv, mesh.surface.uv));
      EXPECT_EQ(back.surface.uv_triangles, mesh.surface.uv_triangles);
      EXPECT_EQ(back.surface.material, mesh.surface.material);
      EXPECT_EQ(back.surface.material_names, mesh.surface.material_names);
      EXPECT_EQ(back.surface.material_files, mesh.surface.material_files);
    }
  }
  EXPECT_EQ(formats, 8);
}

/// The seeds of the fuzzer hold two tetrahedra, or a few triangles on their points. Those called ascii and binary were
/// written by meshio, those with a byte order by a script after the formats' descriptions.
TEST(MeshFormats, files_of_others_have_their_numbers) {
  MatrixX3d points(5, 3);
  points << 0, 0, 0, 1, 0, 0, 0, 1.1, 0, 0, 0, 0.3, 1, 1.1, 0.3;
  MatrixX4i tets(2, 4);
  tets << 0, 1, 2, 3, 1, 2, 3, 4;
  const std::map<std::string, Eigen::Vector2i> regions{{"22-ascii.msh", {4, 5}},
                                                       {"22-binary.msh", {4, 5}},
                                                       {"22-big-endian.msh", {3, 3}},
                                                       {"two.mesh", {4, 5}},
                                                       {"meshio.mesh", {4, 5}},
                                                       {"from-0.tetgen", {2, 3}},
                                                       {"from-1.tetgen", {2, 3}},
                                                       {"two.veg", {1, 2}},
                                                       {"42-ascii.vtk", {4, 5}},
                                                       {"42-binary.vtk", {4, 5}},
                                                       {"51-ascii.vtk", {4, 5}},
                                                       {"51-binary.vtk", {4, 5}},
                                                       {"ascii.vtu", {4, 5}},
                                                       {"zlib.vtu", {4, 5}},
                                                       {"binary.vtu", {4, 5}},
                                                       {"lit-raw.vtu", {7, 8}},
                                                       {"lit-base64.vtu", {7, 8}},
                                                       {"lit-raw-zlib.vtu", {7, 8}},
                                                       {"big-raw.vtu", {7, 8}},
                                                       {"big-base64.vtu", {7, 8}},
                                                       {"big-raw-zlib.vtu", {7, 8}},
                                                       {"lit-base64-zlib.vtu", {7, 8}},
                                                       {"big-base64-zlib.vtu", {7, 8}},
                                                       {"41-ascii.msh", {0, 0}},
                                                       {"41-binary.msh", {0, 0}},
                                                       {"41-entities-binary.msh", {4, 4}},
                                                       {"41-entities-big-endian.msh", {4, 4}}};
  size_t seen = 0;
  for (const MeshFormat& format : mesh_formats()) {
    for (const auto& entry : fs::directory_iterator(fs::path(BRIO_SOURCE_DIR) / "tests/mesh/corpus" / format.name)) {
      const auto expected = regions.find(entry.path().filename().string());
      if (expected == regions.end()) continue;
      ++seen;
      const LoadedMesh loaded = read_bytes(format, read_text(entry.path()));
      EXPECT_EQ(loaded.mesh.X, points) << entry.path();
      EXPECT_EQ(loaded.mesh.T, tets) << entry.path();
      EXPECT_EQ(loaded.mesh.region, expected->second) << entry.path();
    }
  }
  EXPECT_EQ(seen, regions.size());
}

LoadedMesh seed(const std::string& format, const std::string& name) {
  return read_bytes(find_row(mesh_formats(), "format", format),
                    read_text(fs::path(BRIO_SOURCE_DIR) / "tests/mesh/corpus" / format / name));
}

TEST(MeshFormats, names_of_parts_are_kept) {
  const LoadedMesh gmsh = seed("gmsh", "41-entities-big-endian.msh");
  EXPECT_EQ(gmsh.region_names, (std::map<int, std::string>{{4, "bone"}}));
  EXPECT_EQ(gmsh.vertex_sets.at("group_7"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(gmsh.other_cells.at("triangles"), 1);
  const LoadedMesh medit = seed("medit", "two.mesh");
  EXPECT_EQ(medit.vertex_sets.at("group_7"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(medit.vertex_sets.at("group_1"), (std::vector<int>{1, 3}));
  const LoadedMesh tetgen = seed("tetgen", "from-0.tetgen");
  EXPECT_EQ(tetgen.vertex_sets.at("group_1"), (std::vector<int>{1, 4}));
  const LoadedMesh vega = seed("vega", "two.veg");
  EXPECT_EQ(vega.region_names, (std::map<int, std::string>{{1, "allElements"}, {2, "tip"}}));
  EXPECT_EQ(vega.vertex_sets.at("tip"), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(vega.materials.at(2).name, "hard");
  EXPECT_EQ(vega.materials.at(2).rho, 2000);
  EXPECT_EQ(vega.materials.at(1).E, 1e5);
  EXPECT_EQ(vega.materials.at(1).nu, 0.4);
}

TEST(MeshFormats, vega_keeps_numbers_of_regions_and_invents_no_material) {
  LoadedMesh mesh = awkward_tets();
  mesh.region_names = {{4, "a b"}, {5, "a_b"}};
  const MeshFormat& vega = find_row(mesh_formats(), "format", "vega");
  const std::string text = written_bytes(vega, mesh);
  EXPECT_EQ(text.find("ENU, 1"), std::string::npos);
  const LoadedMesh back = read_bytes(vega, text);
  EXPECT_EQ(back.region_names, (std::map<int, std::string>{{4, "a_b"}, {5, "a_b"}}));
  EXPECT_EQ(back.mesh.region, mesh.mesh.region);
  EXPECT_TRUE(back.materials.empty());
  mesh.materials[5] = {"rubber", 1000, 1e6, 0.45};
  const LoadedMesh with = read_bytes(vega, written_bytes(vega, mesh));
  EXPECT_EQ(with.mesh.region, mesh.mesh.region);
  ASSERT_EQ(with.materials.size(), 1u);
  EXPECT_EQ(with.materials.at(5).E, 1e6);
}

TEST(MeshFormats, vega_includes_files_of_its_folder) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "points.veg") << "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
  std::ofstream(folder / "body.veg") << "*INCLUDE points.veg\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n"
                                        "*MATERIAL m\nENU, 1000, 1e5, 0.4\n*REGION\nallElements, m\n";
  std::ofstream(folder / "loop.veg") << "*INCLUDE loop.veg\n";
  const LoadedMesh loaded = read_mesh(folder / "body.veg");
  EXPECT_EQ(loaded.mesh.tets(), 1);
  EXPECT_EQ(loaded.materials.at(1).E, 1e5);
  EXPECT_THROW(read_mesh(folder / "loop.veg"), Error);
}

TEST(MeshFormats, what_is_no_mesh_at_all_is_called_by_its_name) {
  const testing::TemporaryFolder folder;
  fs::create_directories(folder / "folder.msh");
  std::ofstream(folder / "a.png") << "\x89PNG\r\n";
  std::ofstream(folder / "b.msh") << "\x89PNG\r\n";
  std::ofstream(folder / "c.obj") << "\x1f\x8b\x08";
  ASSERT_EQ(mkfifo((folder / "pipe.msh").c_str(), 0600), 0);
  const auto refusal = [&](const char* name) -> std::string {
    try {
      read_mesh(folder / name);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("folder.msh").find("is a folder"), std::string::npos);
  EXPECT_NE(refusal("a.png").find("is a picture; a mesh file ends in .msh"), std::string::npos);
  EXPECT_NE(refusal("b.msh").find("is a PNG picture, not a mesh"), std::string::npos);
  EXPECT_NE(refusal("c.obj").find("is compressed by gzip"), std::string::npos);
  EXPECT_NE(refusal("pipe.msh").find("is a pipe"), std::string::npos);
}

TEST(MeshFormats, surfaces_keep_texture_and_groups) {
  const LoadedMesh obj = seed("obj", "cube.obj");
  EXPECT_EQ(obj.surface.vertices(), 5);
  MatrixX3i triangles(4, 3);
  triangles << 0, 1, 2, 0, 2, 3, 4, 3, 2, 0, 1, 4;  // a quadrangle, a face counted from the end, a triangle
  EXPECT_EQ(obj.surface.triangles, triangles);
  MatrixX3i uv(4, 3);
  uv << 0, 1, 2, 0, 2, -1, -1, -1, -1, 0, 1, 2;
  EXPECT_EQ(obj.surface.uv_triangles, uv);
  EXPECT_EQ(obj.surface.group_names, (std::vector<std::string>{"floor", "roof"}));
  EXPECT_EQ(obj.surface.group, Eigen::Vector4i(0, 0, 1, 1));
  EXPECT_EQ(obj.other_cells.at("lines"), 1);

  const LoadedMesh ply = seed("ply", "big-endian.ply");
  EXPECT_EQ(ply.surface.faces(), 3);
  EXPECT_EQ(ply.surface.uv.rows(), 5);
  EXPECT_EQ(ply.surface.uv(3, 1), 0.2f);
  EXPECT_EQ(ply.surface.triangles.row(1), Eigen::RowVector3i(0, 2, 4));
  EXPECT_EQ(ply.surface.X(2, 1), 1.1f);

  const LoadedMesh stl = seed("stl", "two-solids.stl");
  EXPECT_EQ(stl.surface.vertices(), 5);  // the second solid has a corner of its own
  EXPECT_EQ(stl.surface.group_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(seed("stl", "binary.stl").surface.vertices(), 4);
  EXPECT_EQ(seed("stl", "ascii.stl").surface.triangles, seed("stl", "binary.stl").surface.triangles);
  EXPECT_EQ(seed("off", "corner.off").surface.faces(), 3);
  EXPECT_EQ(seed("off", "corner.off").other_cells.at("faces of one or two corners"), 1);
  EXPECT_EQ(seed("off", "bare.off").surface.faces(), 1);
  EXPECT_EQ(seed("vtk", "poly.vtk").surface.faces(), 2);
  EXPECT_EQ(seed("medit", "surface.mesh").surface.group_names, (std::vector<std::string>{"group_3"}));
}

TEST(MeshFormats, old_line_ends_are_taken) {
  for (const char* name :
       {"medit/two.mesh", "vega/two.veg", "off/corner.off", "gmsh/22-groups.msh", "tetgen/from-1.tetgen"}) {
    const MeshFormat& format = find_row(mesh_formats(), "format", fs::path(name).parent_path().string());
    const std::string text = read_text(fs::path(BRIO_SOURCE_DIR) / "tests/mesh/corpus" / name);
    std::string dos;
    for (char c : text) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
    if (format.name != "tetgen") {  // there the line divides the two files
      std::string mac = text;
      std::replace(mac.begin(), mac.end(), '\n', '\r');
      EXPECT_EQ(written_bytes(format, read_bytes(format, mac)), written_bytes(format, read_bytes(format, text)))
          << name;
      EXPECT_EQ(written_bytes(format, read_bytes(format, dos)), written_bytes(format, read_bytes(format, text)))
          << name;
    }
  }
}

TEST(MeshFormats, the_table_is_sound) {
  std::set<std::string> names, extensions;
  for (const MeshFormat& format : mesh_formats()) {
    EXPECT_TRUE(names.insert(format.name).second);
    EXPECT_TRUE(format.tets || format.surfaces);
    EXPECT_FALSE(format.summary.empty());
    for (const std::string& extension : format.extensions) {
      EXPECT_TRUE(extensions.insert(extension).second);
      EXPECT_EQ(find_mesh_format("some/BODY" + extension).name, format.name);
    }
  }
  EXPECT_EQ(find_mesh_format("body.MSH").name, "gmsh");
  EXPECT_THROW(find_mesh_format("body.step"), Error);
}

TEST(MeshFormats, shared_files_have_their_counts) {
  const fs::path folder = shared_meshes();
  if (!fs::exists(folder)) GTEST_SKIP() << "no folder of meshes: set BRIO_SHARED_MESHES";
  const LoadedMesh beam = load_mesh(folder / "beam3_tet.veg");
  EXPECT_EQ(beam.mesh.vertices(), 208);
  EXPECT_EQ(beam.mesh.tets(), 450);
  EXPECT_EQ(beam.materials.at(1).E, 1e7);
  for (const auto& [name, vertices, triangles] :
       {std::tuple{"spot_low_resolution.obj", 829, 1654}, std::tuple{"fish_low_resolution.obj", 945, 1886},
        std::tuple{"penguin.obj", 3362, 6720}}) {
    const LoadedMesh surface = load_surface(folder / name);
    EXPECT_EQ(surface.surface.vertices(), vertices) << name;
    EXPECT_EQ(surface.surface.faces(), triangles) << name;
    EXPECT_THROW(load_mesh(folder / name), Error);
  }
  EXPECT_EQ(load_surface(folder / "spot_tet_gmsh.msh").surface.faces(), 1654);
}

/// meshio prints what it finds in a file: the points, then the cells.
const char* const kMeshioScript = R"(
import sys, meshio
mesh = meshio.read(sys.argv[1])
cells = [c for c in mesh.cells if c.type == sys.argv[2]]
print(len(mesh.points), sum(len(c.data) for c in cells))
for p in mesh.points: print(*[float(x).hex() for x in p])
for c in cells:
    for row in c.data: print(*row)
)";

TEST(MeshFormats, meshio_reads_what_we_write) {
  if (std::system("/usr/bin/python3 -c 'import meshio' 2> /dev/null") != 0) {
    GTEST_SKIP() << "no meshio (Debian: python3-meshio)";
  }
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "read.py") << kMeshioScript;
  const LoadedMesh tets = awkward_tets();
  LoadedMesh surface = awkward_surface();
  surface.surface.uv.resize(0, 2);  // meshio wants one for each point
  surface.surface.uv_triangles.resize(0, 3);
  for (const MeshFormat& format : mesh_formats()) {
    if (format.name == "vega") continue;  // not known to meshio
    const LoadedMesh& mesh = format.tets ? tets : surface;
    for (const MeshFile& file : format.write(mesh))
      std::ofstream(folder / ("body" + file.extension), std::ios::binary) << file.bytes;
    const std::string name = (folder / ("body" + format.extensions[0])).string();
    const std::string command =
        fmt::format("/usr/bin/python3 '{}' '{}' {} > '{}' 2> '{}'", (folder / "read.py").string(), name,
                    format.tets ? "tetra" : "triangle", (folder / "found").string(), (folder / "said").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << format.name << "\n" << read_text(folder / "said");
    std::istringstream found(read_text(folder / "found"));
    Index points = 0, cells = 0;
    found >> points >> cells;
    const MatrixX3d& X = format.tets ? mesh.mesh.X : mesh.surface.X;
    const Index corners = format.tets ? 4 : 3;
    std::vector<Eigen::RowVector3d> read_points;
    for (Index i = 0; i < points; ++i) {
      std::string x, y, z;
      found >> x >> y >> z;
      read_points.push_back(
          {std::strtod(x.c_str(), nullptr), std::strtod(y.c_str(), nullptr), std::strtod(z.c_str(), nullptr)});
    }
    if (format.name != "stl") {
      ASSERT_EQ(points, X.rows()) << format.name;
      for (Index i = 0; i < points; ++i) EXPECT_EQ(read_points[i], X.row(i)) << format.name;
    }
    ASSERT_EQ(cells, format.tets ? mesh.mesh.tets() : mesh.surface.faces()) << format.name;
    const int stl_order[] = {0, 3, 1, 2};  // group by group
    for (Index i = 0; i < cells; ++i) {
      for (Index c = 0; c < corners; ++c) {
        Index vertex = -1;
        found >> vertex;
        ASSERT_TRUE(vertex >= 0 && vertex < points) << format.name;
        const Index row = format.name == "stl" ? stl_order[i] : i;
        const int own = format.tets ? mesh.mesh.T(row, c) : mesh.surface.triangles(row, c);
        EXPECT_EQ(read_points[vertex], X.row(own)) << format.name;
      }
    }
  }
}

}  // namespace
}  // namespace brio
