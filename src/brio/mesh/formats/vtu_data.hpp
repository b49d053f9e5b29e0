#pragma once
// The arrays of VTK's XML files, wherever and however they are stored: in text, in base64 or raw behind the XML,
// compressed with zlib or not.

#include "brio/mesh/formats/scalar_type.hpp"
#include "brio/mesh/formats/xml_scanner.hpp"

#include <optional>
#include <vector>

namespace brio {

struct VtuStorage {
  std::string path;  ///< in messages
  ByteOrder order = ByteOrder::little;
  ScalarType header{ScalarType::Kind::unsigned_integer, 4};  ///< of lengths
  bool compressed = false;
  std::string_view appended;  ///< what follows the underscore
  bool appended_raw = false;  ///< else in base64
};

struct VtuArray {
  XmlTag tag;             ///< <DataArray …>
  std::string_view text;  ///< inside of it
};

/// The numbers of an array that should hold so many. Compressed data that would become more are refused before they do.
std::vector<double> vtu_reals(const VtuArray& array, const VtuStorage& storage, std::int64_t announced);
std::vector<std::int64_t> vtu_integers(const VtuArray& array, const VtuStorage& storage, std::int64_t announced);

}  // namespace brio
