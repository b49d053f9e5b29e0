#include "brio/output/series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace brio;

namespace {

SeriesRow row_at(double t) {
  SeriesRow row;
  row.time = t;
  row.kinetic = 1 + std::sin(t);
  row.gravity = 3 - std::sin(t);
  row.injected = 0.5 * t;
  row.dissipated = 0.25 * t;
  row.angular_momentum[2] = -t;
  return row;
}

double column(const Series::Row& row, std::string_view name) {
  const std::vector<std::string> columns = Series().columns();
  return row[std::find(columns.begin(), columns.end(), name) - columns.begin()];
}

}  // namespace

TEST(Series, short_runs_keep_every_row) {
  Series series(100);
  for (int k = 0; k < 99; ++k) series.add(row_at(0.1 * k));
  const auto rows = series.rows();
  ASSERT_EQ(rows.size(), 99u);
  for (int k = 0; k < 99; ++k) {
    EXPECT_EQ(column(rows[k], "time"), 0.1 * k);
    EXPECT_EQ(column(rows[k], "kinetic"), 1 + std::sin(0.1 * k));
    EXPECT_DOUBLE_EQ(column(rows[k], "total"), 4);
    EXPECT_DOUBLE_EQ(column(rows[k], "expected"), 4 + 0.025 * k);
    EXPECT_EQ(column(rows[k], "angular_z"), -0.1 * k);
  }
}

TEST(Series, extra_columns_come_last_and_are_missing_where_nobody_gives_them) {
  Series series(100, {"blend"});
  ASSERT_EQ(series.columns().back(), "blend");
  SeriesRow with = row_at(0);
  with.extras = {0.25};
  series.add(with);
  series.add(row_at(1));
  const auto rows = series.rows();
  EXPECT_EQ(rows[0].back(), 0.25);
  EXPECT_TRUE(std::isnan(rows[1].back()));
}

TEST(Series, long_runs_keep_peaks_ends_and_order) {
  for (int steps : {100, 101, 102, 103, 399, 400, 5000, 77777}) {
    Series series(100);
    std::mt19937 random(steps);
    const int up = std::uniform_int_distribution(0, steps - 1)(random);
    const int down = (up + steps / 2 + 1) % steps;
    for (int k = 0; k < steps; ++k) {
      SeriesRow row = row_at(k);
      if (k == up) row.elastic = 1000;
      if (k == down) row.elastic = -1000;
      series.add(row);
    }
    const auto rows = series.rows();
    ASSERT_LE(rows.size(), 102u);
    ASSERT_GE(rows.size(), 50u);
    EXPECT_EQ(column(rows.front(), "time"), 0);
    EXPECT_EQ(column(rows.back(), "time"), steps - 1);
    int highest = -1, lowest = -1;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (column(rows[i], "elastic") == 1000) highest = static_cast<int>(i);
      if (column(rows[i], "elastic") == -1000) lowest = static_cast<int>(i);
      if (i == 0) continue;
      EXPECT_LT(column(rows[i - 1], "time"), column(rows[i], "time"));
      // A quantity that only falls must still only fall.
      EXPECT_LT(column(rows[i], "angular_z"), column(rows[i - 1], "angular_z"));
    }
    ASSERT_GE(highest, 0) << steps;
    ASSERT_GE(lowest, 0) << steps;
    EXPECT_EQ(highest < lowest, up < down) << steps;
  }
}
