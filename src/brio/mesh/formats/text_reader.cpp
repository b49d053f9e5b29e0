#include "brio/mesh/formats/text_reader.hpp"

#include <charconv>
#include <cmath>

namespace brio {
namespace {

constexpr std::string_view kBlank = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// from_chars takes no plus sign.
std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

template <class T>
bool parse(std::string_view word, T& value) {
  word = without_plus(word);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::string excerpt(std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string out = "\"";
  for (char c : text.substr(0, kLongest)) out += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  return out + (text.size() > kLongest ? "…\"" : "\"");
}

TextReader::TextReader(std::string text, std::string path, char comment)
    : path_(std::move(path)), text_(std::move(text)), comment_(comment) {
  if (text_.starts_with("\xEF\xBB\xBF")) next_ = 3;  // a byte order mark
  if (text_.find('\n') == std::string::npos) std::replace(text_.begin(), text_.end(), '\r', '\n');
}

bool TextReader::next_line() {
  while (next_ < text_.size()) {
    const size_t end = std::min(text_.find('\n', next_), text_.size());
    line_ = std::string_view(text_).substr(next_, end - next_);
    if (comment_ != '\0') line_ = line_.substr(0, line_.find(comment_));
    line_ = trimmed(line_);
    next_ = std::min(end + 1, text_.size());
    column_ = 0;
    ++line_number_;
    if (!line_.empty()) return true;
  }
  line_ = {};
  return false;
}

void TextReader::need_line(std::string_view expected) {
  if (!next_line()) fail("the file ends, but {} should follow; is it complete?", expected);
}

bool TextReader::find_word() { return !line_is_used_up() || next_line(); }

void TextReader::need_word(std::string_view expected) {
  if (line_is_used_up()) need_line(expected);
}

std::string_view TextReader::bytes(std::int64_t count, std::string_view what) {
  const std::int64_t left = static_cast<std::int64_t>(text_.size() - next_);
  if (count < 0 || count > left) {
    fail("{}: {} bytes should follow, but the file has only {} left; it is cut off or a number is wrong", what, count,
         left);
  }
  line_ = {};
  column_ = 0;
  const std::string_view block = std::string_view(text_).substr(next_, static_cast<size_t>(count));
  next_ += static_cast<size_t>(count);
  return block;
}

bool TextReader::find_text(std::string_view text) {
  const size_t at = text_.find(text, next_);
  if (at == std::string::npos) return false;
  next_ = at;
  return next_line();
}

bool TextReader::line_is_used_up() {
  column_ = std::min(line_.find_first_not_of(kBlank, column_), line_.size());
  return column_ == line_.size();
}

void TextReader::end_of_line() {
  if (!line_is_used_up()) fail("unexpected {} at the end of the line", excerpt(line_.substr(column_)));
}

std::string_view TextReader::rest_of_line() {
  line_is_used_up();
  return line_.substr(column_);
}

std::string_view TextReader::word(std::string_view what) {
  if (line_is_used_up()) fail("{} is missing at the end of the line", what);
  const size_t end = std::min(line_.find_first_of(kBlank, column_), line_.size());
  const std::string_view word = line_.substr(column_, end - column_);
  column_ = end;
  return word;
}

std::int64_t TextReader::integer(std::string_view what, std::int64_t least, std::int64_t most) {
  const std::string_view text = word(what);
  std::int64_t value;
  if (!parse(text, value)) fail("{}: expected a whole number, found {}", what, excerpt(text));
  if (value < least || value > most) fail("{} = {}: must be between {} and {}", what, value, least, most);
  return value;
}

double TextReader::real(std::string_view what) {
  const std::string_view text = word(what);
  double value;
  if (!parse(text, value) || !std::isfinite(value)) fail("{}: expected a finite number, found {}", what, excerpt(text));
  return value;
}

std::int64_t TextReader::count(std::string_view what, int bytes_each) {
  const std::int64_t value = integer(what, 0, std::numeric_limits<int>::max());
  if (value > bytes_left() / bytes_each + 1) {
    fail("{} = {}: the file has only {} bytes left; it is cut off or the number is wrong", what, value, bytes_left());
  }
  return value;
}

}  // namespace brio
