#pragma once
// What the people in front of one page share: one scene under one or several methods, or several scenes, on one clock
// and in the same hands. One thread at a time; it knows no network and asks no clock, but is told the time.

#include "brio/live/live_run.hpp"
#include "brio/live/message.hpp"
#include "brio/live/parameters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace brio {

class Session {
 public:
  struct Source {
    std::string text;  ///< of a scene file
    std::filesystem::path file;
    std::string label;
    LiveOwner owner = {};
  };
  /// Throws Error for what cannot run. Begins to play at once.
  explicit Session(const std::vector<Source>& sources);

  const std::vector<std::unique_ptr<LiveRun>>& runs() const { return runs_; }
  const std::vector<Parameter>& parameters(size_t run) const { return parameters_[run]; }
  bool playing() const { return playing_; }
  double speed() const { return speed_; }        ///< seconds of the scene in a second, as asked for
  double strength() const { return strength_; }  ///< of all hands
  double time() const;                           ///< of the run that is furthest [s]
  /// Counts up with everything that makes the page's description of the scene out of date.
  int version() const { return version_; }

  /// What a client asks for. Throws Error, and changes nothing, where that cannot be.
  void apply(int client, const Message& message);
  /// The client is gone, and its hand with it.
  void leave(int client);

  // The clock: `now` is that of the wall [s].
  /// How long until a step is due; 0: at once; infinite while nothing moves. Where the steps cannot follow the clock,
  /// time is dropped, not steps.
  double wait(double now);
  /// One step of the runs that are behind.
  void step();
  /// Seconds of the scene in a second, over the last one or so; 0 before that is known, and in a pause.
  double real_time_factor(double now);

  /// The report page of what was recorded since the start, the last reset or the last way back.
  void write_recording(const std::filesystem::path& path) const;

 private:
  LiveRun& run_of(const Pick& pick) const;
  /// Those that show the same body as the run of the pick, which is the first.
  std::vector<LiveRun*> same_bodies(const Pick& pick) const;
  void set(const Message& message);
  void change_all(const std::vector<LiveRun*>& runs, const std::vector<std::string>& texts);
  void describe();
  double next_time() const;
  void anchor(double now);

  std::vector<std::unique_ptr<LiveRun>> runs_;
  std::vector<std::vector<Parameter>> parameters_;  ///< of each run
  bool playing_ = true;
  double speed_ = 1, strength_ = 1;
  int version_ = 0;
  double anchor_wall_ = -1, anchor_time_ = 0;  ///< the clock showed the second at the first; -1: not yet
  double seen_wall_ = -1, seen_time_ = 0, factor_ = 0;
};

}  // namespace brio
