#pragma once
// The head of an HTTP request, as far as the live server looks at it.

#include <map>
#include <optional>
#include <string>

namespace brio {

struct WebRequest {
  std::string method, path, query;
  std::map<std::string, std::string> headers;  ///< by names in lower case

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

std::string lower_case(std::string text);

/// The head of a request, without its empty line; nothing where it is none. A header that stands there twice counts as
/// none, for one cannot tell which of them others believe.
std::optional<WebRequest> parse_request(const std::string& head);

}  // namespace brio
