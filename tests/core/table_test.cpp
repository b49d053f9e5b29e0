// Tables that others add rows to: what is refused, and that derived values follow.

#include "brio/core/table.hpp"

#include <gtest/gtest.h>

namespace brio {
namespace {

struct Tool : Entry {
  int size = 0;
};

std::string refused_row(Table<Tool>& table, Tool row) {
  try {
    table.add(std::move(row));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Table, keeps_built_in_rows_first) {
  Table<Tool> table("tool", {{{"hammer", "drives nails", {}}, 1}});
  table.add({{"saw", "cuts wood", {}}, 2});
  table.add({{"drill", "bores holes", {}}, 3});
  EXPECT_EQ(names_of(table.rows()), (std::vector<std::string>{"hammer", "saw", "drill"}));
  EXPECT_EQ(find_row(table.rows(), table.kind(), "saw").size, 2);
}

TEST(Table, names_both_rows_of_one_name) {
  Table<Tool> table("tool", {{{"hammer", "drives nails", {}}, 1}});
  EXPECT_EQ(refused_row(table, {{"hammer", "breaks stones", {}}, 2}),
            "tool \"hammer\" (\"breaks stones\"): the name is taken by \"drives nails\"; choose another one");
  EXPECT_EQ(refused_row(table, {{"", "does nothing", {}}, 2}),
            "tool without a name (\"does nothing\"): a scene file could not name it");
  const Option size = Option::number("size", "m", "how long");
  EXPECT_EQ(refused_row(table, {{"saw", "cuts", {size, size}}, 2}),
            "tool \"saw\": the option \"size\" is described twice");
  EXPECT_EQ(table.rows().size(), 1u);
}

TEST(Table, derived_values_follow) {
  Table<Tool> table("tool", {{{"hammer", "drives nails", {}}, 1}});
  FromTables<int> count;
  int made = 0;
  const auto count_rows = [&] { return ++made, static_cast<int>(table.rows().size()); };
  EXPECT_EQ(count.get(count_rows), 1);
  EXPECT_EQ(count.get(count_rows), 1);
  EXPECT_EQ(made, 1);
  table.add({{"saw", "cuts wood", {}}, 2});
  EXPECT_EQ(count.get(count_rows), 2);
  EXPECT_EQ(made, 2);
}

}  // namespace
}  // namespace brio
