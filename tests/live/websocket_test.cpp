// WebSockets against the examples of RFC 6455, and against bytes that no browser sends.

#include "brio/live/websocket.hpp"

#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

/// A frame as a browser sends it.
std::string masked(int first_byte, const std::string& payload) {
  std::string frame(1, static_cast<char>(first_byte));
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80 | payload.size());
  } else {
    frame += static_cast<char>(0x80 | 126);
    frame += static_cast<char>(payload.size() >> 8);
    frame += static_cast<char>(payload.size() & 0xff);
  }
  const std::string mask = "\x37\xfa\x21\x3d";
  frame += mask;
  for (size_t i = 0; i < payload.size(); ++i) frame += static_cast<char>(payload[i] ^ mask[i % 4]);
  return frame;
}

TEST(WebSocket, answers_the_handshake_of_the_rfc) {  // section 1.3
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocket, reads_and_writes_the_frames_of_the_rfc) {  // section 5.7
  FrameReader reader(100);
  reader.add("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
  const auto hello = reader.next();
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->payload, "Hello");
  EXPECT_EQ(hello->opcode, Opcode::text);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.broken());
  EXPECT_EQ(frame_head(Opcode::text, 5), "\x81\x05");
  EXPECT_EQ(frame_head(Opcode::binary, 256), std::string("\x82\x7e\x01\x00", 4));
  EXPECT_EQ(frame_head(Opcode::binary, 65536), std::string("\x82\x7f\0\0\0\0\0\x01\0\0", 10));
}

TEST(WebSocket, frames_may_come_in_any_pieces) {
  const std::string bytes = masked(0x81, "one") + masked(0x89, "") + masked(0x81, std::string(300, 'x'));
  FrameReader reader(1000);
  std::vector<WebFrame> frames;
  for (char c : bytes) {
    reader.add(std::string(1, c));
    while (auto frame = reader.next()) frames.push_back(*frame);
  }
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(frames[0].payload, "one");
  EXPECT_EQ(frames[1].opcode, Opcode::ping);
  EXPECT_EQ(frames[2].payload, std::string(300, 'x'));
}

TEST(WebSocket, what_no_browser_of_ours_sends_is_refused_before_it_is_there) {
  for (const std::string& bytes : {std::string("\x81\x05Hello"),  // not masked
                                   masked(0x01, "piece"), masked(0x80, "more"), masked(0x83, "unknown"),
                                   masked(0xc1, "extension"), std::string("\x81\xff\x7f\xff"),  // 2^63 bytes
                                   std::string("\x81\xfe\x10\x01")}) {                          // 4097 bytes
    FrameReader reader(4096);
    reader.add(bytes);
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.broken()) << bytes;
  }
}

TEST(WebSocket, random_bytes_do_no_harm) {
  std::mt19937 random(7);
  for (int i = 0; i < 10000; ++i) {
    FrameReader reader(64);
    std::string bytes = masked(0x81, "text");
    for (size_t k = random() % 40; k > 0; --k) bytes += static_cast<char>(random());
    reader.add(bytes);
    ASSERT_TRUE(reader.next());
    while (const auto frame = reader.next()) EXPECT_LE(frame->payload.size(), 64u);
  }
}

}  // namespace
}  // namespace brio
