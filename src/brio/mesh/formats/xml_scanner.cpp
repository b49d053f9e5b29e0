#include "brio/mesh/formats/xml_scanner.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <charconv>

namespace brio {
namespace {

constexpr std::string_view kXmlBlank = " \t\r\n";

}  // namespace

std::string XmlTag::get(std::string_view key, std::string_view fallback) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? std::string(fallback) : found->second;
}

std::int64_t XmlTag::number(std::string_view key, const std::string& path, std::int64_t fallback) const {
  const auto found = attributes.find(key);
  if (found == attributes.end()) return fallback;
  const std::string& text = found->second;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    throw Error("{}: <{} {}={}>: expected a whole number, not negative", path, name, key, excerpt(text));
  }
  return value;
}

void XmlScanner::fail(size_t at, std::string_view what) const {
  throw Error("{}: byte {}: {}, found {}", path_, at, what, excerpt(text_.substr(std::min(at, text_.size()))));
}

std::string_view XmlScanner::text_from(size_t position) const {
  return text_.substr(position, std::min(text_.find('<', position), text_.size()) - position);
}

bool XmlScanner::next(XmlTag& tag) {
  while (true) {
    const size_t open = text_.find('<', next_);
    if (open == std::string_view::npos) return false;
    const bool comment = text_.substr(open).starts_with("<!--");
    const std::string_view mark = comment ? "-->" : ">";
    const size_t close = text_.find(mark, open);
    if (close == std::string_view::npos) fail(open, "a tag that does not end");
    next_ = close + mark.size();
    std::string_view inside = text_.substr(open + 1, close - open - 1);
    if (comment || inside.starts_with('?') || inside.starts_with('!')) continue;
    tag = {};
    tag.end = next_;
    tag.closing = inside.starts_with('/');
    if (tag.closing) inside.remove_prefix(1);
    tag.empty = inside.ends_with('/');
    if (tag.empty) inside.remove_suffix(1);
    const size_t name_end = std::min(inside.find_first_of(kXmlBlank), inside.size());
    tag.name = inside.substr(0, name_end);
    read_attributes(inside.substr(name_end), open, tag);
    return true;
  }
}

void XmlScanner::read_attributes(std::string_view inside, size_t at, XmlTag& tag) const {
  while (true) {
    const size_t start = inside.find_first_not_of(kXmlBlank);
    if (start == std::string_view::npos) return;
    inside.remove_prefix(start);
    const size_t equals = inside.find('=');
    if (equals == std::string_view::npos) fail(at, "an attribute without a value");
    std::string_view key = inside.substr(0, equals);
    key = key.substr(0, key.find_last_not_of(kXmlBlank) + 1);
    inside.remove_prefix(equals + 1);
    const size_t quote = inside.find_first_not_of(kXmlBlank);
    if (quote == std::string_view::npos || (inside[quote] != '"' && inside[quote] != '\'')) {
      fail(at, "an attribute without quotation marks");
    }
    const size_t end = inside.find(inside[quote], quote + 1);
    if (end == std::string_view::npos) fail(at, "an attribute without an end");
    tag.attributes[std::string(key)] = std::string(inside.substr(quote + 1, end - quote - 1));
    inside.remove_prefix(end + 1);
  }
}

}  // namespace brio
