#include "brio/live/web_request.hpp"

#include <algorithm>
#include <cctype>

namespace brio {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::optional<WebRequest> parse_request(const std::string& head) {
  WebRequest request;
  const size_t first = head.find("\r\n");
  const std::string line = head.substr(0, first);
  const size_t space = line.find(' '), second = line.rfind(' ');
  if (space == line.npos || second == space || !line.substr(second + 1).starts_with("HTTP/1.")) return {};
  request.method = line.substr(0, space);
  const std::string target = line.substr(space + 1, second - space - 1);
  const size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != target.npos) request.query = target.substr(mark + 1);
  for (size_t at = first; at != head.npos && at + 2 < head.size();) {
    const size_t end = head.find("\r\n", at + 2);
    const std::string field = head.substr(at + 2, end == head.npos ? head.npos : end - at - 2);
    const size_t colon = field.find(':');
    if (colon == field.npos) return {};
    const std::string name = lower_case(field.substr(0, colon));
    const size_t begin = std::min(field.find_first_not_of(" \t", colon + 1), field.size());
    const std::string value = field.substr(begin, field.find_last_not_of(" \t") + 1 - begin);
    if (!request.headers.emplace(name, value).second) request.headers[name] = "";
    at = end;
  }
  return request;
}

}  // namespace brio
