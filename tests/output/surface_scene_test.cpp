// A scene whose body is the inside of a closed surface.

#include "brio/core/error.hpp"
#include "brio/mesh/loaded_mesh.hpp"
#include "brio/mesh/quality.hpp"
#include "brio/output/save_mesh.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/simulation.hpp"

#include "output/files.hpp"

using namespace brio;
using namespace brio::testing;

namespace {

class SurfaceScene : public ::testing::Test {
 protected:
  SurfaceScene() {
    std::ofstream(folder_ / "box.obj") << "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 0 1 1\n"
                                          "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  }

  Simulation build(const std::string& mesh) const {
    const std::string text = R"({"mesh": )" + mesh +
                             R"(, "materials": [{"law": "neo-hookean", "E": 1e5, "nu": 0.3, "rho": 1000}],
                                 "integrator": {"name": "si", "h": 0.01}, "steps": 1})";
    return build_simulation(parse_scene(text, folder_ / "scene.json", scene_tables()));
  }

  TemporaryFolder folder_;
};

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (int t = 0; t < mesh.tets(); ++t) sum += tet_volume(mesh, t);
  return sum;
}

TEST_F(SurfaceScene, is_filled_to_a_size_or_a_number_of_vertices) {
  const Simulation coarse = build(R"({"surface": "box.obj", "size": 0.2})");
  // Two cubic meters, less what the mesher rounds off: along 16 m of edges it cuts off a strip of a corner of about a
  // cell's width (size^2 / 4 at most where two flat sides meet).
  EXPECT_LT(volume(coarse.bodies[0].mesh), 2);
  EXPECT_GT(volume(coarse.bodies[0].mesh), 2 - 16 * 0.2 * 0.2 / 4);
  const Simulation fine = build(R"({"surface": "box.obj", "vertices": 2000})");
  EXPECT_NEAR(fine.bodies[0].mesh.vertices(), 2000, 100);
  const Simulation plain = build(R"({"surface": "box.obj"})");
  EXPECT_NEAR(plain.bodies[0].mesh.vertices(), 5000, 250);
}

TEST_F(SurfaceScene, goes_through_the_transform_and_may_carry_itself) {
  const Simulation simulation = build(
      R"({"surface": "box.obj", "size": 0.25, "skin": "box.obj", "transform": {"scale": 0.5, "translate": [0, 3, 0]}})");
  EXPECT_NEAR(simulation.bodies[0].mesh.X.col(1).minCoeff(), 3, 1e-9);
  EXPECT_NEAR(simulation.bodies[0].mesh.X.col(0).maxCoeff(), 1, 1e-9);
  ASSERT_TRUE(simulation.bodies[0].skin);
  EXPECT_LT((simulation.bodies[0].skin->embedding.carry(simulation.bodies[0].mesh.X) -
             ((0.5 * simulation.bodies[0].skin->surface.X).rowwise() + Eigen::RowVector3d(0, 3, 0)))
                .cwiseAbs()
                .maxCoeff(),
            1e-12);
}

TEST_F(SurfaceScene, says_what_is_wrong) {
  const auto refusal = [&](const std::string& mesh) { return message_of<Error>([&] { build(mesh); }); };
  const auto expect = [&](const std::string& mesh, const std::string& part) {
    const std::string message = refusal(mesh);
    EXPECT_NE(message.find(part), message.npos) << message;
  };
  expect(R"({"surface": "gone.obj"})", "mesh.surface = \"gone.obj\": no such file");
  expect(R"({"surface": "box.obj", "size": -1})", "mesh.size = -1");
  expect(R"({"surface": "box.obj", "sizes": 1})", "did you mean \"size\"");
  expect(R"({"surface": "box.obj", "size": 0.1, "vertices": 100})", "exclude each other");
  expect(R"({"surface": "box.obj", "file": "box.obj"})", "exclude each other");
  expect(R"({"surface": "box.obj", "size": 1e-5})", "mesh.surface = \"box.obj\"");
  expect(R"({"file": "box.obj", "size": 1})", "mesh.size");
  std::ofstream(folder_ / "flat.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n";
  expect(R"({"surface": "flat.obj"})", "flat.obj");
  std::ofstream(folder_ / "wrong.obj") << "v 0 0 zero\n";
  expect(R"({"surface": "wrong.obj"})", "wrong.obj");
}

TEST_F(SurfaceScene, a_hole_is_told) {
  std::string text = contents(folder_ / "box.obj");
  std::ofstream(folder_ / "open.obj") << text.substr(0, text.rfind("f 4"));
  const Simulation simulation = build(R"({"surface": "open.obj", "size": 0.25})");
  const auto tells = [](const std::string& note) { return note.find("open") != note.npos; };
  EXPECT_TRUE(std::any_of(simulation.notes.begin(), simulation.notes.end(), tells));
}

}  // namespace
