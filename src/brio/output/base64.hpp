#pragma once
// Binary data as text (RFC 4648).

#include <span>
#include <string>

namespace brio {

std::string base64(std::span<const std::byte> bytes);

}  // namespace brio
