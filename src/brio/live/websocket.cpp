#include "brio/live/websocket.hpp"

#include "brio/output/base64.hpp"

#include <array>
#include <bit>
#include <span>

namespace brio {
namespace {

/// FIPS 180-4; a checksum here and no protection.
std::array<std::uint8_t, 20> sha1(std::string text) {
  std::array<std::uint32_t, 5> hash = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  const std::uint64_t bits = 8 * text.size();
  text += '\x80';
  while (text.size() % 64 != 56) text += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift);
  for (size_t block = 0; block < text.size(); block += 64) {
    std::array<std::uint32_t, 80> w{};
    for (size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<std::uint8_t>(text[block + i]);
    for (size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = hash;
    for (size_t i = 0; i < 80; ++i) {
      const std::uint32_t mix = i < 20   ? ((b & c) | (~b & d)) + 0x5A827999
                                : i < 40 ? (b ^ c ^ d) + 0x6ED9EBA1
                                : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC
                                         : (b ^ c ^ d) + 0xCA62C1D6;
      const std::uint32_t next = std::rotl(a, 5) + mix + e + w[i];
      e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
    }
    hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d, hash[4] += e;
  }
  std::array<std::uint8_t, 20> digest{};
  for (size_t i = 0; i < 20; ++i) digest[i] = static_cast<std::uint8_t>(hash[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

constexpr std::uint8_t kFinal = 0x80, kMasked = 0x80;

}  // namespace

std::string websocket_accept(std::string_view key) {
  const auto digest = sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
  return base64(std::as_bytes(std::span(digest)));
}

std::string frame_head(Opcode opcode, std::uint64_t length) {
  std::string head(1, static_cast<char>(kFinal | static_cast<std::uint8_t>(opcode)));
  const int more = length < 126 ? 0 : length < 65536 ? 2 : 8;  // bytes of the length that follow
  head += static_cast<char>(more == 0 ? length : more == 2 ? 126 : 127);
  for (int i = more - 1; i >= 0; --i) head += static_cast<char>(length >> (8 * i));
  return head;
}

std::optional<WebFrame> FrameReader::next() {
  if (broken_ || bytes_.size() < 2) return {};
  const auto byte = [&](size_t i) { return static_cast<std::uint8_t>(bytes_[i]); };
  const auto opcode = static_cast<Opcode>(byte(0) & 0x0f);
  const bool known = opcode == Opcode::text || opcode == Opcode::binary || opcode == Opcode::close ||
                     opcode == Opcode::ping || opcode == Opcode::pong;
  const size_t code = byte(1) & 0x7f;
  // What has a length of eight bytes is too long in any case.
  broken_ = !known || (byte(0) & 0xf0) != kFinal || !(byte(1) & kMasked) || code == 127;
  if (broken_) return {};
  const size_t head = code == 126 ? 4 : 2;
  if (bytes_.size() < head) return {};
  const size_t length = code == 126 ? static_cast<size_t>(byte(2)) << 8 | byte(3) : code;
  broken_ = length > longest_;
  if (broken_ || bytes_.size() < head + 4 + length) return {};
  WebFrame frame{opcode, bytes_.substr(head + 4, length)};
  for (size_t i = 0; i < length; ++i) frame.payload[i] = static_cast<char>(frame.payload[i] ^ bytes_[head + i % 4]);
  bytes_.erase(0, head + 4 + length);
  return frame;
}

}  // namespace brio
