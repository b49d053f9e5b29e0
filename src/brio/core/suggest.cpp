#include "brio/core/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace brio {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same =
          std::tolower(static_cast<unsigned char>(a[i - 1])) == std::tolower(static_cast<unsigned char>(b[j - 1]));
      const size_t replaced = diagonal + (same ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr size_t kLongestName = 200;  // a longer one is no slip of the hand, and the comparison is quadratic
  if (name.size() > kLongestName) return "";
  std::string best;
  size_t fewest = std::max<size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t edits = edit_distance(name, candidate);
    if (edits < fewest) fewest = edits, best = candidate;
  }
  return best;
}

}  // namespace brio
