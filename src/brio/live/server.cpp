#include "brio/live/server.hpp"

#include "brio/core/error.hpp"
#include "brio/live/message.hpp"
#include "brio/live/web_client.hpp"
#include "brio/live/web_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace brio {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr size_t kMostClients = 16;
constexpr size_t kMostConnections = 64;
constexpr size_t kLongestRequest = 8192;    // [byte]
constexpr double kMessagesPerSecond = 500;  // of one client; what goes beyond is not heard
constexpr double kMessagesAtOnce = 1000;
constexpr std::string_view kSeen = "seen";

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

bool is_ipv4(const std::string& host) {
  in_addr ignored;
  return inet_pton(AF_INET, host.c_str(), &ignored) == 1;
}

/// A browser on its way to a page of somebody else's domain that resolves to this machine names that domain.
bool is_own_host(const std::string& given, const std::string& host, int port) {
  const std::string ending = fmt::format(":{}", port);
  if (!given.ends_with(ending)) return false;
  const std::string name = given.substr(0, given.size() - ending.size());
  return name == "localhost" || name == "127.0.0.1" || name == host || (host == "0.0.0.0" && is_ipv4(name));
}

/// A file name that may stand in a header, and in the folder of any system.
std::string plain_name(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
  return name;
}

/// How fast a client may talk.
class Allowance {
 public:
  bool take() {
    const SteadyTime now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    left_ = std::min(kMessagesAtOnce, left_ + kMessagesPerSecond * seconds);
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  double left_ = kMessagesAtOnce;
  SteadyTime last_ = std::chrono::steady_clock::now();
};

}  // namespace

struct WebServer::Inside {
  /// A connection and the thread that reads from it.
  struct Visit {
    WebConnection connection;
    std::atomic<bool> over = false;
    std::thread thread = {};
    explicit Visit(int descriptor) : connection(descriptor) {}
  };

  ServerOptions options;
  ServerEvents events;
  std::string token = random_token();
  int listener = -1;
  int port = 0;
  std::atomic<bool> ending = false;
  std::thread doorkeeper;
  std::list<Visit> visits;  ///< of the doorkeeper alone, until it has ended
  mutable std::mutex mutex;
  std::map<int, WebClient*> clients;  ///< by number
  int joined = 0;

  void listen_at() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(options.port));
    const std::string numbers = options.host == "localhost" ? "127.0.0.1" : options.host;
    if (inet_pton(AF_INET, numbers.c_str(), &address.sin_addr) != 1)
      throw Error("--host {}: expected an address in numbers, such as 127.0.0.1 or 0.0.0.0", options.host);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || listen(listener, 32) != 0) {
      const std::string reason = std::strerror(errno);
      ::close(listener);
      throw Error("cannot listen on {}:{}: {}; try another --port, or leave it out for any that is free", options.host,
                  options.port, reason);
    }
    socklen_t size = sizeof address;
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
  }

  void keep_door() {
    while (!ending) {
      pollfd door{listener, POLLIN, 0};
      constexpr int kLookAgain = 200;  // [ms]
      if (poll(&door, 1, kLookAgain) > 0) {
        const int descriptor = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (descriptor >= 0 && visits.size() >= kMostConnections) {
          ::close(descriptor);
        } else if (descriptor >= 0) {
          Visit& visit = visits.emplace_back(descriptor);
          visit.thread = std::thread([this, &visit] {
            serve(visit.connection);
            visit.connection.hang_up();
            visit.over = true;
          });
        }
      }
      for (auto visit = visits.begin(); visit != visits.end();) {
        if (visit->over) visit->thread.join();
        visit = visit->over ? visits.erase(visit) : std::next(visit);
      }
    }
  }

  bool has_token(const WebRequest& request) const {
    const std::string key = "token=";
    const size_t at = request.query.starts_with(key) ? key.size() : request.query.npos;
    if (at == request.query.npos || request.query.size() - at != token.size()) return false;
    // Every byte is looked at, so that the time says nothing about the first wrong one.
    int difference = 0;
    for (size_t i = 0; i < token.size(); ++i) difference |= request.query[at + i] ^ token[i];
    return difference == 0;
  }

  void serve(WebConnection& connection) {
    std::string bytes;
    size_t end = bytes.npos;
    while (end == bytes.npos && bytes.size() <= kLongestRequest) {
      const std::string more = connection.receive();
      if (more.empty()) return;
      bytes += more;
      end = bytes.find("\r\n\r\n");
    }
    if (end == bytes.npos) return;
    const std::optional<WebRequest> request = parse_request(bytes.substr(0, end));
    const bool known = request && is_own_host(request->header("host"), options.host, port) && has_token(*request) &&
                       (request->method == "GET" || request->method == "HEAD");
    constexpr const char* kPlain = "text/plain; charset=utf-8";
    if (!known)
      return reply(connection, "403 Forbidden",
                   {kPlain, "Open the whole address that brio has printed, with its token.\n"});
    if (lower_case(request->header("upgrade")) == "websocket")
      return converse(connection, *request, bytes.substr(end + 4));
    const std::optional<WebReply> found = events.get(request->path);
    if (!found) return reply(connection, "404 Not Found", {kPlain, "There is nothing here.\n"});
    reply(connection, "200 OK", *found, request->method == "GET");
  }

  void reply(WebConnection& connection, const char* status, const WebReply& reply, bool with_body = true) const {
    const std::string save =
        reply.save_as.empty() ? "" : fmt::format("Content-Disposition: attachment; filename=\"{}\"\r\n", plain_name(reply.save_as));
    const std::string head = fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Cache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\n{}Referrer-Policy: no-referrer\r\n"
        "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src 'self' data: blob:; media-src blob:; connect-src 'self' ws:; frame-ancestors {}\r\n"
        "Connection: close\r\n\r\n",
        status, reply.type, reply.body.size(), save, options.framed ? "" : "X-Frame-Options: DENY\r\n",
        options.framed ? "'self' http://localhost:* http://127.0.0.1:*" : "'none'");
    if (connection.send(head) && with_body) connection.send(reply.body);
  }

  /// The socket of a page, until it is over.
  void converse(WebConnection& connection, const WebRequest& request, const std::string& bytes) {
    const bool welcome = request.path == "/socket" && !request.header("sec-websocket-key").empty() &&
                         request.header("sec-websocket-version") == "13" &&
                         request.header("origin") == "http://" + request.header("host");
    if (!welcome)
      return reply(connection, "403 Forbidden", {"text/plain; charset=utf-8", "This is no page of ours.\n"});
    int id = 0;
    {
      const std::lock_guard guard(mutex);
      if (clients.size() >= kMostClients || ending) return;
      id = ++joined;
    }
    if (!connection.send(fmt::format("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                     "Sec-WebSocket-Accept: {}\r\n\r\n",
                                     websocket_accept(request.header("sec-websocket-key")))))
      return;
    WebClient client(connection, id);
    {
      const std::lock_guard guard(mutex);
      clients[id] = &client;
    }
    events.joined(id);
    listen_to(connection, client, bytes);
    {
      const std::lock_guard guard(mutex);
      clients.erase(id);
    }
    events.left(id);
  }

  void listen_to(WebConnection& connection, WebClient& client, const std::string& first) {
    FrameReader reader(kLongestMessage);
    Allowance allowance;
    reader.add(first);
    while (true) {
      while (const std::optional<WebFrame> frame = reader.next()) {
        switch (frame->opcode) {
          case Opcode::text:
            if (frame->payload == kSeen)
              client.on_seen();
            else if (allowance.take())
              events.said(client.id(), frame->payload);
            break;
          case Opcode::ping:
            connection.send_frame(Opcode::pong, frame->payload);
            break;
          case Opcode::pong:
            break;
          case Opcode::binary:
          case Opcode::close:
            connection.send_frame(Opcode::close, "");
            return;
        }
      }
      if (reader.broken()) return;
      const std::string bytes = connection.receive();
      if (bytes.empty()) return;
      reader.add(bytes);
    }
  }
};

WebServer::WebServer(const ServerOptions& options, ServerEvents events) : inside_(std::make_unique<Inside>()) {
  inside_->options = options;
  inside_->events = std::move(events);
  inside_->listen_at();
  inside_->doorkeeper = std::thread([this] { inside_->keep_door(); });
}

WebServer::~WebServer() {
  inside_->ending = true;
  inside_->doorkeeper.join();
  ::close(inside_->listener);
  for (Inside::Visit& visit : inside_->visits) visit.connection.hang_up();
  for (Inside::Visit& visit : inside_->visits) visit.thread.join();
}

int WebServer::port() const { return inside_->port; }

bool WebServer::loopback() const {
  return inside_->options.host == "localhost" || inside_->options.host.starts_with("127.");
}

std::string WebServer::address() const {
  const std::string& host = inside_->options.host;
  return fmt::format("http://{}:{}/?token={}", host == "0.0.0.0" ? "127.0.0.1" : host, port(), inside_->token);
}

int WebServer::clients() const {
  const std::lock_guard guard(inside_->mutex);
  return static_cast<int>(inside_->clients.size());
}

void WebServer::send(int client, SharedBytes text) {
  const std::lock_guard guard(inside_->mutex);
  const auto found = inside_->clients.find(client);
  if (found != inside_->clients.end()) found->second->queue(std::move(text));
}

void WebServer::send_to_all(SharedBytes text) {
  const std::lock_guard guard(inside_->mutex);
  for (const auto& [id, client] : inside_->clients) client->queue(text);
}

void WebServer::publish(SharedBytes frame) {
  const std::lock_guard guard(inside_->mutex);
  for (const auto& [id, client] : inside_->clients) client->show(frame);
}

}  // namespace brio
