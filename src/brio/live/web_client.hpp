#pragma once
// A browser at the other end of a connection: bytes, frames of its WebSocket, and a thread that sends what there is for
// it as fast as it takes it.

#include "brio/live/websocket.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace brio {

using SharedBytes = std::shared_ptr<const std::string>;

/// One connection, for a request or for a socket; closed with it.
class WebConnection {
 public:
  explicit WebConnection(int descriptor);
  ~WebConnection();
  WebConnection(const WebConnection&) = delete;
  WebConnection& operator=(const WebConnection&) = delete;

  /// What has come, some of it; "" when it is over.
  std::string receive();
  bool send(std::string_view bytes);
  /// A whole frame, from any thread.
  bool send_frame(Opcode opcode, std::string_view payload);
  /// Whoever waits for it stops to.
  void hang_up();

 private:
  int descriptor_;
  std::mutex writing_;
};

/// What is sent to one browser, by a thread of its own, so that nobody waits for a slow one.
class WebClient {
 public:
  WebClient(WebConnection& connection, int id);
  ~WebClient();

  int id() const { return id_; }
  /// After what was queued before. A client that takes too little is cut off.
  void queue(SharedBytes text);
  /// In place of a frame that was not sent yet.
  void show(SharedBytes frame);
  /// The client has drawn a frame. What it has not drawn would only wait in the buffers of the network and be old.
  void on_seen();

 private:
  bool may_show() const;
  void send_all();

  WebConnection& connection_;
  int id_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<SharedBytes> texts_;
  SharedBytes frame_;  ///< the newest that was not sent yet
  int in_flight_ = 0;  ///< frames that were sent and not seen
  bool ended_ = false;
  std::thread sender_;
};

}  // namespace brio
