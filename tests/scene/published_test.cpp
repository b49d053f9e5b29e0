// The real tables and the files that are published from them: schema, reference page, scenes.

#include "brio/core/text_file.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/object_schema.hpp"
#include "brio/scene/reference.hpp"
#include "brio/scene/schema.hpp"

#include <gtest/gtest.h>

#include "scene/schema_validator.hpp"
#include "scene/test_tables.hpp"
#include <set>

namespace brio::testing {
namespace {

const std::filesystem::path kSource = BRIO_SOURCE_DIR;

TEST(Published, schema_is_that_of_the_code) {
  EXPECT_TRUE(read_text(kSource / "schemas/scene.schema.json") == scene_schema(scene_tables()).dump(1) + "\n")
      << "refresh it with: build/brio schema > schemas/scene.schema.json";
}

TEST(Published, reference_is_that_of_the_code) {
  EXPECT_TRUE(read_text(kSource / "docs/scene-reference.md") == scene_reference_markdown(scene_tables()))
      << "refresh it with: build/brio schema --markdown > docs/scene-reference.md";
}

TEST(Published, every_scene_pleases_reader_and_schema) {
  const SchemaJson schema = SchemaJson::parse(scene_schema(scene_tables()).dump());
  int scenes = 0;
  for (const auto& file : std::filesystem::directory_iterator(kSource / "scenes")) {
    if (file.path().extension() != ".json") continue;
    ++scenes;
    EXPECT_NO_THROW(load_scene(file.path(), scene_tables())) << file.path();
    EXPECT_TRUE(schema_accepts(schema, SchemaJson::parse(read_text(file.path()), nullptr, true, true))) << file.path();
  }
  EXPECT_GE(scenes, 4);
}

/// A row's option must not have the name of a key that the object around it has already.
void expect_no_clash(const ObjectSchema& shape, const std::string& path) {
  std::set<std::string> keys;
  for (const Variant& variant : shape.variants) EXPECT_TRUE(keys.insert(variant.tag).second) << path;
  for (const Field& field : shape.fields) EXPECT_TRUE(keys.insert(field.key).second) << path << "." << field.key;
  for (const Variant& variant : shape.variants)
    for (const Entry& row : variant.rows) {
      std::set<std::string> own;
      for (const Option& option : row.options) {
        EXPECT_FALSE(keys.contains(option.key)) << path << ": " << row.name << ": " << option.key;
        EXPECT_TRUE(own.insert(option.key).second) << path << ": " << row.name << ": " << option.key << " twice";
      }
    }
  for (const Field& field : shape.fields) expect_no_clash(field.shape, path + "." + field.key);
}

TEST(Tables, no_option_hides_a_key_of_the_format) { expect_no_clash(scene_object_schema(scene_tables()), "scene"); }

TEST(Tables, every_row_is_described_and_its_defaults_are_in_range) {
  const SceneTables& t = scene_tables();
  for (const auto* table : {&t.generators, &t.spring_generators, &t.isotropic_laws, &t.fiber_laws, &t.motions,
                            &t.obstacles, &t.loads, &t.energies, &t.cuts, &t.integrators, &t.selectors,
                            &t.node_choosers, &t.frame_formats, &t.bone_shapes, &t.joints}) {
    EXPECT_FALSE(table->empty());
    for (const Entry& row : *table) {
      EXPECT_FALSE(row.summary.empty()) << row.name;
      for (const Option& option : row.options) {
        EXPECT_FALSE(option.doc.empty()) << row.name << "." << option.key;
        const bool has_default = !std::holds_alternative<std::monostate>(option.fallback);
        EXPECT_EQ(has_default ? option.complaint(option.fallback) : "", "") << row.name << "." << option.key;
      }
    }
  }
}

}  // namespace
}  // namespace brio::testing
