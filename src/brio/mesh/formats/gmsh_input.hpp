#pragma once
// The numbers of a Gmsh file, which stand in text or, in a binary file, in its ints, sizes and doubles: the sections
// are read by the same lines of code from both.

#include "brio/mesh/formats/cell_type.hpp"
#include "brio/mesh/formats/scalar_type.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <optional>

namespace brio {

class GmshInput {
 public:
  explicit GmshInput(TextReader& text) : text(text) {}

  TextReader& text;                 ///< section names, $PhysicalNames, and everything else of an ASCII file
  std::optional<ByteOrder> binary;  ///< set for a binary file

  /// Goes to the first numbers of a section.
  void begin(std::string_view what) {
    if (!binary) text.need_line(what);
  }
  /// Goes to the next item of a section, of which `announced` should come and `seen` have.
  void item(std::string_view items, std::int64_t announced, std::int64_t seen);
  /// Refuses anything more on the line of an item.
  void end() {
    if (!binary) text.end_of_line();
  }

  std::int64_t integer(std::string_view what, std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    return binary ? checked({ScalarType::Kind::signed_integer, 4}, what, least, most) : text.integer(what, least, most);
  }
  std::int64_t size(std::string_view what, std::int64_t least = std::numeric_limits<std::int64_t>::min()) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return binary ? checked({ScalarType::Kind::unsigned_integer, 8}, what, least, most)
                  : text.integer(what, least, most);
  }
  double real(std::string_view what);
  /// A count of things of at least so many bytes each: never more than the rest of the file can hold.
  std::int64_t count(std::string_view what, int bytes_in_text, int bytes_in_binary);
  void require_room(std::string_view what, std::int64_t count, std::int64_t bytes_each) const;

 private:
  std::int64_t checked(ScalarType type, std::string_view what, std::int64_t least, std::int64_t most);
};

std::span<const CellType> gmsh_cells();
constexpr int kGmshQuadraticTet = 11;

}  // namespace brio
