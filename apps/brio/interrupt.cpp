#include "interrupt.hpp"

#include <csignal>
#include <unistd.h>

namespace brio {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// SIGHUP: the terminal is gone, as when a connection breaks. Whoever has asked to ignore it (nohup) is obeyed.
void set_all(void (*handler)(int)) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, handler) == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
}

void handle(int) {
  interrupted = 1;
  set_all(SIG_DFL);
  constexpr char kText[] = "\nfinishing the step and writing everything; once more ends at once\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText, sizeof kText - 1);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  set_all(handle);
}

InterruptGuard::~InterruptGuard() { set_all(SIG_DFL); }

bool InterruptGuard::requested() { return interrupted != 0; }

}  // namespace brio
