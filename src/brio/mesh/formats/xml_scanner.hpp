#pragma once
// As much of XML as VTK's files need: the tags with their attributes, one after another, and the text between them.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace brio {

struct XmlTag {
  std::string_view name;
  std::map<std::string, std::string, std::less<>> attributes;
  bool closing = false;  ///< </name>
  bool empty = false;    ///< <name/>
  size_t end = 0;        ///< where the text after it starts

  /// The attribute, or `fallback` without one.
  std::string get(std::string_view key, std::string_view fallback = "") const;
  /// As a number; throws Error naming `path` for something else.
  std::int64_t number(std::string_view key, const std::string& path, std::int64_t fallback = -1) const;
};

class XmlScanner {
 public:
  /// `path` stands for the text in messages; the text must outlive the scanner.
  XmlScanner(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  /// False at the end. Comments and declarations are passed over.
  bool next(XmlTag& tag);
  /// From a position to the next tag.
  std::string_view text_from(size_t position) const;

 private:
  [[noreturn]] void fail(size_t at, std::string_view what) const;
  void read_attributes(std::string_view inside, size_t at, XmlTag& tag) const;

  std::string_view text_;
  const std::string& path_;
  size_t next_ = 0;
};

}  // namespace brio
