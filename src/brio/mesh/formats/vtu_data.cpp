#include "brio/mesh/formats/vtu_data.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <algorithm>
#include <array>
#include <zlib.h>

namespace brio {
namespace {

/// Decoded bytes, and how many characters of base64 they took.
struct Decoded {
  std::string bytes;
  size_t characters = 0;
};

class Decoder {
 public:
  /// `most`: bytes that there may be in the end.
  Decoder(const VtuArray& array, const VtuStorage& storage, std::int64_t most)
      : array_(array), storage_(storage), most_(most) {}

  std::string bytes() {
    const std::string format = array_.tag.get("format", "ascii");
    if (format == "binary") {
      source_ = array_.text.substr(std::min(array_.text.find_first_not_of(" \t\r\n"), array_.text.size()));
      raw_ = false;
    } else if (format == "appended") {
      const std::int64_t offset = array_.tag.number("offset", storage_.path);
      if (offset < 0 || offset > static_cast<std::int64_t>(storage_.appended.size())) {
        fail("its offset is {}, but {} bytes are appended", offset, storage_.appended.size());
      }
      source_ = storage_.appended.substr(static_cast<size_t>(offset));
      raw_ = storage_.appended_raw;
    } else {
      fail("format {}: expected ascii, binary or appended", excerpt(format));
    }
    return storage_.compressed ? compressed() : plain();
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
    throw Error("{}: array {}: {}", storage_.path, excerpt(array_.tag.get("Name", "without a name")),
                fmt::format(text, std::forward<Args>(args)...));
  }

  /// The next `count` bytes of the source, which moves on behind them, padding included.
  std::string take(size_t count) {
    if (raw_) {
      if (count > source_.size()) too_short(count);
      std::string bytes(source_.substr(0, count));
      source_.remove_prefix(count);
      return bytes;
    }
    if (count / 3 * 4 > source_.size()) too_short(count);
    std::string bytes;
    bytes.reserve(count);
    size_t at = 0;
    while (bytes.size() < count) {
      std::uint32_t bits = 0;
      int padding = 0;
      for (int i = 0; i < 4; ++i, ++at) {
        if (at >= source_.size()) too_short(count);
        const char c = source_[at];
        padding += c == '=';
        bits = bits << 6 | (c == '=' ? 0 : digit(c));
      }
      for (int i = 0; i < 3 - std::min(padding, 2); ++i) bytes += static_cast<char>(bits >> (16 - 8 * i) & 255);
      if (padding > 0 && bytes.size() < count) too_short(count);
    }
    source_.remove_prefix(at);
    rest_ = bytes.substr(count);
    bytes.resize(count);
    return bytes;
  }

  std::uint32_t digit(char c) const {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    fail("{} is no character of base64", excerpt(std::string_view(&c, 1)));
  }

  [[noreturn]] void too_short(size_t count) const {
    fail("{} bytes are announced, but the data end before; the file is cut off or a number is wrong", count);
  }

  std::int64_t length_at(const std::string& bytes, size_t i) const {
    return storage_.header.integer_at(bytes.data() + i * storage_.header.bytes, storage_.order);
  }

  /// A length, then so many bytes. In base64 the two are one stream, or each has its own.
  std::string plain() {
    const std::int64_t length = length_at(take(storage_.header.bytes), 0);
    if (length < 0 || static_cast<std::uint64_t>(length) > source_.size() + 3) too_short(static_cast<size_t>(length));
    std::string bytes = rest_;
    rest_.clear();
    if (bytes.size() > static_cast<size_t>(length)) bytes.resize(static_cast<size_t>(length));
    bytes += take(static_cast<size_t>(length) - bytes.size());
    return bytes;
  }

  /// Number of blocks, their length, the length of the last one if it is shorter, their compressed lengths; the blocks.
  std::string compressed() {
    const int h = storage_.header.bytes;
    const std::string_view start = source_;
    const std::int64_t blocks = length_at(take(h), 0);
    if (blocks < 0 || blocks > static_cast<std::int64_t>(start.size() / h)) too_short(static_cast<size_t>(blocks));
    source_ = start;
    const std::string head = take(static_cast<size_t>(h * (3 + blocks)));
    if (blocks == 0) return {};
    const std::int64_t full = length_at(head, 1), last = length_at(head, 2);
    const double total =
        static_cast<double>(blocks - 1) * static_cast<double>(full) + static_cast<double>(last > 0 ? last : full);
    if (total > static_cast<double>(most_))
      fail("{} blocks of {} bytes are more than the {} bytes that the counts of the piece announce", blocks, full,
           most_);
    std::int64_t packed = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t length = length_at(head, 3 + b);
      if (length < 0 || length > static_cast<std::int64_t>(source_.size())) too_short(static_cast<size_t>(length));
      packed += length;
      if (packed > static_cast<std::int64_t>(source_.size())) too_short(static_cast<size_t>(packed));
    }
    rest_.clear();
    const std::string data = take(static_cast<size_t>(packed));
    std::string bytes;
    size_t at = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const auto length = static_cast<size_t>(length_at(head, 3 + b));
      inflate_block(std::string_view(data).substr(at, length), b + 1 == blocks && last > 0 ? last : full, bytes);
      at += length;
    }
    return bytes;
  }

  void inflate_block(std::string_view data, std::int64_t length, std::string& bytes) const {
    constexpr std::int64_t kBestRatio = 1032;  // of deflate: no block can hold more than that
    if (length < 0 || length > kBestRatio * static_cast<std::int64_t>(data.size()) + 64) {
      fail("a block of {} bytes cannot hold {}", data.size(), length);
    }
    const size_t before = bytes.size();
    bytes.resize(before + static_cast<size_t>(length));
    uLongf size = static_cast<uLongf>(length);
    const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data() + before), &size,
                                  reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size()));
    if (status != Z_OK || static_cast<std::int64_t>(size) != length) fail("a compressed block is damaged");
  }

  const VtuArray& array_;
  const VtuStorage& storage_;
  std::int64_t most_;
  std::string_view source_;
  bool raw_ = false;
  std::string rest_;  // decoded bytes of the last base64 group that were not requested yet
};

template <class T, class FromText, class FromBytes>
std::vector<T> values_of(const VtuArray& array, const VtuStorage& storage, std::int64_t announced,
                         const FromText& from_text, const FromBytes& from_bytes) {
  const std::string name = array.tag.get("type");
  const ScalarType* type = find_scalar_type(name);
  if (!type) throw Error("{}: numbers of type {} are not read", storage.path, excerpt(name));
  std::vector<T> values;
  if (array.tag.get("format", "ascii") == "ascii") {
    TextReader in{std::string(array.text), storage.path + ": array " + array.tag.get("Name")};
    values.reserve(array.text.size() / 4);
    while (in.find_word()) values.push_back(from_text(in));
    return values;
  }
  const std::string bytes = Decoder(array, storage, announced * type->bytes).bytes();
  values.reserve(bytes.size() / type->bytes);
  for (size_t at = 0; at + type->bytes <= bytes.size(); at += type->bytes) {
    values.push_back(from_bytes(*type, bytes.data() + at));
  }
  return values;
}

}  // namespace

std::vector<double> vtu_reals(const VtuArray& array, const VtuStorage& storage, std::int64_t announced) {
  return values_of<double>(
      array, storage, announced, [](TextReader& in) { return in.real("number"); },
      [&](const ScalarType& type, const char* data) { return type.real_at(data, storage.order); });
}

std::vector<std::int64_t> vtu_integers(const VtuArray& array, const VtuStorage& storage, std::int64_t announced) {
  return values_of<std::int64_t>(
      array, storage, announced, [](TextReader& in) { return in.integer("number"); },
      [&](const ScalarType& type, const char* data) { return type.integer_at(data, storage.order); });
}

}  // namespace brio
