#pragma once
// The small web server of a live session: one page, one WebSocket, and a fixed table of things to fetch. It hears
// nothing without the token of its address, and nothing that another site's page may have sent: Host must be its own,
// and the Origin of a socket too. No path from the network reaches the disk.

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace brio {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;         ///< 0: any that is free
  bool framed = false;  ///< pages of this machine (a notebook) may show it in a frame
};

/// What is sent for a path.
struct WebReply {
  std::string type;  ///< "text/html; charset=utf-8"
  std::string body;
  std::string save_as = {};  ///< file name that the browser proposes; "" to show it
};

/// Called from threads of the server.
struct ServerEvents {
  std::function<void(int client)> joined;
  std::function<void(int client, std::string text)> said;
  std::function<void(int client)> left;
  std::function<std::optional<WebReply>(const std::string& path)> get;  ///< nothing: there is no such path
};

class WebServer {
 public:
  /// Throws Error where it cannot listen there.
  WebServer(const ServerOptions& options, ServerEvents events);
  ~WebServer();

  int port() const;
  /// With the token.
  std::string address() const;
  bool loopback() const;
  int clients() const;

  /// To one client, after what was sent to it before. One that takes too little of it is cut off; it may come again.
  void send(int client, std::shared_ptr<const std::string> text);
  void send_to_all(std::shared_ptr<const std::string> text);
  /// To all, as fast as each takes it; of frames that a client is too slow for, it gets the newest.
  void publish(std::shared_ptr<const std::string> frame);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace brio
