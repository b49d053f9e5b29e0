// The house rules that a compiler does not check: includes point one way, files stay small, every public header stands
// for itself in its folder.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

/// What each folder of src/brio may include besides itself (docs/architecture.md).
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"core", {}},
    {"linalg", {"core"}},
    {"mesh", {"core", "linalg"}},
    {"material", {"core", "linalg"}},
    {"rigid", {"core", "linalg"}},
    {"energy", {"core", "linalg", "mesh", "material", "rigid"}},
    {"system", {"core", "linalg", "mesh", "rigid", "energy"}},
    {"optimize", {"core", "linalg", "system"}},
    {"integrate", {"core", "linalg", "system", "optimize"}},
    {"diagnose", {"core", "linalg", "mesh", "energy", "system", "optimize", "integrate"}},
    {"scene", {"core", "linalg", "mesh", "material", "rigid", "energy", "system", "optimize", "integrate", "diagnose"}},
    {"output",
     {"core", "linalg", "mesh", "material", "rigid", "energy", "system", "optimize", "integrate", "diagnose", "scene"}},
    {"reproduce",
     {"core", "linalg", "mesh", "material", "rigid", "energy", "system", "optimize", "integrate", "diagnose", "scene",
      "output"}},
    {"advise",
     {"core", "linalg", "mesh", "material", "rigid", "energy", "system", "optimize", "integrate", "diagnose", "scene",
      "output"}},
};

std::vector<fs::path> sources() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(BRIO_SOURCE_DIR) / "src/brio")) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") found.push_back(entry.path());
  }
  return found;
}

TEST(Layering, includes_point_one_way) {
  const std::regex include("#include \"brio/([a-z]+)/.*");
  int seen = 0;
  for (const fs::path& file : sources()) {
    const std::string folder = file.parent_path().filename();
    ASSERT_TRUE(kMayInclude.contains(folder)) << folder << " is not in the table of this test";
    std::ifstream in(file);
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_match(line, match, include)) continue;
      ++seen;
      const std::string target = match[1];
      EXPECT_TRUE(target == folder || kMayInclude.at(folder).contains(target)) << file << ": " << line;
    }
  }
  EXPECT_GT(seen, 100) << "the search itself is broken";
}

// Eight files of a folder are compiled as one (CMAKE_UNITY_BUILD), so that what a file keeps to itself is seen by the
// others: the same name twice is an error at best, and at worst another overload than the one that was meant.
TEST(Layering, what_files_keep_to_themselves_has_names_of_its_own) {
  const std::regex named(R"((?:(?!TEST|INSTANTIATE)[A-Za-z][\w:<>&*, ]*[ &*](\w+)\(|constexpr [^=]*\b(k\w+)).*)");
  std::map<std::string, std::string> home;  // of "folder/name"
  for (const char* root : {"src/brio", "apps/brio", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BRIO_SOURCE_DIR) / root)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path());
      std::smatch match;
      bool hidden = false;
      for (std::string line; std::getline(in, line);) {
        if (line == "namespace {") hidden = true;
        if (line == "}  // namespace") hidden = false;
        if (!hidden || !std::regex_match(line, match, named)) continue;
        const std::string name = entry.path().parent_path().string() + "/" + match[1].str() + match[2].str();
        const auto [first, fresh] = home.emplace(name, entry.path().string());
        EXPECT_TRUE(fresh || first->second == entry.path().string())
            << name << " is in " << first->second << " and in " << entry.path();
      }
    }
  }
  EXPECT_GT(home.size(), 500u) << "the search itself is broken";
}

// Two types of one name in namespace brio share their inline members when the program is linked, whichever is taken.
TEST(Layering, types_of_headers_have_names_of_their_own) {
  const std::regex type(R"((?:struct|class|enum class) (\w+)(?: final)?(?: :.*| \{.*))");
  std::map<std::string, fs::path> home;
  for (const fs::path& file : sources()) {
    if (file.extension() != ".hpp") continue;
    std::ifstream in(file);
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_match(line, match, type)) continue;
      const auto [first, fresh] = home.emplace(match[1], file);
      EXPECT_TRUE(fresh) << match[1] << " is in " << first->second << " and in " << file;
    }
  }
  EXPECT_GT(home.size(), 150u) << "the search itself is broken";
}

TEST(Layering, files_stay_readable) {
  for (const fs::path& file : sources()) {
    std::ifstream in(file);
    const auto lines = std::count(std::istreambuf_iterator<char>(in), {}, '\n');
    EXPECT_LE(lines, 400) << file << ": split it by idea";
  }
}

TEST(Layering, headers_say_what_they_are_for) {
  for (const fs::path& file : sources()) {
    if (file.extension() != ".hpp") continue;
    std::ifstream in(file);
    std::string first, second;
    std::getline(in, first);
    std::getline(in, second);
    EXPECT_EQ(first, "#pragma once") << file;
    EXPECT_TRUE(second.starts_with("// ")) << file << ": begin with a comment that says what the file is for";
  }
}

}  // namespace
