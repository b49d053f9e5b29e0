// The house rules that a compiler does not check: includes point one way, files stay small, every public header stands
// for itself in its folder.

#include "brio/integrate/integrator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

/// What each room of src/brio may include besides itself (docs/architecture.md). A room that names another one here may
/// also include what that one may.
const std::map<std::string, std::set<std::string>> kStandsOn = {
    {"core", {}},
    {"linalg", {"core"}},
    {"mesh", {"linalg"}},
    {"mesh/cutting", {"mesh"}},
    {"mesh/formats", {"mesh"}},
    {"mesh/solids", {"mesh/formats"}},
    {"mesh/stuffing", {"mesh/solids"}},
    {"mesh/generators", {"mesh/stuffing"}},
    {"material", {"linalg"}},
    {"rigid", {"linalg"}},
    {"collide", {"core"}},
    {"energy", {"mesh", "material", "rigid", "collide"}},
    {"system", {"energy"}},
    {"optimize", {"system"}},
    {"integrate", {"optimize"}},
    {"integrate/parts", {"integrate"}},
    {"integrate/methods", {"integrate/parts"}},
    {"diagnose", {"integrate/methods"}},
    {"scene", {"diagnose", "mesh/cutting", "mesh/generators"}},
    {"output/frames", {"scene"}},
    {"output", {"output/frames"}},
    {"extend", {"output"}},
    {"live", {"output"}},
    {"petsc", {"extend"}},
    {".", {"extend"}},  // the umbrella
    {"experiment/compare", {"output"}},
    {"experiment/converge", {"output"}},
    {"experiment/reproduce", {"experiment/compare", "experiment/converge"}},
    {"experiment/advise", {"experiment/compare"}},
};

/// Rooms that must not see others although they stand above them.
const std::map<std::string, std::set<std::string>> kBlindTo = {
    {"optimize", {"mesh", "material", "rigid"}},
    {"integrate", {"mesh", "material", "rigid"}},
    {"integrate/parts", {"mesh", "material", "rigid"}},
    {"integrate/methods", {"mesh", "material", "rigid"}},
    {"diagnose", {"material", "rigid"}},
};

bool may_include(const std::string& room, const std::string& other) {
  if (room == other) return true;
  if (const auto blind = kBlindTo.find(room); blind != kBlindTo.end() && blind->second.contains(other)) return false;
  const std::function<bool(const std::string&)> stands_on = [&](const std::string& above) {
    const std::set<std::string>& below = kStandsOn.at(above);
    return std::any_of(below.begin(), below.end(), [&](const auto& b) { return b == other || stands_on(b); });
  };
  return stands_on(room);
}

/// "mesh/formats" of ".../src/brio/mesh/formats/obj_format.cpp".
std::string room_of(const fs::path& file) {
  return fs::relative(file.parent_path(), fs::path(BRIO_SOURCE_DIR) / "src/brio").string();
}

std::vector<fs::path> sources() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(BRIO_SOURCE_DIR) / "src/brio")) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") found.push_back(entry.path());
  }
  return found;
}

TEST(Layering, includes_point_one_way) {
  const std::regex include("#include \"brio/([a-z/]+)/[a-z0-9_]+.hpp\"");
  int seen = 0;
  for (const fs::path& file : sources()) {
    const std::string room = room_of(file);
    ASSERT_TRUE(kStandsOn.contains(room)) << room << " is not in the table of this test";
    std::ifstream in(file);
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_match(line, match, include)) continue;
      ++seen;
      EXPECT_TRUE(may_include(room, match[1])) << file << ": " << line;
    }
  }
  EXPECT_GT(seen, 100) << "the search itself is broken";
}

/// The headers that each file of src/brio includes, as paths relative to src.
std::map<std::string, std::vector<std::string>> include_graph() {
  const std::regex include("#include \"(brio/[a-z0-9_/]+.hpp)\"");
  std::map<std::string, std::vector<std::string>> graph;
  for (const fs::path& file : sources()) {
    std::vector<std::string>& included = graph[fs::relative(file, fs::path(BRIO_SOURCE_DIR) / "src").string()];
    std::ifstream in(file);
    std::smatch match;
    for (std::string line; std::getline(in, line);)
      if (std::regex_match(line, match, include)) included.push_back(match[1]);
  }
  return graph;
}

TEST(Layering, headers_do_not_include_each_other_in_circles) {
  const auto graph = include_graph();
  enum class Mark { unseen, open, done };
  std::map<std::string, Mark> marks;
  const std::function<void(const std::string&)> visit = [&](const std::string& file) {
    marks[file] = Mark::open;
    for (const std::string& next : graph.at(file)) {
      ASSERT_TRUE(graph.contains(next)) << file << " includes " << next << ", which is not there";
      EXPECT_NE(marks[next], Mark::open) << file << " and " << next << " are on a circle of includes";
      if (marks[next] == Mark::unseen) visit(next);
    }
    marks[file] = Mark::done;
  };
  for (const auto& [file, included] : graph)
    if (marks[file] == Mark::unseen) visit(file);
  EXPECT_GT(marks.size(), 300u) << "the search itself is broken";
}

/// The umbrella and all that it includes.
std::set<std::string> public_closure() {
  const auto graph = include_graph();
  std::set<std::string> found;
  const std::function<void(const std::string&)> visit = [&](const std::string& file) {
    if (!found.insert(file).second) return;
    for (const std::string& next : graph.at(file)) visit(next);
  };
  visit("brio/brio.hpp");
  return found;
}

TEST(PublicHeaders, those_that_are_installed_are_what_the_umbrella_includes) {
  std::ifstream in(fs::path(BRIO_BINARY_DIR) / "public_headers.txt");
  std::set<std::string> installed;
  for (std::string line; std::getline(in, line);) installed.insert(line);
  EXPECT_EQ(installed, public_closure());
  EXPECT_LT(installed.size(), 80u) << "an outsider gets too much to read";
}

TEST(PublicHeaders, need_no_headers_that_an_outsider_may_not_have) {
  const std::regex include("#include <((nlohmann|spdlog|CLI|Spectra|cholmod|tbb)[^>]*)>");
  for (const std::string& file : public_closure()) {
    std::ifstream in(fs::path(BRIO_SOURCE_DIR) / "src" / file);
    std::smatch match;
    for (std::string line; std::getline(in, line);) EXPECT_FALSE(std::regex_match(line, match, include)) << file;
  }
}

TEST(PublicHeaders, are_listed_in_the_docs) {
  std::ifstream in(fs::path(BRIO_SOURCE_DIR) / "docs/architecture.md");
  const std::string page((std::istreambuf_iterator<char>(in)), {});
  const size_t begin = page.find("## Public headers"), end = page.find("\n## ", begin + 1);
  ASSERT_NE(begin, std::string::npos);
  const std::string section = page.substr(begin, end - begin);
  std::set<std::string> listed, named;
  const std::regex header("`([a-z_]+/[a-z_/]+)`");
  for (std::sregex_iterator match(section.begin(), section.end(), header), last; match != last; ++match)
    if ((*match)[1] != "src/brio") listed.insert("brio/" + (*match)[1].str() + ".hpp");
  const auto graph = include_graph();
  named.insert(graph.at("brio/brio.hpp").begin(), graph.at("brio/brio.hpp").end());
  EXPECT_EQ(listed, named);
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

/// Code that serves every method knows none by name: what is special about one stands in its row of the table.
TEST(Naming, general_code_names_no_integrator) {
  const fs::path root(BRIO_SOURCE_DIR);
  const std::vector<std::string> all = brio::names_of(brio::integrators());
  const std::set<std::string> names(all.begin(), all.end());
  const std::regex literal(R"re("([a-z0-9]+)")re");
  std::vector<fs::path> general = {root / "apps/brio/run_command.cpp", root / "apps/brio/check_command.cpp"};
  for (const fs::path& file : sources()) {
    const std::string room = room_of(file);
    for (const char* served : {"scene", "output", "diagnose", "live", "experiment/compare", "experiment/converge"})
      if (room.starts_with(served)) general.push_back(file);
  }
  for (const fs::path& file : general) {
    std::ifstream in(file);
    ASSERT_TRUE(in) << file;
    const std::string all_text(std::istreambuf_iterator<char>(in), {});
    const std::string text = std::regex_replace(all_text, std::regex("//[^\n]*"), "");
    for (std::sregex_iterator match(text.begin(), text.end(), literal), end; match != end; ++match)
      EXPECT_FALSE(names.contains((*match)[1].str())) << file << " names the method " << (*match)[1];
  }
}

}  // namespace
