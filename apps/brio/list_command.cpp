#include "brio/core/error.hpp"
#include "brio/core/text_file.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/output/table_sections.hpp"
#include "brio/scene/default_text.hpp"
#include "brio/scene/scene.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "data_folder.hpp"
#include "start_ranks.hpp"
#include <algorithm>
#include <filesystem>
#include <memory>

namespace brio {
namespace {

Entry scene_entry(const std::filesystem::path& file) {
  try {
    const Scene scene = load_scene(file, scene_tables());
    return {file.string(), scene.name + ". " + scene.description, {}};
  } catch (const Error&) {
    return {file.string(), "cannot be run; `brio check` says why", {}};
  }
}

TableSection scenes_section() {
  TableSection section{"scenes", "Scenes", {}};
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

void print(const TableSection& section, bool with_options) {
  fmt::print("{}\n", section.title);
  size_t width = 0;
  for (const Entry& row : section.rows) width = std::max(width, row.name.size());
  for (const Entry& row : section.rows) {
    fmt::print("  {:{}}  {}{}\n", row.name, width, row.summary,
               section.kind == "engines" ? availability(row.name) : std::string());
    for (const Option& option : row.options)
      if (with_options) fmt::print("  {:{}}    {}: {}, {}\n", "", width, option.key, option.expected(), end_of(option));
  }
  fmt::print("\n");
}

int list(const std::string& kind) {
  std::vector<TableSection> sections = table_sections();
  sections.push_back(scenes_section());
  for (const TableSection& section : sections)
    if (kind.empty() || kind == section.kind) print(section, !kind.empty());
  return kOk;
}

}  // namespace

void add_list(CommandLine& app, Command& command) {
  CommandLine* list_app = app.add_subcommand("list", "show what a scene can name; with a kind, also the options");
  auto kind = std::make_shared<std::string>();
  list_app->add_option("kind", *kind, "what to list; everything, in short, if left out")
      ->member_of({"integrators", "engines", "materials", "generators", "shapes", "selectors", "nodes", "motions",
                   "obstacles", "loads", "energies", "cuts", "bones", "formats", "scenes"});
  list_app->callback([kind, &command] { command = [kind] { return list(*kind); }; });
}

}  // namespace brio
