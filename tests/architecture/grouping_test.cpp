// The files of a folder, those of a room of the library with all below it, are compiled together
// (cmake/group_by_folder.cmake), so the names that one of them keeps to itself are seen by the others. This test finds two of a kind before they get in each other's way.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The names that a source file declares for itself alone: in its unnamed namespaces, and what is static. Such a
/// declaration begins at the beginning of a line, as the formatter puts it.
std::set<std::string> local_names(const fs::path& file) {
  static const std::regex type(R"(^(?:(?:class|struct|enum class|enum|union) |using (?=\w+ =))(\w+).*)");
  static const std::regex other(R"(^(?:.*?[\s&*])(\w+)\s*(?:\(|=|\{|\[|;).*)");
  static const std::regex not_a_name(R"(^(?:namespace|template|using namespace|TEST|TEST_F|TEST_P|TYPED_TEST|)"
                                     R"(INSTANTIATE_TEST_SUITE_P|TYPED_TEST_SUITE|BENCHMARK)\b.*)");
  std::set<std::string> names;
  std::ifstream in(file);
  bool unnamed = false;
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (line == "namespace {") unnamed = true;
    if (line == "}  // namespace") unnamed = false;
    if (!unnamed && !line.starts_with("static ")) continue;
    if (line.empty() || !std::isalpha(static_cast<unsigned char>(line[0]))) continue;
    if (std::regex_match(line, not_a_name)) continue;
    line = std::regex_replace(line, std::regex("<[^()]*>"), "");
    if (std::regex_match(line, match, type) || std::regex_match(line, match, other)) names.insert(match[1]);
  }
  return names;
}

std::vector<fs::path> sources_below(const fs::path& root) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.path().extension() == ".cpp") found.push_back(entry.path());
  return found;
}

fs::path group_of(const fs::path& file) {
  const fs::path library = fs::path(BRIO_SOURCE_DIR) / "src/brio", place = file.parent_path().lexically_relative(library);
  return *place.begin() == ".." ? file.parent_path() : library / *place.begin();
}

TEST(Grouping, files_of_a_folder_have_local_names_of_their_own) {
  std::map<fs::path, std::map<std::string, fs::path>> seen;  // by group
  size_t names = 0;
  for (const char* root : {"src/brio", "apps", "tests", "bench"}) {
    for (const fs::path& file : sources_below(fs::path(BRIO_SOURCE_DIR) / root)) {
      for (const std::string& name : local_names(file)) {
        const auto [first, fresh] = seen[group_of(file)].emplace(name, file);
        EXPECT_TRUE(fresh) << name << " is in " << first->second << " and in " << file
                           << ", which are compiled together: rename one of them";
        ++names;
      }
    }
  }
  EXPECT_GT(names, 1000u) << "the search itself is broken";
}

TEST(Grouping, local_types_are_not_named_like_those_of_headers) {
  const fs::path library = fs::path(BRIO_SOURCE_DIR) / "src/brio";
  const std::regex type(R"(^(?:struct|class|enum class) (\w+)(?: final)?(?: :.*| \{.*))");
  std::map<std::string, fs::path> home;
  for (const auto& entry : fs::recursive_directory_iterator(library)) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream in(entry.path());
    std::smatch match;
    for (std::string line; std::getline(in, line);)
      if (std::regex_match(line, match, type)) home.emplace(match[1], entry.path());
  }
  EXPECT_GT(home.size(), 150u) << "the search itself is broken";
  for (const fs::path& file : sources_below(library))
    for (const std::string& name : local_names(file))
      EXPECT_FALSE(home.contains(name)) << name << " of " << file << " is also a type of " << home[name];
}

}  // namespace
