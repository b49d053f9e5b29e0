#include "brio/core/error.hpp"
#include "brio/core/join.hpp"
#include "brio/core/text_file.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/default_text.hpp"
#include "brio/scene/named_shapes.hpp"
#include "brio/scene/scene.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "data_folder.hpp"
#include <algorithm>
#include <filesystem>
#include <memory>

namespace brio {
namespace {

struct Section {
  std::string kind;   ///< what people ask for
  std::string title;  ///< above its rows
  std::vector<Entry> rows;
};

std::vector<Entry> named_shape_rows() {
  std::vector<Entry> rows;
  for (const ShapeFile& shape : named_shapes())
    rows.push_back(
        {shape.name,
         fmt::format("{} ({} vertices, at least {})", shape.description, shape.vertices, shape.least_vertices),
         {}});
  return rows;
}

/// Called by their extensions, which is what people type.
std::vector<Entry> mesh_rows() {
  std::vector<Entry> rows;
  for (const MeshFormat& format : mesh_formats()) {
    const char* holds = format.tets && format.surfaces ? "tetrahedra, surfaces"
                        : format.tets                  ? "tetrahedra"
                                                       : "surfaces";
    rows.push_back({joined(format.extensions, " "), fmt::format("{}: {}", holds, format.summary), {}});
  }
  return rows;
}

std::vector<Section> table_sections() {
  const SceneTables& tables = scene_tables();
  return {{"integrators", "Integrators", tables.integrators},
          {"materials", "Materials: isotropic laws", tables.isotropic_laws},
          {"materials", "Materials: fiber laws", tables.fiber_laws},
          {"generators", "Generators of tetrahedral meshes", tables.generators},
          {"generators", "Generators of spring nets", tables.spring_generators},
          {"shapes", "Shapes that solids are made of", tables.shapes},
          {"shapes", "Named shapes", named_shape_rows()},
          {"bones", "Shapes of bones", tables.bone_shapes},
          {"bones", "Joints of bones", tables.joints},
          {"selectors", "Selectors of vertex sets", tables.selectors},
          {"nodes", "Choosers of dynamic nodes", tables.node_choosers},
          {"motions", "Motions", tables.motions},
          {"obstacles", "Obstacles", tables.obstacles},
          {"loads", "Loads", tables.loads},
          {"energies", "Energies", tables.energies},
          {"cuts", "Cuts", tables.cuts},
          {"formats", "Frame formats", tables.frame_formats},
          {"formats", "Mesh formats", mesh_rows()}};
}

Entry scene_entry(const std::filesystem::path& file) {
  try {
    const Scene scene = load_scene(file, scene_tables());
    return {file.string(), scene.name + ". " + scene.description, {}};
  } catch (const Error&) {
    return {file.string(), "cannot be run; `brio check` says why", {}};
  }
}

Section scenes_section() {
  Section section{"scenes", "Scenes", {}};
  const std::filesystem::path folder = data_folder("scenes");
  if (folder.empty()) return section;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".json") section.rows.push_back(scene_entry(file.path()));
  std::sort(section.rows.begin(), section.rows.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return section;
}

std::string end_of(const Option& option) {
  const std::string fallback = default_text(option);
  const bool has_value = fallback != kRequired && fallback != kNoDefault;
  return (has_value ? "default " + fallback : fallback == kRequired ? "required" : "optional") + ": " + option.doc;
}

void print(const Section& section, bool with_options) {
  fmt::print("{}\n", section.title);
  size_t width = 0;
  for (const Entry& row : section.rows) width = std::max(width, row.name.size());
  for (const Entry& row : section.rows) {
    fmt::print("  {:{}}  {}\n", row.name, width, row.summary);
    for (const Option& option : row.options)
      if (with_options) fmt::print("  {:{}}    {}: {}, {}\n", "", width, option.key, option.expected(), end_of(option));
  }
  fmt::print("\n");
}

int list(const std::string& kind) {
  std::vector<Section> sections = table_sections();
  sections.push_back(scenes_section());
  for (const Section& section : sections)
    if (kind.empty() || kind == section.kind) print(section, !kind.empty());
  return kOk;
}

}  // namespace

void add_list(CommandLine& app, Command& command) {
  CommandLine* list_app = app.add_subcommand("list", "show what a scene can name; with a kind, also the options");
  auto kind = std::make_shared<std::string>();
  list_app->add_option("kind", *kind, "what to list; everything, in short, if left out")
      ->member_of({"integrators", "materials", "generators", "shapes", "selectors", "nodes", "motions", "obstacles",
                   "loads", "energies", "cuts", "bones", "formats", "scenes"});
  list_app->callback([kind, &command] { command = [kind] { return list(*kind); }; });
}

}  // namespace brio
