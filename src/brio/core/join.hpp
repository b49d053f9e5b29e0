#pragma once
// Lists as text: "a, b, c". Compiled once, unlike fmt::join.

#include <string>
#include <string_view>
#include <vector>

namespace brio {

std::string joined(const std::vector<std::string>& list, std::string_view between);
std::string joined(const std::vector<int>& list, std::string_view between);
std::string joined(const std::vector<long>& list, std::string_view between);

}  // namespace brio
