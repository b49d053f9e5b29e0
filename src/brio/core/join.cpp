#include "brio/core/join.hpp"

namespace brio {

std::string joined(const std::vector<std::string>& list, std::string_view between) {
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += between;
    text += list[i];
  }
  return text;
}

std::string joined(const std::vector<int>& list, std::string_view between) {
  return joined(std::vector<long>(list.begin(), list.end()), between);
}

std::string joined(const std::vector<long>& list, std::string_view between) {
  std::vector<std::string> words;
  for (const long number : list) words.push_back(std::to_string(number));
  return joined(words, between);
}

}  // namespace brio
