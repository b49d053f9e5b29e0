#pragma once
// What a process must know to go on where another one stopped, as bytes. One function lists the members of a type for
// both ways, storing and loading, so that the two cannot disagree:
//
//   void Books::archive(Archive& archive) { archive(injected_, dissipated_); }

#include "brio/core/types.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace brio {

class Archive {
 public:
  Archive() = default;  ///< to store
  explicit Archive(std::string stored) : bytes_(std::move(stored)), loading_(true) {}

  /// Makes room for about so many bytes, so that it need not grow later.
  void expect(size_t bytes) { bytes_.reserve(bytes + bytes / 16); }

  bool loading() const { return loading_; }
  const std::string& bytes() const& { return bytes_; }
  std::string bytes() && { return std::move(bytes_); }

  /// A word between the parts of an archive; throws Error where another one stands there.
  void mark(std::string_view name);

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(T& value) { raw(&value, sizeof value); }
  template <class T>
  requires requires(T& value, Archive& archive) { value.archive(archive); }
  void operator()(T& value) { value.archive(*this); }
  void operator()(std::string& text);
  void operator()(Vec3& vector);
  void operator()(VectorXd& vector);
  void operator()(MatrixX3d& rows);

  template <class T>
  void operator()(std::vector<T>& list) {
    const size_t size = count(list.size(), std::is_arithmetic_v<T> ? sizeof(T) : 1);
    if (loading_) list.resize(size);
    if constexpr (std::is_arithmetic_v<T>)
      raw(list.data(), size * sizeof(T));
    else
      for (T& item : list) (*this)(item);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    bool there = value.has_value();
    (*this)(there);
    if (loading_) value.reset();
    if (!there) return;
    if (loading_) value.emplace();
    (*this)(*value);
  }
  template <class... Values>
  requires(sizeof...(Values) > 1) void operator()(Values&... values) { ((*this)(values), ...); }

 private:
  void raw(void* value, size_t size);
  /// How many items of at least so many bytes follow.
  size_t count(size_t size, size_t least_bytes);

  std::string bytes_;
  size_t at_ = 0;  ///< the next byte to load
  bool loading_ = false;
};

}  // namespace brio
