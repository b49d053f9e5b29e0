#include "brio/core/table.hpp"

#include <atomic>
#include <set>

namespace brio {
namespace {

std::atomic<int> additions = 0;

}  // namespace

int table_additions() { return additions; }

void count_table_addition() { ++additions; }

void check_new_row(const std::string& kind, const Entry& row, const std::vector<const Entry*>& table) {
  if (row.name.empty()) throw Error("{} without a name (\"{}\"): a scene file could not name it", kind, row.summary);
  for (const Entry* other : table)
    if (other->name == row.name)
      throw Error("{} \"{}\" (\"{}\"): the name is taken by \"{}\"; choose another one", kind, row.name, row.summary,
                  other->summary);
  std::set<std::string> keys;
  for (const Option& option : row.options)
    if (!keys.insert(option.key).second)
      throw Error("{} \"{}\": the option \"{}\" is described twice", kind, row.name, option.key);
}

}  // namespace brio
