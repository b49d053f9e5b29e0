#include "brio/core/archive.hpp"

#include "brio/core/error.hpp"

#include <cstdint>
#include <cstring>

namespace brio {

void Archive::raw(void* value, size_t size) {
  if (!loading_) {
    // What is large is not to be moved into twice the room.
    constexpr size_t kLarge = 1 << 16;
    if (size > kLarge) bytes_.reserve(bytes_.size() + size + kLarge);
    bytes_.append(static_cast<const char*>(value), size);
    return;
  }
  if (size > bytes_.size() - at_) throw Error("the stored state ends too early");
  if (size > 0) std::memcpy(value, bytes_.data() + at_, size);
  at_ += size;
}

size_t Archive::count(size_t size, size_t least_bytes) {
  std::uint64_t number = size;
  (*this)(number);
  if (loading_ && number > (bytes_.size() - at_) / least_bytes) throw Error("the stored state ends too early");
  return number;
}

void Archive::operator()(std::string& text) {
  const size_t size = count(text.size(), 1);
  if (loading_) text.resize(size);
  raw(text.data(), size);
}

void Archive::operator()(Vec3& vector) { raw(vector.data(), sizeof(double) * 3); }

void Archive::operator()(VectorXd& vector) {
  const size_t size = count(static_cast<size_t>(vector.size()), sizeof(double));
  if (loading_) vector.resize(static_cast<Index>(size));
  raw(vector.data(), sizeof(double) * size);
}

void Archive::operator()(MatrixX3d& rows) {
  const size_t size = count(static_cast<size_t>(rows.rows()), 3 * sizeof(double));
  if (loading_) rows.resize(static_cast<Index>(size), 3);
  raw(rows.data(), sizeof(double) * 3 * size);
}

void Archive::mark(std::string_view name) {
  std::string found(name);
  (*this)(found);
  if (found != name) throw Error("the stored state has \"{}\" where \"{}\" is expected", found.substr(0, 40), name);
}

}  // namespace brio
