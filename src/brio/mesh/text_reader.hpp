#pragma once
// Numbers out of text files, line by line and fast: the whole file in memory, no streams. Every complaint carries the
// file and the line.

#include "brio/core/error.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace brio {

class TextReader {
 public:
  /// `path` stands for the text in messages.
  TextReader(std::string text, std::string path);
  TextReader(TextReader&&) = delete;  // the current line points into the text

  /// Goes to the next line that is not blank; false at the end. Takes "\n" and "\r\n".
  bool next_line();
  /// As next_line, but the end of the file is an error; `expected` says what should have come.
  void need_line(std::string_view expected);
  std::string_view line() const { return line_; }  ///< trimmed
  std::int64_t bytes_left() const { return static_cast<std::int64_t>(text_.size() - next_); }

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
  std::string_view word(std::string_view what);

  std::string path_;
  std::string text_;
  size_t next_ = 0;  // where the next line starts
  std::string_view line_;
  size_t column_ = 0;
  std::int64_t line_number_ = 0;
};

/// For messages: short, and without control characters.
std::string excerpt(std::string_view text);

}  // namespace brio
