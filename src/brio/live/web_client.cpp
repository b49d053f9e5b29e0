#include "brio/live/web_client.hpp"

#include <algorithm>
#include <chrono>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace brio {
namespace {

constexpr size_t kLongestQueue = 200;  // messages that a client has not taken yet
constexpr int kMostInFlight = 2;       // frames that a client has not said to have seen
constexpr int kPatience = 30;          // with a peer that neither takes nor says anything [s]
constexpr auto kPingEvery = std::chrono::seconds(5);

}  // namespace

WebConnection::WebConnection(int descriptor) : descriptor_(descriptor) {
  const timeval patience{kPatience, 0};
  const int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

WebConnection::~WebConnection() { ::close(descriptor_); }

std::string WebConnection::receive() {
  char bytes[4096];
  const ssize_t count = recv(descriptor_, bytes, sizeof bytes, 0);
  return count > 0 ? std::string(bytes, static_cast<size_t>(count)) : std::string();
}

bool WebConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool WebConnection::send_frame(Opcode opcode, std::string_view payload) {
  const std::lock_guard guard(writing_);
  return send(frame_head(opcode, payload.size())) && send(payload);
}

void WebConnection::hang_up() { shutdown(descriptor_, SHUT_RDWR); }

WebClient::WebClient(WebConnection& connection, int id)
    : connection_(connection), id_(id), sender_([this] { send_all(); }) {}

WebClient::~WebClient() {
  {
    const std::lock_guard guard(mutex_);
    ended_ = true;
  }
  connection_.hang_up();
  news_.notify_one();
  sender_.join();
}

void WebClient::queue(SharedBytes text) {
  const std::lock_guard guard(mutex_);
  if (texts_.size() >= kLongestQueue) return connection_.hang_up();
  texts_.push_back(std::move(text));
  news_.notify_one();
}

void WebClient::show(SharedBytes frame) {
  const std::lock_guard guard(mutex_);
  frame_ = std::move(frame);
  news_.notify_one();
}

void WebClient::on_seen() {
  const std::lock_guard guard(mutex_);
  in_flight_ = std::max(0, in_flight_ - 1);
  news_.notify_one();
}

bool WebClient::may_show() const { return frame_ && in_flight_ < kMostInFlight; }

void WebClient::send_all() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    const bool something = news_.wait_for(lock, kPingEvery, [&] { return ended_ || !texts_.empty() || may_show(); });
    if (ended_) return;
    const bool is_text = !texts_.empty();
    SharedBytes next;
    if (is_text) {
      next = std::move(texts_.front());
      texts_.pop_front();
    } else if (something) {
      next = std::exchange(frame_, nullptr);
      ++in_flight_;
    }
    lock.unlock();
    const bool sent = something ? connection_.send_frame(is_text ? Opcode::text : Opcode::binary, *next)
                                : connection_.send_frame(Opcode::ping, "");
    if (!sent) return connection_.hang_up();
    lock.lock();
  }
}

}  // namespace brio
