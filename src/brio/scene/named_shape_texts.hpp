#pragma once
// The files of shapes/ as they were embedded into the library.

#include <string_view>
#include <vector>

namespace brio {

/// A file of shapes/.
struct NamedShapeText {
  std::string_view name, text;
};
const std::vector<NamedShapeText>& named_shape_texts();

}  // namespace brio
