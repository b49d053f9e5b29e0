#include "live_thread.hpp"

#include <future>
#include <utility>

namespace brio::python {

LiveThread::LiveThread(LivePlan plan, std::function<void(const std::function<void()>&)> around)
    : plan_(std::move(plan)) {
  const auto ready = std::make_shared<std::promise<std::string>>();
  plan_.on_ready = [ready, this](const WebServer& server) {
    opened_ = true;
    ready->set_value(server.address());
  };
  plan_.stop = [this] { return stop_.load(); };
  thread_ = std::thread([ready, around = std::move(around), this] {
    try {
      around([this] { host_live(plan_); });
    } catch (...) {
      error_ = std::current_exception();
      if (!opened_) ready->set_exception(error_);
    }
    over_ = true;
  });
  try {
    address_ = ready->get_future().get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

void LiveThread::end() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

LiveThread::~LiveThread() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

}  // namespace brio::python
