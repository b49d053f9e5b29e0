#pragma once
// Reads one array of a VTU file by what the format's documentation says: offset from the underscore, then the length in
// bytes as UInt64, then the numbers.

#include "output/files.hpp"
#include <regex>

namespace brio::testing {

/// `section`: "PointData" or "CellData" where both have an array of that name.
template <class T>
std::vector<T> vtu_array(const std::string& file, const std::string& name, const std::string& type,
                         const std::string& section = "") {
  std::smatch found;
  std::string header = file.substr(0, file.find("<AppendedData"));
  const size_t size = header.size();
  if (!section.empty()) header = header.substr(header.find("<" + section));
  const std::regex element("<DataArray type=\"" + type + "\" Name=\"" + name + "\"[^>]*offset=\"([0-9]+)\"");
  if (!std::regex_search(header, found, element)) {
    ADD_FAILURE() << name << " is not in the file";
    return {};
  }
  const size_t at = file.find('_', size) + 1 + std::stoul(found[1]);
  const auto length = read_at<std::uint64_t>(file, at);
  std::vector<T> values;
  for (size_t k = 0; k < length / sizeof(T); ++k) values.push_back(read_at<T>(file, at + 8 + k * sizeof(T)));
  return values;
}

}  // namespace brio::testing
