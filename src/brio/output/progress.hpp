#pragma once
// Progress of a run: a bar with the remaining time on a terminal, occasional lines elsewhere.

#include <functional>
#include <ostream>
#include <string>

namespace brio {

class Progress {
 public:
  /// `width`: columns of the terminal; 0 where the stream is none. `label`: of which run, where there are several.
  /// `first`: the step that it goes on from.
  Progress(std::ostream& out, int width, int steps, std::string label = "", int first = 0);

  /// Called after each step with the seconds since the start; draws a few times per second at most.
  void update(int step, double elapsed_s);
  /// Ends the line of the bar, if one was drawn.
  void finish();

 private:
  void draw_bar(int step, double elapsed_s);
  void print_line(int step, double elapsed_s);

  std::ostream& out_;
  int width_;
  int steps_, first_;
  std::string label_;  ///< "be: ", or nothing
  bool drawn_ = false;
  double last_s_ = 0;     ///< when something was last shown
  int next_percent_ = 0;  ///< the next one that is worth a line
};

/// Progress of several runs, one after another.
struct ProgressListener {
  std::function<void(const std::string& label, int steps)> on_begin;
  std::function<void(int step)> on_step;
  std::function<void()> on_end;
  std::function<bool()> stop;  ///< true ends the runs
};

/// "12.3 ms", "8.1 s", "2 min 05 s", "1 h 02 min": a duration with two units at most.
std::string readable_seconds(double seconds);

/// Columns of the terminal behind a file descriptor, or 0 when it is none.
int terminal_width(int descriptor);

}  // namespace brio
