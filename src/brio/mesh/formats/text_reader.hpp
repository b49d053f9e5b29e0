#pragma once
// Numbers out of text files, line by line and fast: the whole file in memory, no streams. Every complaint carries the
// file and the line. Blocks of binary data may stand between the lines.

#include "brio/core/error.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace brio {

class TextReader {
 public:
  /// `path` stands for the text in messages. What follows `comment` on a line is left out.
  TextReader(std::string text, std::string path, char comment = '\0');
  TextReader(TextReader&&) = delete;  // the current line points into the text

  /// Goes to the next line that is not blank; false at the end. Takes "\n", "\r\n" and, where there is no "\n", "\r".
  bool next_line();
  /// As next_line, but the end of the file is an error; `expected` says what should have come.
  void need_line(std::string_view expected);
  std::string_view line() const { return line_; }  ///< trimmed
  /// Those that have not been read, on this line and after it.
  std::int64_t bytes_left() const {
    return static_cast<std::int64_t>(text_.size() - next_ + line_.size() - std::min(column_, line_.size()));
  }

  /// Goes to the next word, on this line or a later one; false at the end.
  bool find_word();
  /// As find_word, but the end of the file is an error.
  void need_word(std::string_view expected);
  /// Whether the bytes after this line are these.
  bool next_starts_with(std::string_view text) const { return std::string_view(text_).substr(next_).starts_with(text); }
  /// Binary data that start after the line end: the next `count` bytes. The current line is used up.
  std::string_view bytes(std::int64_t count, std::string_view what);

  /// Goes to where `text` stands next, be it after binary data in the middle of a line, which then begins with it.
  bool find_text(std::string_view text);

  std::string_view word(std::string_view what);  ///< the next one of the line

  /// The next number of the line; refuses one that is missing, malformed, out of range or not finite.
  std::int64_t integer(std::string_view what, std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max());
  double real(std::string_view what);
  /// A count of things that follow, each at least `bytes_each` long: never more than the rest of the file can hold.
  std::int64_t count(std::string_view what, int bytes_each);
  bool line_is_used_up();
  void end_of_line();  ///< refuses anything more on the line
  std::string_view rest_of_line();

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
    throw Error("{}:{}: {}", path_, line_number_, fmt::format(text, std::forward<Args>(args)...));
  }
  const std::string& path() const { return path_; }
  std::int64_t line_number() const { return line_number_; }

 private:
  std::string path_;
  std::string text_;
  char comment_;
  size_t next_ = 0;  // where the next line starts
  std::string_view line_;
  size_t column_ = 0;
  std::int64_t line_number_ = 0;
};

/// For messages: short, and without control characters.
std::string excerpt(std::string_view text);

}  // namespace brio
