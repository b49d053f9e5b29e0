// Gmsh files: good, mended, hostile and mutated.

#include "brio/mesh/formats/read_gmsh.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/repair.hpp"

#include "mesh/mesh_checks.hpp"
#include "mesh/mesh_files.hpp"
#include <fstream>
#include <random>
#include <unistd.h>

namespace brio {
namespace {

// Two tetrahedra on a shared face; tags with gaps and out of order; a named surface, a named and an unnamed volume.
const char* const kTwo = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 7 "left side"
3 4 "bone"
$EndPhysicalNames
$Nodes
5
10 0 0 0
3 1 0 0
7 0 1 0
1000000 0 0 1
5 1 1 1
$EndNodes
$Elements
4
1 15 2 9 1 10
2 2 2 7 1 10 3 7
3 4 2 4 1 10 3 7 1000000
4 4 2 5 2 3 7 1000000 5
$EndElements
)";

const char* const kFour = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 7 "left side"
3 4 "bone"
$EndPhysicalNames
$Entities
1 0 1 2
1 0 0 0 1 9
1 0 0 0 1 1 0 1 -7 0
1 0 0 0 1 1 1 1 4 1 1
2 0 0 0 1 1 1 1 5 0
$EndEntities
$Nodes
2 5 3 1000000
2 1 0 3
10
3
7
0 0 0
1 0 0
0 1 0
3 1 1 2
1000000
5
0 0 1 0.5 0.5 0.5
1 1 1
$EndNodes
$Elements
4 4 1 4
0 1 15 1
1 10
2 1 2 1
2 10 3 7
3 1 4 1
3 10 3 7 1000000
3 2 4 1
4 3 7 1000000 5
$EndElements
)";

class ReadGmsh : public ::testing::Test {
 protected:
  ReadGmsh() : folder_(std::filesystem::temp_directory_path() / fmt::format("brio_read_gmsh_{}", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~ReadGmsh() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& text, const std::string& name = "body.msh") {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::string refusal(const std::string& text) {
    try {
      load_mesh(file(text));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  void expect_refusal(const std::string& text, const std::string& part) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find(part), std::string::npos) << "wanted: " << part << "\ngot: " << message;
    EXPECT_NE(message.find("body.msh"), std::string::npos) << message;
  }
  std::filesystem::path folder_;
};

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("the text does not hold " + from);
  return text.replace(at, from.size(), to);
}

TEST_F(ReadGmsh, both_versions_give_the_same_mesh) {
  for (const char* text : {kTwo, kFour}) {
    const LoadedMesh loaded = load_mesh(file(text));
    const TetMesh& mesh = loaded.mesh;
    ASSERT_EQ(mesh.vertices(), 5);
    ASSERT_EQ(mesh.tets(), 2);
    EXPECT_EQ(mesh.X.row(0), Eigen::RowVector3d(0, 0, 0));
    EXPECT_EQ(mesh.X.row(4), Eigen::RowVector3d(1, 1, 1));
    EXPECT_EQ(mesh.T.row(0), Eigen::RowVector4i(0, 1, 2, 3));
    EXPECT_EQ(mesh.region, Eigen::Vector2i(4, 5));
    EXPECT_EQ(loaded.region_names, (std::map<int, std::string>{{4, "bone"}}));
    const std::map<std::string, std::vector<int>> sets{
        {"left side", {0, 1, 2}}, {"bone", {0, 1, 2, 3}}, {"group_5", {1, 2, 3, 4}}, {"group_9", {0}}};
    EXPECT_EQ(loaded.vertex_sets, sets);
    EXPECT_EQ(loaded.other_cells, (std::map<std::string, int>{{"points", 1}, {"triangles", 1}}));
    EXPECT_TRUE(loaded.messages.empty());
    expect_sound(mesh);
  }
}

TEST_F(ReadGmsh, takes_other_line_ends_blanks_and_unknown_sections) {
  for (const std::string text : {kTwo, kFour}) {
    std::string odd = "\xEF\xBB\xBF";
    for (char c : text) odd += c == '\n' ? std::string("  \r\n\n") : std::string(1, c);
    odd += "$Comments\nfree text $Nodes\n$EndComments";  // and no line end at the end
    EXPECT_EQ(load_mesh(file(odd)).mesh.T, load_mesh(file(text)).mesh.T);
  }
}

TEST_F(ReadGmsh, mends_and_says_so) {
  // Inside out, and a node that nothing uses, which leaves the sets.
  std::string text = with(kTwo, "10 3 7 1000000\n4", "3 10 7 1000000\n4");
  text = with(with(text, "$Nodes\n5\n", "$Nodes\n6\n77 5 5 5\n"), "2 2 2 7 1 10 3 7", "2 2 2 7 1 77 3 7");
  const LoadedMesh loaded = load_mesh(file(text));
  EXPECT_EQ(loaded.mesh.vertices(), 5);
  EXPECT_EQ(loaded.vertex_sets.at("left side"), (std::vector<int>{1, 2}));
  EXPECT_EQ(loaded.vertex_sets.at("group_9"), (std::vector<int>{0}));
  ASSERT_EQ(loaded.messages.size(), 3u);
  EXPECT_NE(loaded.messages[0].find("inside out"), std::string::npos);
  EXPECT_NE(loaded.messages[1].find("vertex 0 at (5, 5, 5)"), std::string::npos);
  EXPECT_NE(loaded.messages[2].find("set \"left side\": 1 of 3"), std::string::npos);
  expect_sound(loaded.mesh);
}

TEST_F(ReadGmsh, uses_the_corners_of_third_order_tetrahedra_and_leaves_other_cells_out) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n20\n1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n";
  std::string tags;
  for (int n = 1; n <= 20; ++n) {
    tags += fmt::format(" {}", n);
    if (n > 4) text += fmt::format("{} {} 1 1\n", n, 0.1 * n);
  }
  text += "$EndNodes\n$Elements\n2\n1 29 1 3" + tags + "\n2 1 0 1 2\n$EndElements\n";
  const LoadedMesh loaded = load_mesh(file(text));
  EXPECT_EQ(loaded.mesh.vertices(), 4);
  EXPECT_EQ(loaded.mesh.tets(), 1);
  EXPECT_EQ(loaded.mesh.order(), 1);
  EXPECT_EQ(loaded.vertex_sets.at("group_3"), (std::vector<int>{0, 1, 2, 3}));
  ASSERT_EQ(loaded.messages.size(), 2u);
  EXPECT_NE(loaded.messages[0].find("higher order"), std::string::npos);
  EXPECT_EQ(loaded.other_cells.at("lines"), 1);
}

TEST_F(ReadGmsh, takes_old_versions_and_words_after_names) {
  const LoadedMesh two = load_mesh(file(kTwo));
  for (const std::string& text :
       {with(kTwo, "2.2 0", "2 0"), with(kTwo, "2.2 0", "2.1 0"), with(kTwo, "$Nodes", "$Nodes of a cow"),
        with(kTwo, "$EndElements", "$EndElements  // that is all")}) {
    const LoadedMesh loaded = load_mesh(file(text));
    EXPECT_EQ(loaded.mesh.T, two.mesh.T);
    EXPECT_EQ(loaded.mesh.region, two.mesh.region);
  }
  const LoadedMesh one = load_mesh(file(R"($NOD
5
10 0 0 0
3 1 0 0
7 0 1 0
1000000 0 0 1
5 1 1 1
$ENDNOD
$ELM
3
2 2 7 1 3 10 3 7
3 4 4 1 4 10 3 7 1000000
4 4 5 2 4 3 7 1000000 5
$ENDELM
)"));
  EXPECT_EQ(one.mesh.T, two.mesh.T);
  EXPECT_EQ(one.mesh.region, two.mesh.region);
  EXPECT_EQ(one.mesh.X, two.mesh.X);
}

TEST(ParseGmsh, a_section_that_is_not_read_may_end_without_a_line_end) {
  std::string text = kTwo;
  text += "$ElementData\n1\n\"a\"\n1\n0\n3\n0\n1\n4\n" + std::string("\0\1$\n\2xyz", 8) + "$EndElementData\n";
  EXPECT_EQ(parse_gmsh(text, "data.msh").mesh.tets(), 2);
  EXPECT_THROW(parse_gmsh(text.substr(0, text.size() - 20), "cut.msh"), Error);
}

TEST_F(ReadGmsh, tells_unnamed_groups_of_one_tag_apart) {
  const LoadedMesh loaded = load_mesh(file(with(with(kTwo, "1 15 2 9", "1 15 2 5"), "4 4 2 5", "4 4 2 5")));
  EXPECT_EQ(loaded.vertex_sets.at("group_5_0d"), (std::vector<int>{0}));
  EXPECT_EQ(loaded.vertex_sets.at("group_5_3d"), (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(ReadGmsh, every_refusal_names_file_line_and_reason) {
  expect_refusal("", "no $MeshFormat");
  expect_refusal("solid cube\n", ":1: expected a section");
  expect_refusal("$Nodes\n1\n1 0 0 0\n$EndNodes\n", ":1: $Nodes comes before $MeshFormat");
  expect_refusal(with(kTwo, "2.2 0", "2.2 1"), ":2: a binary file whose first number is not 1");
  expect_refusal(with(kTwo, "2.2 0 8", "2.2 1 4"), ":2: data size = 4");
  expect_refusal(with(kTwo, "2.2 0", "4 0"), ":2: version 4: only 1, 2.0 to 2.2 and 4.1");
  expect_refusal(with(kTwo, "\n$EndMeshFormat", "\n$EndNodes"), ":3: expected $EndMeshFormat");
  expect_refusal(with(kTwo, "\"bone\"", "bone"), ":7: expected a name in quotation marks");
  expect_refusal(with(kTwo, "3 4 \"bone\"", "2 7 \"bone\""), ":7: physical group 7 of dimension 2 has a second name");
  expect_refusal(with(kTwo, "2 7 \"left", "4 7 \"left"), ":6: dimension of the group = 4");
  expect_refusal(with(kTwo, "$Nodes\n5", "$Nodes\n6"), "6 nodes are announced, but the section ends after 5");
  expect_refusal(with(kTwo, "$Nodes\n5", "$Nodes\n4"), ":15: expected $EndNodes");
  expect_refusal(with(kTwo, "$Nodes\n5", "$Nodes\n2000000000"), ":10: number of nodes = 2000000000: the file has only");
  expect_refusal(with(kTwo, "$Nodes\n5", "$Nodes\n-5"), ":10: number of nodes = -5");
  expect_refusal(with(kTwo, "$Nodes\n5", "$Nodes\n99999999999999999999"), ":10: number of nodes: expected a whole");
  expect_refusal(with(kTwo, "0 0 1\n", "0 nan 1\n"), ":14: y: expected a finite number, found \"nan\"");
  expect_refusal(with(kTwo, "0 0 1\n", "0 inf 1\n"), ":14: y: expected a finite number");
  expect_refusal(with(kTwo, "0 0 1\n", "0 1e999 1\n"), ":14: y: expected a finite number");
  expect_refusal(with(kTwo, "0 0 1\n", "0 0x1 1\n"), ":14: y: expected a finite number");
  expect_refusal(with(kTwo, "0 0 1\n", "0 0\n"), ":14: z is missing");
  expect_refusal(with(kTwo, "0 0 1\n", "0 0 1 5\n"), ":14: unexpected \"5\"");
  expect_refusal(with(kTwo, "\n7 0 1 0", "\n3 0 1 0"), ":13: node tag 3 is used twice, first on line 12");
  expect_refusal(with(kTwo, "5 2 3 7 1000000 5", "5 2 3 7 1000000 6"), ":22: the cell uses node 6");
  expect_refusal(with(kTwo, "5 2 3 7 1000000 5", "5 2 3 7 1000000 -5"), ":22: the cell uses node -5");
  expect_refusal(with(kTwo, "5 2 3 7 1000000 5", "5 2 3 7 1000000"), ":22: node tag is missing");
  expect_refusal(with(kTwo, "4 4 2 5 2 3", "4 99 2 5 2 3"), ":22: element type 99 is not known");
  expect_refusal(with(kTwo, "4 4 2 5 2 3", "4 4 2000000 5 2 3"), ":22: tag is missing");
  expect_refusal(with(kTwo, "$Elements\n4", "$Elements\n3"), ":22: expected $EndElements");
  expect_refusal(with(kTwo, "$EndElements\n", ""), "should follow; is it complete?");
  expect_refusal(with(kTwo, "4 4 2 5 2 3 7 1000000 5", "4 4 2 5 2 3 7 7 5"), "uses a vertex twice");
  expect_refusal(std::string(kTwo) + "$Nodes\n0\n$EndNodes\n", ":24: $Nodes comes a second time");
  expect_refusal(std::string(kTwo) + "$Data\n0\n", "$EndData should follow");
  const std::string two = kTwo;
  const size_t elements = two.find("$Elements"), nodes = two.find("$Nodes");
  expect_refusal(two.substr(0, elements), "has no $Elements");
  expect_refusal(two.substr(0, nodes) + two.substr(elements), ":9: $Elements comes before $Nodes");
  expect_refusal(with(with(with(with(two, "3 4 2 4 1 10 3 7 1000000\n", ""), "4 4 2 5 2 3 7 1000000 5\n", ""),
                           "$Elements\n4", "$Elements\n2"),
                      "2 2 2 7 1 10 3 7", "2 1 2 7 1 10 3"),
                 "holds no tetrahedra and no triangles (found: 1 lines, 1 points)");
  expect_refusal(with(with(with(two, "3 4 2 4 1 10 3 7 1000000\n", ""), "4 4 2 5 2 3 7 1000000 5\n", ""),
                      "$Elements\n4", "$Elements\n2"),
                 "holds a surface of 1 triangles, but no tetrahedra; `brio mesh`");

  expect_refusal(with(kFour, "2 5 3 1000000", "2 6 3 1000000"), ":29: 6 nodes are announced, but the blocks hold 5");
  expect_refusal(with(kFour, "2 5 3 1000000", "3 5 3 1000000"), "3 blocks of nodes are announced");
  expect_refusal(with(kFour, "2 1 0 3\n10", "2 1 0 2000000000\n10"), ":18: number of nodes in the block = 2000000000");
  expect_refusal(with(kFour, "3 2 4 1\n", "3 3 4 1\n"), ":39: entity 3 of dimension 3 is not in $Entities");
  expect_refusal(with(kFour, "3 2 4 1\n", "2 1 4 1\n"), ":39: tetrahedra in a block of dimension 2");
  expect_refusal(with(kFour, "3 2 4 1\n", "3 2 4 2\n"), "2 elements of a block are announced");
  expect_refusal(with(kFour, "4 4 1 4", "4 5 1 4"), "5 elements are announced, but the blocks hold 4");
  expect_refusal(with(kFour, "1 1 4 1 1", "1 100000 4 1 1"), "number of physical tags = 100000");
  expect_refusal(with(kFour, "1 0 1 2\n", "1 0 1 2000000\n"), ":10: number of entities = 2000000");
  expect_refusal(with(kFour, "2 0 0 0 1 1 1", "1 0 0 0 1 1 1"), ":14: entity 1 of dimension 3 is listed twice");
  expect_refusal(with(kFour, "$Entities\n", "$PartitionedEntities\n"), ":9: a partitioned mesh is not read");
  expect_refusal(with(kFour, "\n7\n0 0 0", "\n10\n0 0 0"), "node tag 10 is used twice");
}

TEST_F(ReadGmsh, refuses_what_is_no_mesh_file) {
  EXPECT_THROW(load_mesh(folder_ / "absent.msh"), Error);
  EXPECT_THROW(load_mesh(file(kTwo, "body.stp")), Error);
  EXPECT_THROW(load_mesh(file(kTwo, "body")), Error);
  EXPECT_EQ(load_mesh(file(kTwo, "BODY.MSH")).mesh.tets(), 2);
  std::filesystem::create_directories(folder_ / "folder.msh");
  EXPECT_THROW(load_mesh(folder_ / "folder.msh"), Error);
  std::filesystem::create_symlink("/dev/zero", folder_ / "zero.msh");  // never ends
  EXPECT_THROW(load_mesh(folder_ / "zero.msh"), Error);
}

/// Every cut, and thousands of mutations with a fixed seed: the answer is a mesh or an Error, never anything else.
TEST(ParseGmsh, mutated_files_are_read_or_refused) {
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const std::string pieces[] = {"-1", "0", "1e308",       "99999999999", "nan", "$",
                                "\n", " ", "$EndNodes\n", "4",           "\"",  "\0x"};
  int read = 0, refused = 0;
  const auto attempt = [&](const std::string& text) {
    try {
      LoadedMesh loaded = parse_gmsh(text, "mutant");
      for (const auto& [name, set] : loaded.vertex_sets)
        for (int vertex : set) ASSERT_TRUE(vertex >= 0 && vertex < loaded.mesh.vertices());
      repair(loaded.mesh);
      for (int t = 0; t < loaded.mesh.tets(); ++t) ASSERT_GT(tet_volume(loaded.mesh, t), 0);
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  };
  for (const std::string original : {kTwo, kFour}) {
    for (size_t cut = 0; cut < original.size(); ++cut) attempt(original.substr(0, cut));
    for (int round = 0; round < 5000; ++round) {
      std::string text = original;
      for (size_t edits = 1 + below(3); edits > 0; --edits) {
        const size_t at = below(text.size());
        switch (below(4)) {
          case 0:
            text[at] = static_cast<char>(below(256));
            break;
          case 1:
            text.erase(at, 1 + below(8));
            break;
          case 2:
            text.insert(at, pieces[below(std::size(pieces))]);
            break;
          default:  // one digit for another
            if (text[at] >= '0' && text[at] <= '9') text[at] = static_cast<char>('0' + below(10));
        }
        if (text.empty()) break;
      }
      attempt(text);
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 2000);
}

TEST(ReadGmshShared, real_files_have_their_counts) {
  const std::filesystem::path folder = shared_meshes();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no folder of meshes beside the project";
  const LoadedMesh sphere = load_mesh(folder / "sphere1K.msh");
  EXPECT_EQ(sphere.mesh.vertices(), 1760);
  EXPECT_EQ(sphere.mesh.tets(), 6851);
  const LoadedMesh spot = load_mesh(folder / "spot_tet_gmsh.msh");
  EXPECT_EQ(spot.mesh.vertices(), 1224);
  EXPECT_EQ(spot.mesh.tets(), 4708);
  EXPECT_EQ(spot.other_cells.at("triangles"), 1654);
  expect_closed(boundary_triangles(spot.mesh));
  EXPECT_EQ(boundary_triangles(spot.mesh).rows(), 1654);  // the file lists its surface too
}

}  // namespace
}  // namespace brio
