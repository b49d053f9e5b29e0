#pragma once
// The part of RFC 6455 (WebSockets) that a live page needs: the answer to a handshake, frames out, and frames in, whole
// and short. (Debian's civetweb gives its threads 100 kB of stack, of which the thread-local data of OpenBLAS and METIS
// leave ten: it cannot serve in this process.)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace brio {

enum class Opcode : std::uint8_t { text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

/// Sec-WebSocket-Accept for a Sec-WebSocket-Key.
std::string websocket_accept(std::string_view key);

/// What stands before the payload of a frame from a server, which is whole and not masked.
std::string frame_head(Opcode opcode, std::uint64_t length);

struct WebFrame {
  Opcode opcode = Opcode::text;
  std::string payload;
};

/// Takes frames out of the bytes that a browser sends.
class FrameReader {
 public:
  explicit FrameReader(size_t longest) : longest_(longest) {}

  void add(std::string_view bytes) { bytes_.append(bytes); }
  /// The next frame, where it is there as a whole.
  std::optional<WebFrame> next();
  /// Whether something came that no browser of ours sends: unmasked, in pieces, with unknown codes, or too long. There
  /// are no more frames then.
  bool broken() const { return broken_; }

 private:
  size_t longest_;
  std::string bytes_;
  bool broken_ = false;
};

}  // namespace brio
