#pragma once
// Numbers in the binary parts of mesh files, in whatever type and byte order they are.

#include <cstdint>
#include <string_view>

namespace brio {

enum class ByteOrder { little, big };

struct ScalarType {
  enum class Kind { signed_integer, unsigned_integer, real };
  Kind kind = Kind::real;
  int bytes = 8;  ///< 1, 2, 4 or 8; a real has 4 or 8

  bool integer() const { return kind != Kind::real; }
  /// Unsigned values above the largest int64 come out negative: no count or index is so large.
  std::int64_t integer_at(const char* data, ByteOrder order) const;
  double real_at(const char* data, ByteOrder order) const;
};

/// By the names of PLY, of VTK's legacy format and of VTK's XML; nullptr for another.
const ScalarType* find_scalar_type(std::string_view name);

}  // namespace brio
