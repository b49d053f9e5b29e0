#include "brio/output/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sys/ioctl.h>
#include <unistd.h>

namespace brio {
namespace {

constexpr double kBarEvery_s = 0.1;
constexpr double kLineEvery_s = 1;  // a line at every tenth of the way, but not faster than this
constexpr double kLineAtLeastEvery_s = 30;
constexpr int kPercentPerLine = 10;

/// After so many steps, of which `left` are still to take.
std::string time_left(int taken, int left, double elapsed_s) {
  return taken > 0 ? readable_seconds(elapsed_s / taken * left) + " left" : "";
}

int percent(int step, int steps) { return static_cast<int>(100.0 * step / std::max(1, steps)); }

}  // namespace

std::string readable_seconds(double seconds) {
  if (seconds > 0 && seconds < 0.9995) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 9.95) return fmt::format("{:.1f} s", std::max(0.0, seconds));
  const long whole = std::lround(std::min(seconds, 1e9));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

int terminal_width(int descriptor) {
  winsize size{};
  if (!isatty(descriptor)) return 0;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

Progress::Progress(std::ostream& out, int width, int steps, std::string label, int first)
    : out_(out), width_(width), steps_(steps), first_(first), label_(label.empty() ? "" : label + ": ") {}

void Progress::update(int step, double elapsed_s) {
  const bool last = step == steps_;
  const double since = elapsed_s - last_s_;
  if (width_ > 0) {
    if (drawn_ && !last && since < kBarEvery_s) return;
    draw_bar(step, elapsed_s);
  } else {
    const bool due = percent(step, steps_) >= next_percent_ && since >= kLineEvery_s;
    if (step == 0 || !(last || due || since >= kLineAtLeastEvery_s)) return;
    print_line(step, elapsed_s);
    next_percent_ = percent(step, steps_) / kPercentPerLine * kPercentPerLine + kPercentPerLine;
  }
  last_s_ = elapsed_s;
  drawn_ = true;
}

void Progress::draw_bar(int step, double elapsed_s) {
  const std::string text = fmt::format(" {:3} %  {}step {} of {}  {}", percent(step, steps_), label_, step, steps_,
                                       time_left(step - first_, steps_ - step, elapsed_s));
  const int bar = std::clamp(width_ - static_cast<int>(text.size()) - 3, 0, 40);
  const int full = steps_ > 0 ? static_cast<int>(static_cast<double>(bar) * step / steps_) : 0;
  const std::string line = fmt::format("[{}{}]{}", std::string(full, '#'), std::string(bar - full, '.'), text);
  // The line never fills the last column, where some terminals wrap; the escape erases the rest of a longer old line.
  out_ << '\r' << line.substr(0, std::max(0, width_ - 1)) << "\x1b[K" << std::flush;
}

void Progress::print_line(int step, double elapsed_s) {
  out_ << fmt::format("{}step {} of {} ({} %), {} a step, {}\n", label_, step, steps_, percent(step, steps_),
                      readable_seconds(elapsed_s / std::max(1, step - first_)),
                      time_left(step - first_, steps_ - step, elapsed_s))
       << std::flush;
}

void Progress::finish() {
  if (width_ > 0 && drawn_) out_ << '\n' << std::flush;
}

}  // namespace brio
