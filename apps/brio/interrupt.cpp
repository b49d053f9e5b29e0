#include "interrupt.hpp"

#include <csignal>
#include <unistd.h>

namespace brio {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void handle(int) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  constexpr char kText[] = "\nfinishing the step and writing everything; once more ends at once\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText, sizeof kText - 1);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  std::signal(SIGINT, handle);
  std::signal(SIGTERM, handle);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::requested() { return interrupted != 0; }

}  // namespace brio
