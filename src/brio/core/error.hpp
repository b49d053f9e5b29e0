#pragma once
// Misuse and bad input are reported as exceptions whose text says where, what is wrong and how to fix it. Numerical
// trouble during a step is never an exception: it is a status in the StepReport.

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace brio {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  Error(const Error&) = default;
  ~Error() override;
  template <class... Args>
  requires(sizeof...(Args) > 0) explicit Error(fmt::format_string<Args...> text, Args&&... args)
      : std::runtime_error(formatted(text, fmt::make_format_args(args...))) {}

 private:
  static std::string formatted(fmt::string_view text, fmt::format_args args);
};

}  // namespace brio
