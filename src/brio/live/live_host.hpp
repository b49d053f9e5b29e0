#pragma once
// A live session and its pages: one thread steps the session, those of the server bring messages, and nobody waits for
// a browser.

#include "brio/live/server.hpp"
#include "brio/live/session.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace brio {

/// A scene that people can choose on the page.
struct GalleryEntry {
  std::vector<Session::Source> sources;
  std::string name, description;
  std::string picture;  ///< WebP; may be empty
};

struct LivePlan {
  std::vector<Session::Source> sources;  ///< none: the page begins with the gallery
  std::shared_ptr<Session> session;      ///< instead of sources, one that the program has made
  std::string owner;  ///< name of the program to which a page can hand the session back; "": none
  /// Held while the session is changed or looked at, where the program does so, too.
  std::function<std::unique_lock<std::mutex>()> lock;
  std::vector<GalleryEntry> gallery;
  ServerOptions server;
  std::function<void(const WebServer&)> on_ready;      ///< once, when pages can be opened
  std::function<void(const std::string&)> on_trouble;  ///< what the terminal is told of
  std::function<bool()> stop;
};

/// Returns when `stop` says so, or a page hands the session back. Throws Error for scenes that cannot run, and where nothing can listen.
void host_live(const LivePlan& plan);

}  // namespace brio
