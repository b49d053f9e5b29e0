// `brio reproduce` from end to end. Every item of every paper is run for two steps: that says nothing about the papers,
// but every item must come out complete.

#include "brio/core/json.hpp"

#include "apps/program.hpp"

namespace brio {
namespace {

using namespace testing;
const std::string kPapers = std::string(BRIO_SOURCE_DIR) + "/papers";

struct Reproduced {
  Outcome outcome;
  Json json;
};

Reproduced reproduce(const std::filesystem::path& folder, const std::string& arguments) {
  Reproduced result;
  result.outcome =
      testing::brio(fmt::format("reproduce --papers '{}' -o '{}' {}", kPapers, folder.string(), arguments));
  if (std::filesystem::exists(folder / "reproduce.json"))
    result.json = Json::parse(read_text(folder / "reproduce.json"));
  return result;
}

void expect_finite(const Json& list, const std::string& name) {
  for (const Json& number : list) EXPECT_TRUE(number.is_number()) << name << ": " << number;
}

/// None empty, none not a number.
void expect_complete(const Json& item, const std::filesystem::path& folder) {
  const std::string name = item["name"].get<std::string>();
  EXPECT_NE(item["title"], "") << name;
  EXPECT_NE(item["claim"], "") << name;
  EXPECT_NE(item["reason"], "") << name;
  const std::string verdict = item["verdict"].get<std::string>();
  ASSERT_TRUE(verdict == "agrees" || verdict == "agrees in part" || verdict == "does not agree" ||
              verdict == "cannot be compared")
      << name << ": " << verdict << ": " << item["reason"];
  EXPECT_EQ(verdict == "cannot be compared", item["checks"].empty()) << name;
  for (const Json& check : item["checks"]) {
    EXPECT_NE(check["ours"], "") << name;
    EXPECT_NE(check["rule"], "") << name;
  }
  for (const Json& table : item["tables"])
    for (const Json& row : table["rows"]) EXPECT_EQ(row.size(), table["head"].size()) << name;
  for (const Json& chart : item["charts"])
    for (const Json& curve : chart["curves"]) {
      EXPECT_EQ(curve["x"].size(), curve["y"].size()) << name;
      expect_finite(curve["x"], name);
      expect_finite(curve["y"], name);
    }
  for (const Json& run : item["runs"]) EXPECT_NE(run["status"], "failed") << name << ": " << run["message"];
  if (!item["page"].is_null()) {
    EXPECT_TRUE(std::filesystem::exists(folder / item["page"].get<std::string>())) << name;
  }
}

class EveryItemOf : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryItemOf, the_paper_comes_out_complete) {
  const std::string paper = GetParam();
  const auto folder = fresh_folder("reproduce-" + paper);
  const Reproduced all = reproduce(folder, paper + " --quick --steps 2");
  ASSERT_EQ(all.outcome.code, 0) << all.outcome.err << all.outcome.out;
  int complete = 0;
  for (const Json& shown : all.json["papers"])
    for (const Json& item : shown["items"])
      if (item["verdict"] != "still to come") {
        expect_complete(item, folder);
        ++complete;
      }
  EXPECT_GT(complete, 5);
  EXPECT_TRUE(std::filesystem::exists(folder / "index.html"));
}

INSTANTIATE_TEST_SUITE_P(Papers, EveryItemOf, ::testing::Values("siere", "ere", "stabilized", "quasi-newton", "conjac"),
                         [](const auto& paper) {
                           std::string name = paper.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Reproduce, what_is_done_is_not_redone) {
  const auto folder = fresh_folder("reproduce-again");
  const std::string item = "ere-fig1 --steps 2";
  ASSERT_EQ(reproduce(folder, item).outcome.code, 0);
  const auto written = std::filesystem::last_write_time(folder / "ere-fig1" / "measured.bin");
  const Reproduced second = reproduce(folder, item);
  EXPECT_NE(second.outcome.out.find("(from before)"), std::string::npos) << second.outcome.out;
  EXPECT_EQ(std::filesystem::last_write_time(folder / "ere-fig1" / "measured.bin"), written);
  EXPECT_EQ(reproduce(folder, item + " --again").outcome.out.find("(from before)"), std::string::npos);
  EXPECT_EQ(reproduce(folder, "ere-fig1 --steps 3").outcome.out.find("(from before)"), std::string::npos)
      << "other options, other results";
}

TEST(Reproduce, refuses) {
  const auto folder = fresh_folder("reproduce-refused");
  const Reproduced unknown = reproduce(folder, "ere-fgi1");
  EXPECT_EQ(unknown.outcome.code, 2);
  EXPECT_NE(unknown.outcome.err.find("did you mean \"ere-fig1\"?"), std::string::npos) << unknown.outcome.err;
  EXPECT_EQ(reproduce(folder, "ere-fig1 --quick --full").outcome.code, 2);
  EXPECT_EQ(testing::brio("reproduce --papers /nowhere").code, 2);
}

TEST(Reproduce, lists_items) {
  const Reproduced list = reproduce(fresh_folder("reproduce-list"), "--list");
  EXPECT_EQ(list.outcome.code, 0);
  for (const char* name : {"siere-table2", "ere-fig1", "stabilized-fig5", "quasi-newton-fig7", "conjac-fig2"})
    EXPECT_NE(list.outcome.out.find(name), std::string::npos) << name;
  EXPECT_NE(testing::brio("reproduce --findings").out.find("energy_kept"), std::string::npos);
}

}  // namespace
}  // namespace brio
