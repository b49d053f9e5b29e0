// What a scene takes from its mesh file besides tetrahedra, and what `brio check` says of a mesh that does not hold.

#include "brio/core/error.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/simulation.hpp"
#include "brio/scene/warnings.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include <fstream>

namespace brio {
namespace {

const char* const kPoints =
    "*VERTICES\n8 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 -1 0 0\n6 0 -1 0\n7 5 0 0\n8 0 0 -1\n*ELEMENTS\nTET\n";

Scene scene_of_file(const testing::TemporaryFolder& folder, const std::string& mesh, const std::string& more) {
  std::ofstream(folder / "body.veg") << mesh;
  std::ofstream(folder / "scene.json")
      << R"({"mesh": {"file": "body.veg"}, "integrator": {"name": "si", "h": 0.01}, "duration": 0.01)" + more + "}";
  return load_scene(folder / "scene.json", scene_tables());
}

TEST(MeshFileOfAScene, brings_its_materials_where_the_scene_has_none) {
  const testing::TemporaryFolder folder;
  const std::string mesh =
      std::string(kPoints) + "1 4 0\n1 1 2 3 4\n*MATERIAL soft\nENU, 1100, 2e4, 0.4\n*REGION\nallElements, soft\n";
  const Scene scene = scene_of_file(folder, mesh, "");
  ASSERT_EQ(scene.bodies[0].materials.size(), 1u);
  const MaterialSpec& material = scene.bodies[0].materials[0];
  EXPECT_EQ(material.rho, 1100);
  EXPECT_EQ(material.law.options.number("E"), 2e4);
  EXPECT_EQ(material.law.options.number("nu"), 0.4);
  EXPECT_NEAR(build_simulation(scene).bodies[0].mass.sum(), 1100.0 / 6, 1e-9);

  const Scene own =
      scene_of_file(folder, mesh, R"(, "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.3, "rho": 900}])");
  EXPECT_EQ(own.bodies[0].materials[0].rho, 900);
  try {
    scene_of_file(folder, std::string(kPoints) + "1 4 0\n1 1 2 3 4\n", "");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("materials: missing key, and"), std::string::npos) << error.what();
  }
}

TEST(MeshFileOfAScene, pieces_that_nothing_holds_and_hinges_are_named) {
  const testing::TemporaryFolder folder;
  const std::string more =
      R"(, "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.3, "rho": 900}],
      "sets": {"feet": {"select": "extreme", "axis": "y", "side": "min"}}, "constraints": [{"set": "feet"}])";
  // Two tetrahedra that share the edge 1-4, and one that touches nothing.
  const std::string hinge = std::string(kPoints) + "2 4 0\n1 1 2 3 4\n2 1 5 6 4\n";
  const auto said = [&](const std::string& mesh, const std::string& text) {
    const Scene scene = scene_of_file(folder, mesh, more);
    for (const std::string& line : scene_warnings(scene, build_simulation(scene)))
      if (line.find(text) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(said(hinge, "1 edges and 0 vertices hold parts of the mesh together"));
  EXPECT_FALSE(said(hinge, "nothing holds"));
  std::string apart = std::string(kPoints) + "2 4 0\n1 1 2 3 4\n2 5 6 7 8\n";
  EXPECT_TRUE(said(apart, "nothing holds 1 of its pieces: one of 4 vertices near [0, 0, 0]"));
}

}  // namespace
}  // namespace brio
