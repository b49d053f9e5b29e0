// A detailed surface carried by a coarse body, from the scene file to the frames.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/output/drawn_simulation.hpp"
#include "brio/output/frames/obj.hpp"
#include "brio/output/recording.hpp"
#include "brio/output/scene_tables.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include <fstream>

namespace brio {
namespace {

const char* const kSkin = R"(mtllib skin.mtl
vt 0 0
vt 1 0
vt 0.25 1
v 0.1 0.1 0.1
v 0.9 0.1 0.2
v 0.3 0.8 0.4
v 0.5 0.5 1.25
g front
usemtl fur
f 1/1 2/2 3/3
g back
f 1/1 3/3 4/2
usemtl horn
f 1/2 4/1 2/3
)";

std::string scene_text(const std::string& mesh) {
  return R"({"name": "skin", "mesh": )" + mesh +
         R"(, "materials": [{"law": "neo-hookean", "E": 1e5, "nu": 0.3, "rho": 1000}],
             "integrator": {"name": "si", "h": 0.01}, "steps": 1})";
}

TEST(Skin, goes_with_the_body_and_keeps_texture_and_groups) {
  const brio::testing::TemporaryFolder folder;
  std::ofstream(folder / "skin.obj") << kSkin;
  const std::string mesh = R"({"generate": "box", "size": [1, 1, 1], "cells": [2, 2, 2], "skin": "skin.obj",
                               "transform": {"scale": 2, "translate": [1, 0, 0]}})";
  const Scene scene = parse_scene(scene_text(mesh), folder / "scene.json", scene_tables());
  const Simulation simulation = build_simulation(scene);
  ASSERT_TRUE(simulation.bodies[0].skin);
  ASSERT_EQ(simulation.notes.size(), 1u);
  EXPECT_NE(simulation.notes[0].find("mesh.skin: 1 of 4 points are outside of the tetrahedra, by up to 0.25 m"),
            std::string::npos)
      << simulation.notes[0];

  const TriangleSurface original = load_surface(folder / "skin.obj").surface;
  Mat3 A;
  A << 1, 0.5, 0, 0, 1.5, 0.2, -0.3, 0, 1;
  const auto map = [&](const MatrixX3d& x) -> MatrixX3d { return x * A.transpose(); };
  const MatrixX3d moved = map(simulation.bodies[0].mesh.X);
  const MatrixX3d still = MatrixX3d::Zero(moved.rows(), 3);
  const VectorXd strain = VectorXd::Constant(moved.rows(), 0.5);
  ObjWriter writer(folder / "frames", topology(simulation));
  writer.write({0, moved, still, strain, {}});
  const TriangleSurface written = load_surface(folder / "frames/frame_000000.obj").surface;
  // The scene's transform, then the map: both are affine, so only rounding is left.
  const MatrixX3d expected = map((2 * original.X).rowwise() + Eigen::RowVector3d(1, 0, 0));
  EXPECT_LT((written.X - expected).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(written.triangles, original.triangles);
  EXPECT_EQ(written.uv, original.uv);
  EXPECT_EQ(written.uv_triangles, original.uv_triangles);
  EXPECT_EQ(written.group_names, (std::vector<std::string>{"front", "back"}));
  EXPECT_EQ(written.group, original.group);

  EXPECT_EQ(written.material_names, (std::vector<std::string>{"fur", "horn"}));
  EXPECT_EQ(written.material, original.material);
  // Beside the skin, and seen from the frames.
  EXPECT_EQ(written.material_files, (std::vector<std::string>{"../skin.mtl"}));

  Recording recording(topology(simulation), {});
  recording.add({0, moved, still, strain, {}});
  EXPECT_EQ(recording.part().triangles, original.triangles);
  EXPECT_EQ(recording.frames()[0]->position.size(), 12u);
  EXPECT_NEAR(recording.frames()[0]->strain.most, 0.5, 1e-12);
}

TEST(Skin, a_scene_that_cannot_have_one_is_told) {
  const brio::testing::TemporaryFolder folder;
  const auto refusal = [&](const std::string& mesh) -> std::string {
    try {
      build_simulation(parse_scene(scene_text(mesh), folder / "scene.json", scene_tables()));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(R"({"generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1], "skin": "gone.obj", "tets_per_cell": "6"})")
                .find("mesh.skin = \"gone.obj\": no such file"),
            std::string::npos);
  std::ofstream(folder / "empty.obj") << "v 0 0 0\n";
  EXPECT_NE(refusal(R"({"generate": "box", "size": [1, 1, 1], "cells": [1, 1, 1], "skin": "empty.obj", "tets_per_cell": "6"})")
                .find("holds no faces"),
            std::string::npos);
}

}  // namespace
}  // namespace brio
