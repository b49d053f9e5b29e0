// What the reader says about each kind of mistake, word for word: place, value, what was expected, what was meant.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scene/test_tables.hpp"

namespace brio::testing {
namespace {

/// The complaint about the fullest scene with one value changed (or, without a value, one key removed).
std::string complaint_with(const std::string& pointer, const nlohmann::json& value) {
  auto scene = nlohmann::json::parse(kFullestScene, nullptr, true, true);
  scene[nlohmann::json::json_pointer(pointer)] = value;
  return complaint(scene.dump());
}

std::string complaint_without(const std::string& parent, const std::string& key) {
  auto scene = nlohmann::json::parse(kFullestScene, nullptr, true, true);
  scene[nlohmann::json::json_pointer(parent)].erase(key);
  return complaint(scene.dump());
}

TEST(SceneMessages, out_of_range) {
  EXPECT_EQ(complaint_with("/integrator/h", -0.1), "scene.json: integrator.h = -0.1: expected a number > 0 [s]");
  EXPECT_EQ(complaint_with("/materials/2/nu", 0.5),
            "scene.json: materials[2].nu = 0.5: expected a number > -1 and < 0.5");
  EXPECT_EQ(complaint_with("/mesh/size", {1, 0, 1}),
            "scene.json: mesh.size = [1,0,1]: expected three numbers [x, y, z] > 0 [m]");
  EXPECT_EQ(complaint_with("/sets/right/indices", {0, -1}),
            "scene.json: sets.right.indices = [0,-1]: expected a list of whole numbers >= 0");
  EXPECT_EQ(complaint_with("/output/every", 0), "scene.json: output.every = 0: expected a whole number >= 1");
  EXPECT_EQ(complaint_with("/initial/seed", 3e9),
            "scene.json: initial.seed = 3000000000.0: expected a whole number >= 0");
}

TEST(SceneMessages, wrong_type) {
  EXPECT_EQ(complaint_with("/integrator/h", "0.01"), "scene.json: integrator.h = \"0.01\": expected a number > 0 [s]");
  EXPECT_EQ(complaint_with("/integrator/h", nullptr), "scene.json: integrator.h = null: expected a number > 0 [s]");
  EXPECT_EQ(complaint_with("/integrator/iterations", 2.5),
            "scene.json: integrator.iterations = 2.5: expected a whole number >= 1");
  EXPECT_EQ(complaint_with("/gravity", -9.81), "scene.json: gravity = -9.81: expected three numbers [x, y, z] [m/s^2]");
  EXPECT_EQ(complaint_with("/gravity", {0, 1}),
            "scene.json: gravity = [0,1]: expected three numbers [x, y, z] [m/s^2]");
  EXPECT_EQ(complaint_with("/gravity", {0, "1", 2}),
            "scene.json: gravity = [0,\"1\",2]: expected three numbers [x, y, z] [m/s^2]");
  EXPECT_EQ(complaint_with("/materials/1/points", {1, 2}),
            "scene.json: materials[1].points = [1,2]: expected a list of pairs [[a, b], …] [Pa]");
  EXPECT_EQ(complaint_with("/attachments/0/translations", {{1, 2}}),
            "scene.json: attachments[0].translations = [[1,2]]: expected a list of [x, y, z] [m]");
  EXPECT_EQ(complaint_with("/loads/1/steady", 1), "scene.json: loads[1].steady = 1: expected true or false");
  EXPECT_EQ(complaint_with("/sets/ends/sets", "left"),
            "scene.json: sets.ends.sets = \"left\": expected a list of names");
  EXPECT_EQ(complaint_with("/materials/0/region", 1.5),
            "scene.json: materials[0].region = 1.5: expected a string or a whole number >= 0 or a list of whole "
            "numbers >= 0");
  EXPECT_EQ(complaint_with("/name", 3), "scene.json: name = 3: expected a string");
  EXPECT_EQ(complaint_with("/damping", 0.1),
            "scene.json: damping = 0.1: expected an object {…} (Rayleigh damping D = alpha M + beta K, and damping "
            "of deformation)");
  EXPECT_EQ(complaint_with("/loads", nlohmann::json::object()),
            "scene.json: loads = {}: expected a list of objects [{…}, …] (forces from outside)");
  EXPECT_EQ(complaint_with("/loads/0", 7), "scene.json: loads[0] = 7: expected an object {…}");
  EXPECT_EQ(complaint_with("/integrator/name", 7), "scene.json: integrator.name = 7: expected one of si, be");
}

TEST(SceneMessages, whole_file_is_no_object) {
  EXPECT_EQ(complaint("[1, 2]"), "scene.json: expected an object {…}, found [1,2]");
  EXPECT_EQ(complaint("3"), "scene.json: expected an object {…}, found 3");
}

TEST(SceneMessages, long_values_are_shortened) {
  const std::string text = complaint_with("/integrator/h", std::string(10 << 20, 'x'));
  EXPECT_EQ(text, "scene.json: integrator.h = \"" + std::string(59, 'x') + "…: expected a number > 0 [s]");
}

TEST(SceneMessages, unknown_key) {
  EXPECT_EQ(complaint_with("/mesh/cels", 3),
            "scene.json: mesh.cels: unknown key \"cels\"; did you mean \"cells\"? "
            "(known: generate, transform, skin, order, refine, size, cells, split)");
  EXPECT_EQ(complaint_with("/damping/aplha", 3),
            "scene.json: damping.aplha: unknown key \"aplha\"; did you mean \"alpha\"? (known: alpha, beta, stiffness, "
            "deformation)");
  EXPECT_EQ(complaint_with("/obstacles/0/motion/speed", 3),
            "scene.json: obstacles[0].motion.speed: unknown key \"speed\" (known: name, velocity)");
  EXPECT_EQ(complaint_with("/sets/a\nb", nlohmann::json::object()).substr(0, 30), "scene.json: sets.a\\nb.select: ");
}

TEST(SceneMessages, unknown_row) {
  EXPECT_EQ(complaint_with("/integrator/name", "sii"),
            "scene.json: integrator.name = \"sii\": unknown integrator \"sii\"; did you mean \"si\"? (known: si, be)");
  EXPECT_EQ(complaint_with("/materials/1/fiber/law", "tendon"),
            "scene.json: materials[1].fiber.law = \"tendon\": unknown fiber law \"tendon\" (known: muscle)");
  EXPECT_EQ(
      complaint_with("/output/frames", {"vtu", "ob"}),
      "scene.json: output.frames = [\"vtu\",\"ob\"]: expected a list with any of vtu, obj; did you mean \"obj\"?");
  EXPECT_EQ(complaint_with("/mesh/split", "sixx"),
            "scene.json: mesh.split = \"sixx\": expected one of five, six; did you mean \"six\"?");
}

TEST(SceneMessages, missing_key) {
  EXPECT_EQ(complaint_without("/integrator", "h"),
            "scene.json: integrator.h: missing key: expected a number > 0 [s] (time step)");
  EXPECT_EQ(complaint_without("/materials/0", "E"),
            "scene.json: materials[0].E: missing key: expected a number > 0 [Pa] (Young's modulus)");
  EXPECT_EQ(complaint_without("/materials/0", "law"),
            "scene.json: materials[0].law: missing key: expected one of neo-hookean, curve (how the material resists)");
  EXPECT_EQ(complaint_without("", "mesh"), "scene.json: missing key: at least one of \"mesh\", \"bodies\" is needed");
  EXPECT_EQ(complaint_without("/mesh", "generate"),
            "scene.json: mesh: missing key: one of \"generate\", \"file\", \"surface\", \"springs\" is needed");
}

TEST(SceneMessages, exactly_one) {
  EXPECT_EQ(complaint_with("/steps", 10), "scene.json: \"duration\" and \"steps\" exclude each other; keep one");
  EXPECT_EQ(complaint_without("", "duration"), "scene.json: missing key: one of \"duration\", \"steps\" is needed");
  EXPECT_EQ(complaint_with("/mesh/file", "x.msh"),
            "scene.json: mesh: \"generate\" and \"file\" exclude each other; keep one");
  EXPECT_EQ(complaint(kClothScene, {"springs.vertex_mass=1"}),
            "scene.json: springs: \"vertex_mass\" and \"total_mass\" exclude each other; keep one");
}

TEST(SceneMessages, sets_must_exist) {
  EXPECT_EQ(complaint_with("/constraints/0/set", "lef"),
            "scene.json: constraints[0].set: unknown set \"lef\"; did you mean \"left\"? (known: ends, left, right)");
  EXPECT_EQ(complaint_with("/energies/0/set", "top"),
            "scene.json: energies[0].set: unknown set \"top\" (known: ends, left, right)");
  EXPECT_EQ(complaint_with("/loads/0/set", "top"),
            "scene.json: loads[0].set: unknown set \"top\" (known: ends, left, right)");
  EXPECT_EQ(complaint_with("/output/probe", "tip"),
            "scene.json: output.probe: unknown set \"tip\" (known: ends, left, right)");
  EXPECT_EQ(complaint_with("/sets/ends/sets", {"left", "rihgt"}),
            "scene.json: sets.ends.sets: unknown set \"rihgt\"; did you mean \"right\"? (known: ends, left, right)");
  EXPECT_EQ(complaint(kSmallestScene, {"constraints=[{\"set\": \"left\"}]"}),
            "scene.json: constraints[0].set: unknown set \"left\"; the scene has no \"sets\" "
            "(from --set constraints=[{\"set\": \"left\"}])");
}

TEST(SceneMessages, unions_must_not_contain_themselves) {
  EXPECT_EQ(complaint_with("/sets/right", {{"select", "union"}, {"sets", {"ends"}}}),
            "scene.json: sets.ends: this union contains itself, perhaps by way of another one\n"
            "scene.json: sets.right: this union contains itself, perhaps by way of another one");
  EXPECT_EQ(complaint_with("/sets/again", {{"select", "union"}, {"sets", {"ends", "left"}}}), "");
}

TEST(SceneMessages, too_many_sets) {
  nlohmann::json sets;
  for (int i = 0; i < 1001; ++i) sets[fmt::format("s{}", i)] = {{"select", "all"}};
  EXPECT_EQ(complaint_with("/sets", sets), "scene.json: sets: expected at most 1000 sets, found 1001");
}

TEST(SceneMessages, body_and_constants_must_fit) {
  EXPECT_EQ(complaint_without("", "materials"),
            "scene.json: materials: missing key: a tetrahedral body needs at least one material");
  EXPECT_EQ(complaint_with("/materials", nlohmann::json::array()),
            "scene.json: materials: expected at least one material");
  EXPECT_EQ(complaint_with("/springs", {{"stiffness", 1}, {"total_mass", 1}}),
            "scene.json: springs: only a spring net (mesh.springs) has springs; a tetrahedral body has \"materials\"");
  EXPECT_EQ(complaint(kClothScene, {R"(materials=[{"law": "neo-hookean", "E": 1, "nu": 0, "rho": 1}])"}),
            "scene.json: materials: a spring net has no materials; its constants go into \"springs\" "
            "(from --set materials=[{\"law\": \"neo-hookean\", \"E\": 1, \"nu\": 0, \"rho\": 1}…)");
  EXPECT_EQ(
      complaint(R"({"mesh": {"springs": "cloth", "width": 1}, "integrator": {"name": "si", "h": 1}, "steps": 1})"),
      "scene.json: springs: missing key: a spring net needs its stiffness and its mass");
}

TEST(SceneMessages, mesh_file_must_exist) {
  EXPECT_EQ(complaint_with("/mesh", {{"file", "none.msh"}}),
            "scene.json: mesh.file = \"none.msh\": no such file; looked for none.msh");
  EXPECT_EQ(complaint_with("/mesh", {{"file", 3}}), "scene.json: mesh.file = 3: expected a string");
}

TEST(SceneMessages, transform_needs_an_axis) {
  EXPECT_EQ(complaint_with("/mesh/transform/rotate_axis", {0, 0, 0}),
            "scene.json: mesh.transform.rotate_axis = [0, 0, 0]: expected a direction other than zero");
}

TEST(SceneMessages, duration_must_make_sense) {
  EXPECT_EQ(complaint_with("/duration", 1e-3),
            "scene.json: duration = 0.001: is less than half a step of 0.005 s, so nothing would happen");
  EXPECT_EQ(complaint_with("/duration", 1e9),
            "scene.json: duration = 1000000000: makes more than 2147483647 steps of 0.005 s");
}

TEST(SceneMessages, all_problems_in_one_go) {
  EXPECT_EQ(
      complaint(R"({"mesh": {"generate": "ball", "radius": -1, "color": 1}, "materials": [{"law": "neo-hookean"}],
                          "constraints": [{"set": "left"}], "integrator": {"h": 0.01}, "stepps": 3})"),
      "scene.json: mesh.radius = -1: expected a number > 0 [m]\n"
      "scene.json: mesh.color: unknown key \"color\" (known: generate, transform, skin, order, refine, radius)\n"
      "scene.json: materials[0].rho: missing key: expected a number > 0 [kg/m^3] (density)\n"
      "scene.json: materials[0].E: missing key: expected a number > 0 [Pa] (Young's modulus)\n"
      "scene.json: materials[0].nu: missing key: expected a number > -1 and < 0.5 (Poisson's ratio)\n"
      "scene.json: integrator.name: missing key: expected one of si, be (the method)\n"
      "scene.json: missing key: one of \"duration\", \"steps\" is needed\n"
      "scene.json: stepps: unknown key \"stepps\"; did you mean \"steps\"? (known: $schema, name, description, mesh, "
      "materials, springs, sets, initial, bodies, constraints, attachments, gravity, obstacles, contact, loads, "
      "energies, cuts, "
      "damping, condensation, integrator, duration, steps, output)\n"
      "scene.json: constraints[0].set: unknown set \"left\"; the scene has no \"sets\"");
}

TEST(SceneMessages, stops_at_twenty) {
  const std::string text = complaint_with("/loads", nlohmann::json(100000, 1));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 20);
  EXPECT_TRUE(text.ends_with("\nscene.json: loads[19] = 1: expected an object {…}\n(the first 20 problems)")) << text;
}

}  // namespace
}  // namespace brio::testing
