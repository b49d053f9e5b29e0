// The files of papers/: what is read, what is refused, and that every table and figure has its item.

#include "brio/experiment/reproduce/paper.hpp"

#include "brio/core/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace brio {
namespace {

const std::filesystem::path kPaperFile = std::filesystem::path(BRIO_SOURCE_DIR) / "papers" / "test.json";

std::string paper_with(const std::string& item) {
  return fmt::format(
      R"({{"paper": "P", "cite": "C", "items": [{{"name": "p-fig1", "title": "T", "claim": "X", {}}}]}})", item);
}

std::string refused(const std::string& item) {
  try {
    parse_paper(paper_with(item), kPaperFile);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const std::string kCheck = R"("checks": [{"say": "s", "value": "si.h", "above": 0}])";

TEST(PaperFile, changes_of_the_item_come_before_those_of_the_run) {
  const Paper paper = parse_paper(paper_with(R"("scene": "../scenes/bar-1k.json", "set": ["a=1"], "quick": ["b=1"],
                    "runs": [{"label": "si", "set": ["a=2"], "quick": ["b=2"]}, {"label": "rope", "scene": "../scenes/rope.json"}],
                    )" + kCheck),
                                  kPaperFile);
  const PaperItem& item = paper.items.at(0);
  ASSERT_EQ(item.runs.size(), 2u);
  EXPECT_EQ(item.runs[0].change.set, (std::vector<std::string>{"a=1", "a=2"}));
  EXPECT_EQ(item.runs[0].change.quick, (std::vector<std::string>{"b=1", "b=2"}));
  EXPECT_EQ(item.runs[1].change.scene.filename(), "rope.json");
  EXPECT_NE(item.quick_text.find("\"generate\""), std::string::npos)
      << "the texts of the scenes tell whether they changed";
}

TEST(PaperFile, todays_method_takes_the_place_of_runs_and_oscillators) {
  const Paper paper = parse_paper(paper_with(R"("scene": "../scenes/conjac-twist.json", "set": ["condensation.gamma=1"],
      "today": ["node", "swing"], "today_scene": "../scenes/conjac-twist-vanilla.json",
      "runs": [{"label": "node", "set": ["integrator.beta=2", "integrator.h=0.01", "duration=1"]}],
      "oscillators": [{"label": "swing", "method": "be", "omega": 3}], )" +
                                             kCheck),
                                  kPaperFile);
  const PaperItem& item = paper.items.at(0);
  ASSERT_EQ(item.runs.size(), 2u);
  EXPECT_EQ(item.runs[1].label, "glim_node");
  EXPECT_EQ(item.runs[1].change.scene.filename(), "conjac-twist-vanilla.json");
  EXPECT_EQ(item.runs[1].change.set,
            (std::vector<std::string>{"integrator.h=0.01", "duration=1", "integrator.name=glim"}))
      << "the paper's method and its nodes are left out";
  ASSERT_EQ(item.oscillators.size(), 2u);
  EXPECT_EQ(item.oscillators[1].method, "glim");
  EXPECT_EQ(item.oscillators[1].omega, 3);
}

TEST(PaperFile, what_is_measured_again_depends_on_what_is_run_alone) {
  const std::string run = R"("scene": "../scenes/bar-1k.json", "runs": [{"label": "si", "quick": ["steps=3"]}], )";
  const auto item = [&](const std::string& more) {
    return parse_paper(paper_with(run + more + kCheck), kPaperFile).items.at(0);
  };
  const PaperItem as_it_was = item("");
  for (const char* judged : {R"("why": "it is stiff", )", R"("differs": "it is stiff", )", R"("no_today": "none", )",
                             R"("tables": [{"head": ["a"], "rows": [{"cells": ["=si.h"]}]}], )"}) {
    EXPECT_EQ(item(judged).quick_text, as_it_was.quick_text) << judged;
    EXPECT_EQ(item(judged).full_text, as_it_was.full_text) << judged;
  }
  EXPECT_NE(item(R"("set": ["steps=4"], )").full_text, as_it_was.full_text);
  EXPECT_NE(item(R"("rounds": 2, )").full_text, as_it_was.full_text);
  EXPECT_NE(item(R"("quick": ["steps=2"], )").quick_text, as_it_was.quick_text);
  EXPECT_EQ(item(R"("quick": ["steps=2"], )").full_text, as_it_was.full_text) << "full runs are not shortened";
}

TEST(PaperFile, refuses) {
  const std::string run = R"("scene": "../scenes/bar-1k.json", "runs": [{"label": "si"}], )";
  EXPECT_EQ(refused(run + kCheck), "");
  EXPECT_NE(refused(run + R"("checks": [])").find("incomparable"), std::string::npos);
  EXPECT_NE(refused(run + R"("incomparable": "why", )" + kCheck), "");
  EXPECT_NE(refused(run + R"("today": ["si"], "no_today": "why", )" + kCheck).find("not both"), std::string::npos);
  EXPECT_NE(refused(run + R"("color": 3, )" + kCheck).find("color"), std::string::npos);
  EXPECT_NE(refused(run + R"("checks": [{"say": "s", "value": "si.h"}])").find("expected a rule"), std::string::npos);
  EXPECT_NE(refused(run + R"("checks": [{"say": "s", "value": "si.h", "within": 0.1}])").find("paper"),
            std::string::npos);
  EXPECT_NE(refused(R"("runs": [{"label": "si"}], )" + kCheck).find("scene"), std::string::npos);
  EXPECT_NE(refused(R"("scene": "../scenes/none.json", "runs": [{"label": "si"}], )" + kCheck).find("none.json"),
            std::string::npos);
  EXPECT_NE(refused(R"("scene": "../scenes/bar-1k.json", "runs": [{"label": "s-i"}], )" + kCheck).find("label"),
            std::string::npos);
  EXPECT_NE(refused(R"("scene": "../scenes/bar-1k.json", "runs": [{"label": "si"}, {"label": "si"}], )" + kCheck)
                .find("used twice"),
            std::string::npos);
  EXPECT_NE(refused(run + R"("tables": [{"head": ["a", "b"], "rows": [{"cells": ["1"]}]}], )" + kCheck).find("1 cells"),
            std::string::npos);
}

TEST(PaperFile, todays_method_runs_beside_a_run) {
  const Paper paper = parse_paper(
      paper_with(
          R"("scene": "../scenes/bar-1k.json", "today": ["si"], "rounds": 3, "runs": [{"label": "si", "set": ["a=2"]}], )" +
          kCheck),
      kPaperFile);
  const PaperItem& item = paper.items.at(0);
  EXPECT_EQ(item.rounds, 3);
  ASSERT_EQ(item.runs.size(), 2u);
  EXPECT_EQ(item.runs[1].label, "glim_si");
  EXPECT_EQ(item.runs[1].change.set, (std::vector<std::string>{"a=2", "integrator.name=glim"}));
  EXPECT_NE(refused(R"("scene": "../scenes/bar-1k.json", "today": ["sii"], "runs": [{"label": "si"}], )" + kCheck)
                .find("is not the label of a run"),
            std::string::npos);
}

/// The tables and figures of the papers, pictures and sketches, too: those say why they cannot be compared.
std::vector<std::string> expected_items() {
  std::vector<std::string> names;
  const auto add = [&](const std::string& paper, const std::string& kind, const std::vector<int>& numbers) {
    for (int number : numbers) names.push_back(fmt::format("{}-{}{}", paper, kind, number));
  };
  const auto from_to = [](int first, int last) {
    std::vector<int> numbers;
    for (int i = first; i <= last; ++i) numbers.push_back(i);
    return numbers;
  };
  add("siere", "table", {1, 2});
  add("siere", "fig", from_to(1, 19));
  add("ere", "fig", from_to(1, 18));
  add("ere", "table", from_to(1, 3));
  add("stabilized", "fig", from_to(1, 19));
  add("stabilized", "table", {1, 2});
  add("quasi-newton", "fig", from_to(1, 18));
  add("quasi-newton", "table", {1, 2});
  add("conjac", "fig", from_to(1, 10));
  add("conjac", "table", {1});
  return names;
}

TEST(PaperFile, every_table_and_figure_has_its_item) {
  std::set<std::string> there;
  for (const Paper& paper : load_papers(std::filesystem::path(BRIO_SOURCE_DIR) / "papers"))
    for (const PaperItem& item : paper.items) there.insert(item.name);
  for (const std::string& name : expected_items()) EXPECT_TRUE(there.contains(name)) << name;
}

TEST(PaperFile, every_item_shows_todays_method_or_says_why_it_cannot) {
  for (const Paper& paper : load_papers(std::filesystem::path(BRIO_SOURCE_DIR) / "papers"))
    for (const PaperItem& item : paper.items)
      EXPECT_TRUE(!item.today.empty() || !item.no_today.empty() || !item.incomparable.empty()) << item.name;
}

}  // namespace
}  // namespace brio
