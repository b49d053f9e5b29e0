#pragma once
// "Did you mean …": the known name nearest to a misspelled one.

#include <string>
#include <string_view>
#include <vector>

namespace brio {

/// The candidate with the fewest edits from `name`, or "" when none is close enough to be a typing error.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace brio
