// The schema and the reference page against the reader: what one accepts the other does, and nothing goes undocumented.

#include "brio/scene/schema.hpp"

#include "brio/scene/object_schema.hpp"
#include "brio/scene/reference.hpp"

#include <gtest/gtest.h>

#include "scene/schema_validator.hpp"
#include "scene/test_tables.hpp"
#include <random>

namespace brio::testing {
namespace {

SchemaJson json_of(const char* scene) { return SchemaJson::parse(scene, nullptr, true, true); }

const SchemaJson& schema() {
  static const SchemaJson made = SchemaJson::parse(scene_schema(test_tables()).dump());
  return made;
}

TEST(Schema, accepts_the_samples) {
  for (const char* scene : {kSmallestScene, kFullestScene, kClothScene}) {
    EXPECT_TRUE(schema_accepts(schema(), json_of(scene))) << scene;
    EXPECT_EQ(complaint(scene), "");
  }
}

TEST(Schema, the_fullest_sample_has_every_key_of_the_format) {
  const auto scene = json_of(kFullestScene);
  for (const Field& field : scene_object_schema(test_tables()).fields) {
    const bool excluded_by_another =
        field.key == "springs" || field.key == "steps" || field.key == "bodies" || field.key == "contact";
    EXPECT_NE(scene.contains(field.key), excluded_by_another) << field.key;
  }
}

/// Every description below a schema, and the places where one is missing or empty.
void collect(const SchemaJson& node, const std::string& path, std::vector<std::string>& undocumented) {
  if (node.is_object() && node.contains("properties"))
    for (const auto& [key, property] : node["properties"].items())
      if (property.value("description", "").empty()) undocumented.push_back(path + "/" + key);
  if (node.is_structured())
    for (const auto& [key, child] : node.items()) collect(child, path + "/" + key, undocumented);
}

TEST(Schema, every_key_is_documented) {
  std::vector<std::string> undocumented;
  collect(schema(), "", undocumented);
  EXPECT_EQ(undocumented, std::vector<std::string>{});
}

TEST(Schema, says_what_it_is) {
  EXPECT_EQ(schema()["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema()["required"], (SchemaJson{"integrator"}));
  EXPECT_EQ(schema()["properties"]["gravity"]["default"], (SchemaJson{0.0, -9.81, 0.0}));
  EXPECT_EQ(schema()["properties"]["integrator"]["oneOf"][0]["properties"]["h"]["exclusiveMinimum"], 0.0);
}

/// One random change somewhere in a value: of the kind that people make, and of the kind that they do not.
void mutate(SchemaJson& value, std::mt19937& random) {
  const auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
  if (value.is_structured() && !value.empty() && pick(5) > 0) {
    auto child = value.begin();
    std::advance(child, pick(value.size()));
    if (pick(12) == 0 && value.is_object())
      value.erase(child.key());
    else
      mutate(child.value(), random);
    return;
  }
  static const SchemaJson replacements = {nullptr,
                                          true,
                                          0,
                                          -1,
                                          2,
                                          0.5,
                                          1e300,
                                          -1e-300,
                                          4294967296,
                                          "",
                                          "si",
                                          "be",
                                          "left",
                                          "ends",
                                          "all",
                                          "x",
                                          SchemaJson::array(),
                                          SchemaJson::object(),
                                          {1, 2, 3},
                                          {1, 2},
                                          {{0, 1, 2}},
                                          {{1, 2}},
                                          {"left"},
                                          "union"};
  if (value.is_object() && pick(2) == 0)
    value[std::vector<std::string>{"h", "set", "stiffness", "name", "steps", "rho", "odd"}[pick(7)]] =
        replacements[pick(replacements.size())];
  else
    value = replacements[pick(replacements.size())];
}

/// Problems that the schema does not see, because they lie between the parts of a scene.
bool only_between_parts(const std::string& complaint) {
  static const std::vector<std::string> between = {"unknown set",
                                                   "contains itself",
                                                   "a spring net has no",
                                                   "a spring net needs",
                                                   "a tetrahedral body needs",
                                                   "only a spring net",
                                                   "at least one material",
                                                   "no such file",
                                                   "direction other than zero",
                                                   "half a step",
                                                   "makes more than"};
  std::stringstream lines(complaint);
  for (std::string line; std::getline(lines, line);)
    if (std::none_of(between.begin(), between.end(), [&](const auto& text) { return line.find(text) != line.npos; }))
      return false;
  return true;
}

/// The reader keeps whole numbers in an int, which the schema does not say.
bool has_huge_integer(const SchemaJson& value) {
  if (value.is_structured()) return std::any_of(value.begin(), value.end(), has_huge_integer);
  return value.is_number() && std::fabs(value.get<double>()) > 2147483647.0;
}

TEST(Schema, agrees_with_the_reader_on_changed_scenes) {
  std::mt19937 random(20240229);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    SchemaJson scene = json_of(std::vector<const char*>{kSmallestScene, kFullestScene, kClothScene}[round % 3]);
    mutate(scene, random);
    if (round % 2) mutate(scene, random);
    const std::string said = complaint(scene.dump());
    const bool fine = said.empty() || (only_between_parts(said) && scene.is_object());
    if (has_huge_integer(scene)) continue;
    ASSERT_EQ(fine, schema_accepts(schema(), scene)) << scene.dump(1) << "\nthe reader says: " << said;
    fine ? ++accepted : ++refused;
  }
  EXPECT_GT(accepted, 100);  // otherwise the changes are not what they are meant to be
  EXPECT_GT(refused, 300);
}

TEST(Reader, survives_damaged_text) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text = std::vector<const char*>{kSmallestScene, kFullestScene, kClothScene}[round % 3];
    for (int change = random() % 4; change >= 0; --change) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 20);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
        case 3:
          text.insert(at, 1, "{}[],:\"0e-"[random() % 10]);
          break;
      }
    }
    const std::string said = complaint(text);  // an Error or nothing; whatever else would fail the test
    EXPECT_LT(said.size(), 20000u);
  }
}

TEST(Reference, names_every_key_row_and_option) {
  const std::string page = scene_reference_markdown(test_tables());
  const auto expect_row = [&](const Entry& row) {
    EXPECT_NE(page.find("### " + row.name + "\n"), page.npos) << row.name;
    for (const Option& option : row.options) EXPECT_NE(page.find("| `" + option.key + "` |"), page.npos) << option.key;
  };
  const SceneTables& t = test_tables();
  for (const auto* table :
       {&t.generators, &t.spring_generators, &t.isotropic_laws, &t.fiber_laws, &t.motions, &t.obstacles, &t.loads,
        &t.energies, &t.cuts, &t.integrators, &t.selectors, &t.node_choosers})
    for (const Entry& row : *table) expect_row(row);
  for (const Field& field : scene_object_schema(t).fields)
    EXPECT_NE(page.find("| `" + field.key + "` |"), page.npos) << field.key;
  EXPECT_NE(page.find("| `h` | a number > 0 [s] | required | time step |\n"), page.npos);
  EXPECT_NE(page.find("| `gravity` | three numbers [x, y, z] [m/s^2] | `[0, -9.81, 0]` | acceleration of gravity |\n"),
            page.npos);
  EXPECT_NE(page.find("Exactly one of `duration`, `steps` is given."), page.npos);
}

TEST(Reference, links_lead_to_sections) {
  const std::string page = scene_reference_markdown(test_tables());
  for (size_t at = page.find("(#"); at != page.npos; at = page.find("(#", at + 1)) {
    std::string anchor = page.substr(at + 2, page.find(')', at) - at - 2);
    std::replace(anchor.begin(), anchor.end(), '-', ' ');
    anchor[0] = 'T';
    EXPECT_NE(page.find("\n## " + anchor + "\n"), page.npos) << anchor;
  }
}

}  // namespace
}  // namespace brio::testing
