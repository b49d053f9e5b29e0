// Shape files, shapes in scenes, and the shapes that come with brio.

#include "brio/scene/shape_file.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/inspection.hpp"
#include "brio/mesh/quality.hpp"
#include "brio/mesh/surface.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/named_shape_texts.hpp"
#include "brio/scene/named_shapes.hpp"
#include "brio/scene/simulation.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

std::string shape_complaint(const std::string& text) {
  try {
    parse_shape_file(text, "thing.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ShapeFile, is_read_with_all_it_says) {
  const ShapeFile shape = parse_shape_file(R"({
    "description": "a ball with a stone", "vertices": 700,  // comments are welcome
    "shape": {"shape": "difference", "of": {"shape": "sphere", "radius": 1},
              "without": [{"shape": "box", "center": [1, 0, 0], "size": [1, 1, 1]}]},
    "regions": {"stone": {"shape": "sphere", "radius": 0.2}}})",
                                           "thing.json");
  EXPECT_EQ(shape.name, "thing");
  EXPECT_EQ(shape.description, "a ball with a stone");
  EXPECT_EQ(shape.vertices, 700);
  EXPECT_DOUBLE_EQ(shape.model.body->value({-2, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(shape.model.body->value({0.75, 0, 0}), 0.25);
  ASSERT_EQ(shape.model.regions.size(), 1u);
  EXPECT_EQ(shape.model.regions[0].first, "stone");
}

TEST(ShapeFile, problems_name_their_place) {
  EXPECT_EQ(shape_complaint("{}"), "thing.json: shape: missing key: expected a shape {\"shape\": …} (the solid)");
  EXPECT_NE(shape_complaint(R"({"shape": {"shape": "spere", "radius": 1}})")
                .find("shape.shape = \"spere\": unknown shape \"spere\"; did you mean \"sphere\"?"),
            std::string::npos);
  EXPECT_NE(
      shape_complaint(
          R"({"shape": {"shape": "union", "parts": [{"shape": "sphere", "radius": 1}, {"shape": "sphere", "radius": -1}]}})")
          .find("shape.parts[1].radius = -1: expected a number > 0"),
      std::string::npos);
  EXPECT_NE(shape_complaint(R"({"shape": {"shape": "union", "parts": []}})")
                .find("shape.parts = []: expected a list of shapes"),
            std::string::npos);
  EXPECT_NE(shape_complaint(R"({"shape": {"shape": "union", "parts": 3}})")
                .find("shape.parts = 3: expected a list of shapes"),
            std::string::npos);
  EXPECT_NE(shape_complaint(R"({"shape": 3})").find("shape = 3: expected an object"), std::string::npos);
  EXPECT_NE(shape_complaint(R"({"shape": {"shape": "sphere", "radius": 1}, "regions": [1]})").find("regions"),
            std::string::npos);
  EXPECT_NE(shape_complaint(R"({"shape": {"shape": "bend", "radius": 1, "of": {"shape": "box", "size": [9, 1, 1]}}})")
                .find("thing.json: shape: bend: the body is 9 m long"),
            std::string::npos);
  EXPECT_NE(shape_complaint(R"({"shape": {"shape": "cylinder", "radius": 1, "from": [0, 0, 0], "to": [0, 0, 0]}})")
                .find("same point"),
            std::string::npos);
}

TEST(ShapeFile, nesting_is_limited) {
  std::string text = R"({"shape": "sphere", "radius": 1})";
  for (int i = 0; i < 100; ++i) text = R"({"shape": "offset", "by": 0.1, "of": )" + text + "}";
  EXPECT_NE(shape_complaint("{\"shape\": " + text + "}").find("nested deeper"), std::string::npos);
}

Simulation build(const std::string& mesh, const std::string& more = "") {
  return build_simulation(parse_scene(R"({"mesh": )" + mesh + R"(,
    "materials": [{"law": "neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
    "integrator": {"name": "si", "h": 0.01}, "steps": 1)" +
                                          more + "}",
                                      "scene.json", scene_tables()));
}

TEST(ShapesInScenes, a_shape_is_filled_and_its_regions_are_groups) {
  const Simulation simulation =
      build(R"({"generate": "shape", "vertices": 1000,
    "shape": {"shape": "capsule", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.2},
    "regions": {"hand": {"shape": "sphere", "center": [1, 0, 0], "radius": 0.3}}})",
            R"(, "sets": {"held": {"select": "group", "group": "hand"}}, "constraints": [{"set": "held"}])");
  EXPECT_NEAR(simulation.vertices(), 1000, 50);
  EXPECT_GT(simulation.sets.at("held").size(), 50u);
  for (int i : simulation.sets.at("held")) EXPECT_GT(simulation.bodies[0].mesh.X(i, 0), 0.5);
  EXPECT_TRUE(simulation.held);
}

TEST(ShapesInScenes, a_named_shape_can_be_scaled) {
  const Simulation simulation =
      build(R"({"generate": "named", "name": "bunny", "vertices": 3000, "transform": {"scale": 2}})");
  EXPECT_NEAR(simulation.vertices(), 3000, 150);
  EXPECT_NEAR(simulation.bodies[0].mesh.X.col(1).maxCoeff(), 2.5, 0.15);
}

TEST(ShapesInScenes, problems_name_their_place) {
  const auto refusal = [](const std::string& mesh) -> std::string {
    try {
      build(mesh);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(R"({"generate": "shape", "shape": {"shape": "sphere"}})").find("mesh.shape.radius: missing key"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"({"generate": "shape", "shape": {"shape": "sphere", "radius": 1}, "size": 1e-5})").find("too small"),
      std::string::npos);
  EXPECT_NE(refusal(R"({"generate": "shape", "shape": {"shape": "sphere", "radius": 1}, "size": 0.1, "vertices": 100})")
                .find("exclude each other"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"generate": "named", "name": "bunni"})").find("did you mean \"bunny\"?"), std::string::npos);
}

class EveryNamedShape : public ::testing::TestWithParam<int> {};

TEST_P(EveryNamedShape, fills_to_one_sound_body_of_its_size) {
  const ShapeFile& shape = named_shapes()[GetParam()];
  SCOPED_TRACE(shape.name);
  EXPECT_FALSE(shape.description.empty());
  const LoadedMesh loaded = fill(shape, {.vertices = shape.vertices});
  EXPECT_NEAR(loaded.mesh.vertices(), shape.vertices, 0.05 * shape.vertices);
  EXPECT_EQ(connected_components(loaded.mesh).count, 1);
  const MeshQuality quality = measure_quality(loaded.mesh);
  EXPECT_GT(quality.least_volume, 0);
  EXPECT_GT(quality.least_dihedral, 10);
  EXPECT_LT(quality.most_dihedral, 165);
  for (const std::string& message : loaded.messages) EXPECT_EQ(message.find("empty"), std::string::npos) << message;
  for (const auto& [name, set] : loaded.vertex_sets) {
    EXPECT_GT(set.size(), 10u) << name;
    EXPECT_LT(static_cast<int>(set.size()), loaded.mesh.vertices()) << name;
  }
}
/// From the least number of vertices on: one part by faces, a manifold, the handles of its row, angles within bounds.
TEST_P(EveryNamedShape, holds_together_at_every_size) {
  const ShapeFile& shape = named_shapes()[GetParam()];
  std::vector<double> sizes{1, 1.2, 1.5, 2, 2.5};
  if (shape.least_vertices > 3000) sizes = {1, 1.3};  // large ones take long
  ASSERT_TRUE(shape.genus) << shape.name;
  for (double more : sizes) {
    const int vertices = static_cast<int>(more * shape.least_vertices);
    SCOPED_TRACE(fmt::format("{} {}", shape.name, vertices));
    const LoadedMesh loaded = fill(shape, {.vertices = vertices});
    const MeshInspection found = inspect(loaded);
    EXPECT_EQ(found.parts.size(), 1u);
    EXPECT_EQ(found.pinched_edges + found.pinched_vertices, 0);
    EXPECT_EQ(found.genus, shape.genus);
    EXPECT_GE(found.quality.least_dihedral, 10.5);
    EXPECT_LE(found.quality.most_dihedral, 163.8);
    EXPECT_NEAR(found.volume / loaded.shape->volume, 1, 0.12);  // at the least number; said beyond 2 %
    EXPECT_LT(loaded.mesh.vertices(), 1.1 * vertices);
    if (found.volume < 0.98 * loaded.shape->volume) {
      EXPECT_TRUE(std::any_of(loaded.messages.begin(), loaded.messages.end(),
                              [](const std::string& line) { return line.find("volume") != std::string::npos; }));
    }
  }
  EXPECT_THROW(fill(shape, {.vertices = shape.least_vertices - 1}), Error);
}
INSTANTIATE_TEST_SUITE_P(All, EveryNamedShape, ::testing::Range(0, static_cast<int>(named_shape_texts().size())));

TEST(NamedShapes, are_all_there) {
  const std::vector<std::string> names = names_of(named_shapes());
  for (const char* name : {"bunny", "dragon", "armadillo", "hippo", "squirrel-head", "dog-head", "cactus", "human-body",
                           "moebius-ball", "lattice-tower", "truss-bridge", "tree"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

}  // namespace
}  // namespace brio
