// What the pages of docs/ say about the code is in the code: laws with their options and pictures, quoted files.

#include "brio/core/text_file.hpp"
#include "brio/material/materials.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

namespace brio {
namespace {

const std::string kRoot = BRIO_SOURCE_DIR;

/// The blocks ```language … ``` of a page, without the fences.
std::vector<std::string> quoted_blocks(const std::string& page, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string fence = "\n```" + language + "\n";
  for (size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    const size_t end = page.find("\n```", at);
    blocks.push_back(page.substr(at, end - at));
    at = end;
  }
  return blocks;
}

/// A section from its heading to the next one of any level.
std::string section(const std::string& page, const std::string& heading) {
  const size_t begin = page.find("# " + heading + "\n");
  if (begin == std::string::npos) return "";
  return page.substr(begin, page.find("\n#", begin) - begin);
}

TEST(MaterialsPage, has_every_law_with_its_options_picture_and_scene) {
  const std::string page = read_text(kRoot + "/docs/materials.md");
  for (const auto* table : {&isotropic_laws(), &fiber_laws()})
    for (const MaterialEntry& row : *table) {
      const std::string text = section(page, "`" + row.name + "`"), picture = "images/material-" + row.name + ".svg";
      EXPECT_NE(text, "") << row.name << " has no section in docs/materials.md";
      for (const Option& option : row.options)
        EXPECT_NE(text.find("`" + option.key + "`"), std::string::npos) << row.name << "." << option.key;
      EXPECT_NE(text.find("> ψ ="), std::string::npos) << row.name << " has no formula";
      EXPECT_NE(text.find("(" + picture + ")"), std::string::npos) << row.name << " has no picture";
      EXPECT_TRUE(std::filesystem::exists(kRoot + "/docs/" + picture)) << picture << ": run `make materials`";
      // The sample scene really has the law.
      const size_t at = text.find("`scenes/");
      ASSERT_NE(at, std::string::npos) << row.name << " has no scene";
      const std::string scene = text.substr(at + 1, text.find('`', at + 1) - at - 1);
      EXPECT_NE(read_text(kRoot + "/" + scene).find("\"" + row.name + "\""), std::string::npos) << scene;
    }
}

TEST(ExtendingPage, quotes_files_that_are_compiled_and_run) {
  const std::string page = read_text(kRoot + "/docs/extending.md");
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(kRoot + "/tests/extending"))
    files.push_back(read_text(file.path().string()));
  const auto in_a_file = [&](const std::string& block) {
    return std::any_of(files.begin(), files.end(),
                       [&](const std::string& text) { return text.find(block) != std::string::npos; });
  };
  std::vector<std::string> blocks = quoted_blocks(page, "cpp");
  EXPECT_GE(blocks.size(), 8u);
  for (const char* language : {"cmake", "json"})
    for (const std::string& block : quoted_blocks(page, language)) blocks.push_back(block);
  for (const std::string& block : blocks) EXPECT_TRUE(in_a_file(block)) << "not in tests/extending:\n" << block;
  EXPECT_FALSE(in_a_file(blocks.front() + "!")) << "the comparison would accept anything";
}

TEST(Pages, name_scenes_that_exist) {
  std::vector<std::string> pages = {kRoot + "/README.md"};
  for (const auto& file : std::filesystem::directory_iterator(kRoot + "/docs"))
    if (file.path().extension() == ".md") pages.push_back(file.path().string());
  int named = 0;
  for (const std::string& page : pages) {
    const std::string text = read_text(page);
    const std::regex scene("scenes/[a-z0-9-]+\\.json");
    for (std::sregex_iterator match(text.begin(), text.end(), scene), end; match != end; ++match, ++named)
      EXPECT_TRUE(std::filesystem::exists(kRoot + "/" + match->str())) << page << ": " << match->str();
  }
  EXPECT_GT(named, 50);
}

TEST(Pages, show_scenes_that_are_accepted) {
  for (const std::string name : {"/README.md", "/docs/getting-started.md"}) {
    int scenes = 0;
    for (const std::string& block : quoted_blocks(read_text(kRoot + name), "json"))
      if (block.find("\"integrator\"") != std::string::npos) {
        ++scenes;
        // The mesh file is the reader's; a bar stands in for it.
        const std::string bar =
            R"("mesh": {"generate": "bar", "length": 1, "width": 1, "height": 1, "cells_across": 2, "tets_per_cell": "6"})";
        const std::string text = std::regex_replace(block, std::regex(R"re("mesh": \{"file": "[^"]*"\})re"), bar);
        ASSERT_NE(text, block) << name;
        EXPECT_NO_THROW(build_simulation(parse_scene(text, name, scene_tables()))) << name << ":\n" << block;
      }
    EXPECT_EQ(scenes, 1) << name;
  }
}

TEST(MethodPages, have_the_same_parts) {
  for (const std::string name : {"siere", "ksiere", "ere", "stabilized", "quasi-newton", "conjac", "integrators"}) {
    const std::string page = read_text(kRoot + "/docs/" + name + ".md");
    for (const std::string heading : {"## When to use ", "## When not\n", "## Options\n"})
      EXPECT_NE(page.find("\n" + heading), std::string::npos) << name << ".md: " << heading;
    EXPECT_NE(page.find("scenes/"), std::string::npos) << name << ".md names no scene";
    EXPECT_NE(page.find("](images/"), std::string::npos) << name << ".md has no picture";
  }
}

}  // namespace
}  // namespace brio
