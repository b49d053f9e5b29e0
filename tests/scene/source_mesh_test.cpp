// Meshes that are made again and again are remembered, and only as long as they are the same.

#include "brio/scene/source_mesh.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "brio/output/scene_tables.hpp"
#include <fmt/format.h>
#include <fstream>

namespace brio {
namespace {

const char* const kRest = R"("materials": [{"law": "stvk", "E": 1e5, "nu": 0.3, "rho": 900}],
    "integrator": {"name": "si", "h": 0.01}, "duration": 0.01})";

Scene scene_with(const testing::TemporaryFolder& folder, const std::string& mesh) {
  std::ofstream(folder / "scene.json") << "{\"mesh\": " + mesh + ", " + kRest;
  return load_scene(folder / "scene.json", scene_tables());
}

void write_cube(const std::filesystem::path& file, double side) {
  std::ofstream out(file);
  for (int v = 0; v < 8; ++v)
    out << fmt::format("v {} {} {}\n", side * (v & 1), side * (v >> 1 & 1), side * (v >> 2 & 1));
  out << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

TEST(SourceMesh, another_option_is_another_mesh) {
  const testing::TemporaryFolder folder;
  const auto vertices = [&](int wanted) {
    const Scene scene = scene_with(
        folder, fmt::format(R"({{"generate": "named", "name": "bunny", "vertices": {}}})", wanted));
    return source_mesh(scene.bodies[0].mesh).mesh.vertices();
  };
  const auto small = vertices(1500), large = vertices(2500);
  EXPECT_GT(large, 1.3 * small);
  EXPECT_EQ(vertices(1500), small);
}

TEST(SourceMesh, a_surface_that_was_written_anew_is_filled_anew) {
  const testing::TemporaryFolder folder;
  const auto extent = [&] {
    const Scene scene = scene_with(folder, R"({"surface": "cube.obj", "vertices": 300})");
    return source_mesh(scene.bodies[0].mesh).mesh.X.maxCoeff();
  };
  write_cube(folder / "cube.obj", 1);
  EXPECT_NEAR(extent(), 1, 0.05);
  std::filesystem::last_write_time(folder / "cube.obj",
                                   std::filesystem::last_write_time(folder / "cube.obj") - std::chrono::hours(1));
  EXPECT_NEAR(extent(), 1, 0.05);
  write_cube(folder / "cube.obj", 2);
  EXPECT_NEAR(extent(), 2, 0.1);
}

}  // namespace
}  // namespace brio
