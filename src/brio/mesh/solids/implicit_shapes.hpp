#pragma once
// The table of solids that scene files and shape files compose: simple ones, and ones made of others.
//
//   {"shape": "union", "blend": 0.1, "parts": [{"shape": "sphere", "radius": 0.5}, {"shape": "box", "size": [1, 1,
//   1]}]}

#include "brio/core/options.hpp"
#include "brio/mesh/solids/signed_distance.hpp"

#include <functional>

namespace brio {

struct ShapeEntry : Entry {
  std::function<SolidPointer(const Options&)> make;
};

const std::vector<ShapeEntry>& implicit_shapes();
/// The rows for readers and docs.
const std::vector<Entry>& shape_rows();

/// The solid that an item of the table describes. Throws Error with its place for what cannot be made.
SolidPointer make_shape(const Item& item);

}  // namespace brio
