#include "brio/mesh/formats/scalar_type.hpp"

#include <bit>
#include <cstring>

namespace brio {
namespace {

using Kind = ScalarType::Kind;

struct Name {
  std::string_view name;
  ScalarType type;
};

constexpr Name kNames[] = {
    {"char", {Kind::signed_integer, 1}},
    {"int8", {Kind::signed_integer, 1}},
    {"Int8", {Kind::signed_integer, 1}},
    {"uchar", {Kind::unsigned_integer, 1}},
    {"uint8", {Kind::unsigned_integer, 1}},
    {"UInt8", {Kind::unsigned_integer, 1}},
    {"unsigned_char", {Kind::unsigned_integer, 1}},
    {"short", {Kind::signed_integer, 2}},
    {"int16", {Kind::signed_integer, 2}},
    {"Int16", {Kind::signed_integer, 2}},
    {"ushort", {Kind::unsigned_integer, 2}},
    {"uint16", {Kind::unsigned_integer, 2}},
    {"UInt16", {Kind::unsigned_integer, 2}},
    {"unsigned_short", {Kind::unsigned_integer, 2}},
    {"int", {Kind::signed_integer, 4}},
    {"int32", {Kind::signed_integer, 4}},
    {"Int32", {Kind::signed_integer, 4}},
    {"uint", {Kind::unsigned_integer, 4}},
    {"uint32", {Kind::unsigned_integer, 4}},
    {"UInt32", {Kind::unsigned_integer, 4}},
    {"unsigned_int", {Kind::unsigned_integer, 4}},
    {"long", {Kind::signed_integer, 8}},  // as VTK writes it on every 64-bit system but Windows
    {"unsigned_long", {Kind::unsigned_integer, 8}},
    {"vtkIdType", {Kind::signed_integer, 4}},  // VTK's legacy writer narrows its ids to int
    {"vtktypeint64", {Kind::signed_integer, 8}},
    {"int64", {Kind::signed_integer, 8}},
    {"Int64", {Kind::signed_integer, 8}},
    {"uint64", {Kind::unsigned_integer, 8}},
    {"UInt64", {Kind::unsigned_integer, 8}},
    {"float", {Kind::real, 4}},
    {"float32", {Kind::real, 4}},
    {"Float32", {Kind::real, 4}},
    {"double", {Kind::real, 8}},
    {"float64", {Kind::real, 8}},
    {"Float64", {Kind::real, 8}},
};

std::uint64_t bits_at(const char* data, int bytes, ByteOrder order) {
  std::uint64_t bits = 0;
  for (int i = 0; i < bytes; ++i) {
    const int place = order == ByteOrder::little ? i : bytes - 1 - i;
    bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(data[i])) << 8 * place;
  }
  return bits;
}

}  // namespace

std::int64_t ScalarType::integer_at(const char* data, ByteOrder order) const {
  const std::uint64_t bits = bits_at(data, bytes, order);
  if (kind == Kind::unsigned_integer) return static_cast<std::int64_t>(bits);
  const int unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

double ScalarType::real_at(const char* data, ByteOrder order) const {
  if (integer()) return static_cast<double>(integer_at(data, order));
  const std::uint64_t bits = bits_at(data, bytes, order);
  return bytes == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
}

const ScalarType* find_scalar_type(std::string_view name) {
  for (const Name& row : kNames)
    if (row.name == name) return &row.type;
  return nullptr;
}

}  // namespace brio
