#pragma once
// Text of mesh files. Numbers have as many digits as it takes to read the same bits back.

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

namespace brio {

class MeshText {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<Args>(args)...);
  }
  /// The coefficients of a vector or row, with blanks between.
  template <class Row>
  void add_row(const Row& row) {
    for (int i = 0; i < row.size(); ++i) add("{}{}", i == 0 ? "" : " ", row(i));
  }
  /// The same for indices that the file counts from `first`.
  template <class Row>
  void add_indices(const Row& row, int first) {
    for (int i = 0; i < row.size(); ++i) add("{}{}", i == 0 ? "" : " ", row(i) + first);
  }
  void add_bytes(std::string_view bytes) { text_ += bytes; }
  void reserve(size_t more) { text_.reserve(text_.size() + more); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace brio
