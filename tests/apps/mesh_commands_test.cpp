// `brio convert` and `brio info` as a shell sees them.

#include "brio/core/json.hpp"

#include "apps/program.hpp"

namespace brio {
namespace {

using namespace testing;

const std::string kSeeds = BRIO_SOURCE_DIR "/tests/mesh/corpus/";

TEST(MeshCommands, convert_goes_around_every_format_of_tetrahedra) {
  const auto folder = fresh_folder("convert");
  std::string from = kSeeds + "gmsh/22-groups.msh";
  for (const char* name : {"a.mesh", "a.ele", "a.veg", "a.vtk", "a.vtu", "b.msh"}) {
    const std::string to = (folder / name).string();
    const Outcome outcome = brio("convert " + from + " " + to);
    ASSERT_EQ(outcome.code, 0) << name << outcome.err;
    EXPECT_NE(outcome.out.find("wrote "), std::string::npos);
    from = to;
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "a.node"));
  const auto info = Json::parse(brio("info --json " + from).out);
  EXPECT_EQ(info["tetrahedra"], 2);
  EXPECT_EQ(info["vertices"], 5);
  EXPECT_EQ(info["regions"].size(), 2u);
}

TEST(MeshCommands, convert_says_what_is_lost) {
  const auto folder = fresh_folder("lost");
  const Outcome boundary = brio("convert " + kSeeds + "gmsh/22-groups.msh " + (folder / "a.obj").string());
  EXPECT_EQ(boundary.code, 0);
  EXPECT_NE(boundary.out.find("the boundary of the 2 tetrahedra is written, 6 triangles"), std::string::npos)
      << boundary.out;
  const Outcome names = brio("convert " + kSeeds + "gmsh/22-groups.msh " + (folder / "a.mesh").string());
  EXPECT_NE(names.out.find("vertex sets are not written"), std::string::npos) << names.out;
  const Outcome refused = brio("convert " + (folder / "a.obj").string() + " " + (folder / "a.veg").string());
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("`brio mesh`"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "a.veg"));
  const Outcome unknown = brio("convert " + kSeeds + "gmsh/22-groups.msh a.step");
  EXPECT_EQ(unknown.code, 2);
  for (const char* extension : {".msh", ".mesh", ".ele", ".veg", ".vtk", ".vtu", ".obj", ".stl", ".ply", ".off"})
    EXPECT_NE(unknown.err.find(extension), std::string::npos) << unknown.err;
}

TEST(MeshCommands, info_says_what_there_is) {
  const auto folder = fresh_folder("info");
  const Outcome outcome = brio("info " + kSeeds + "vega/two.veg -o " + folder.string());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"5 vertices, 2 tetrahedra", "Euler number", "\"tip\"", "material hard: \"rho\": 2000",
                           "dihedral", "report.html"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  EXPECT_GT(std::filesystem::file_size(folder / "report.html"), 10'000u);
  EXPECT_EQ(Json::parse(read_text(folder / "mesh.json"))["regions"][1]["material"]["E"], 1e7);

  const auto surface = Json::parse(brio("info --json " + kSeeds + "stl/binary.stl").out);
  EXPECT_EQ(surface["triangles"], 4);
  EXPECT_EQ(surface["euler"], 2);
  EXPECT_EQ(brio("info missing.msh").code, 2);
  EXPECT_NE(brio("list formats").out.find(".veg"), std::string::npos);
}

}  // namespace
}  // namespace brio
