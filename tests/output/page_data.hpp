#pragma once
// What a page carries, read back.

#include "brio/core/json.hpp"

#include <string>

namespace brio::testing {

/// What stands between the tags of the data element, found the way a browser does: up to the next "</script".
inline Json page_data(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"brio-data\">";
  const size_t begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script", begin) - begin));
}

/// Base64.
inline std::string decode(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    held += 6;
    if (held >= 8) held -= 8, bytes += static_cast<char>(bits >> held & 255);
  }
  return bytes;
}

inline std::string decode(const Json& text) { return decode(text.get<std::string>()); }

}  // namespace brio::testing
