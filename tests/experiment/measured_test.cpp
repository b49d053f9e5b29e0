// What an item has measured comes back as it was, and not where something else would be measured now.

#include "brio/experiment/reproduce/measured.hpp"

#include "brio/core/file.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include <cmath>

namespace brio {
namespace {

Gathered measured() {
  Gathered measured;
  measured.evidence["si"].numbers = {{"finished", 1}, {"factor_ms", NAN}, {"late", INFINITY}};
  measured.evidence["si"].curves["kinetic"] = {{0, 0.1, 0.2}, {1, 1.0 / 3, -2e-300}};
  measured.evidence["be"].trouble = "step 3: it ran away";
  measured.rounds = {{{"si", {{"step_ms", 2.5}}}}, {}};
  measured.runs = {{"si", "bar-1k", "si", 425, 1280, 30, 0.01, "finished", ""}};
  measured.page = true;
  return measured;
}

TEST(Measured, comes_back_as_it_was) {
  const testing::TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  keep_measured(measured(), "abc", folder);
  const std::optional<Gathered> back = kept_measured("abc", folder);
  ASSERT_TRUE(back);
  const Findings &si = back->evidence.at("si"), before = measured().evidence.at("si");
  EXPECT_TRUE(std::isnan(si.numbers.at("factor_ms")));
  EXPECT_EQ(si.numbers.at("late"), INFINITY);
  EXPECT_EQ(si.curves.at("kinetic").x, before.curves.at("kinetic").x);
  EXPECT_EQ(si.curves.at("kinetic").y, before.curves.at("kinetic").y);
  EXPECT_EQ(back->evidence.at("be").trouble, "step 3: it ran away");
  EXPECT_EQ(back->rounds, measured().rounds);
  ASSERT_EQ(back->runs.size(), 1u);
  EXPECT_EQ(back->runs[0].method, "si");
  EXPECT_EQ(back->runs[0].elements, 1280);
  EXPECT_EQ(back->runs[0].h, 0.01);
  EXPECT_TRUE(back->page);
}

TEST(Measured, is_not_taken_for_something_else) {
  const testing::TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  EXPECT_FALSE(kept_measured("abc", folder));
  keep_measured(measured(), "abc", folder);
  EXPECT_FALSE(kept_measured("abd", folder));
  std::filesystem::resize_file(folder / "measured.bin", std::filesystem::file_size(folder / "measured.bin") / 2);
  EXPECT_FALSE(kept_measured("abc", folder)) << "cut off";
}

}  // namespace
}  // namespace brio
