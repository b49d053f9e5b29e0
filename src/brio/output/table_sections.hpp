#pragma once
// All tables in the order in which `brio list` shows them.

#include "brio/core/options.hpp"

#include <string>
#include <vector>

namespace brio {

struct TableSection {
  std::string kind;   ///< what people ask for
  std::string title;  ///< above its rows
  std::vector<Entry> rows;
};

std::vector<TableSection> table_sections();

}  // namespace brio
