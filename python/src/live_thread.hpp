#pragma once
// A thread of its own that hosts a live session: the page's clock steps it there, while Python goes on.

#include "brio/live/live_host.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace brio::python {

class LiveThread {
 public:
  /// Returns when pages can be opened; throws Error where nothing can listen. `around` is what the thread does all of
  /// its work in. The plan's on_ready and stop are set here.
  LiveThread(LivePlan plan, std::function<void(const std::function<void()>&)> around);
  ~LiveThread();
  LiveThread(const LiveThread&) = delete;
  LiveThread& operator=(const LiveThread&) = delete;

  const std::string& address() const { return address_; }
  bool over() const { return over_; }  ///< a page has handed the session back
  /// Waits for the end of the step that is under way; without the GIL, which a law of that step may need. Throws what
  /// the thread has died of.
  void end();

 private:
  LivePlan plan_;
  std::string address_;
  std::atomic<bool> stop_ = false, over_ = false;
  bool opened_ = false;       ///< of the thread
  std::exception_ptr error_;  ///< of the thread, until it has ended
  std::thread thread_;
};

}  // namespace brio::python
