#include "rescue.hpp"

#include "interrupt.hpp"

namespace brio {

Rescue::Rescue(std::function<void()> write) {
  thread_ = std::thread([this, write = std::move(write)] {
    while (!over_ && !InterruptGuard::requested()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!over_) write();
  });
}

Rescue::~Rescue() {
  over_ = true;
  thread_.join();
}

bool KeepClock::due() {
  begin_ = Clock::now();
  return 20 * spent_ <= begin_ - start_;
}

void KeepClock::kept() { spent_ += Clock::now() - begin_; }

}  // namespace brio
