#pragma once
// Makes the object that a row's name and options in a scene describe.

#include "brio/core/error.hpp"
#include "brio/scene/scene.hpp"

namespace brio {

/// Errors of the row's factory are reported with the item's place in the file.
template <class Row, class... Args>
auto make_item(const std::vector<Row>& table, const Item& item, const Args&... args) {
  try {
    return find_row(table, item.path, item.name).make(item.options, args...);
  } catch (const Error& error) {
    if (std::string(error.what()).starts_with(item.path)) throw;
    throw Error("{}: {}", item.path, error.what());
  }
}

}  // namespace brio
