#include "brio/live/session.hpp"

#include "brio/core/error.hpp"
#include "brio/output/report.hpp"
#include "brio/output/scene_tables.hpp"

#include <algorithm>
#include <limits>

namespace brio {
namespace {

constexpr double kMostLag = 0.1;       // of the simulation behind the clock [s of the wall]
constexpr double kFactorWindow = 0.5;  // [s]

}  // namespace

Session::Session(const std::vector<Source>& sources) {
  for (const Source& source : sources)
    runs_.push_back(std::make_unique<LiveRun>(source.text, source.file, source.label, source.owner));
  describe();
}

void Session::describe() {
  parameters_.clear();
  for (const auto& run : runs_) parameters_.push_back(parameters_of(run->scene()));
  ++version_;
}

double Session::time() const {
  double latest = runs_.front()->time();
  for (const auto& run : runs_)
    if (run->trouble().empty()) latest = std::max(latest, run->time());
  return latest;
}

double Session::next_time() const {
  double next = std::numeric_limits<double>::infinity();
  for (const auto& run : runs_)
    if (run->trouble().empty()) next = std::min(next, run->time() + run->simulation().h);
  return next;
}

void Session::anchor(double now) {
  anchor_wall_ = now;
  anchor_time_ = time();
  seen_wall_ = now;
  seen_time_ = anchor_time_;
  factor_ = 0;
}

double Session::wait(double now) {
  const double next = next_time();
  if (!playing_ || !std::isfinite(next)) {
    anchor_wall_ = -1;
    return std::numeric_limits<double>::infinity();
  }
  if (anchor_wall_ < 0) anchor(now);
  const double wanted = anchor_time_ + (now - anchor_wall_) * speed_;
  if (wanted - next > kMostLag * speed_) anchor_time_ -= wanted - next - kMostLag * speed_;
  return std::max(0.0, (next - wanted) / speed_);
}

void Session::step() {
  const double next = next_time();
  for (const auto& run : runs_)
    if (run->trouble().empty() && run->time() + run->simulation().h <= next + kCutSlack * run->simulation().h)
      run->step();
}

double Session::real_time_factor(double now) {
  if (anchor_wall_ < 0) return 0;
  if (now - seen_wall_ >= kFactorWindow) {
    factor_ = (time() - seen_time_) / (now - seen_wall_);
    seen_wall_ = now;
    seen_time_ = time();
  }
  return factor_;
}

LiveRun& Session::run_of(const Pick& pick) const {
  if (pick.run < 0 || pick.run >= static_cast<int>(runs_.size()))
    throw Error("there is no run {}; there are {}", pick.run, runs_.size());
  return *runs_[pick.run];
}

std::vector<LiveRun*> Session::same_bodies(const Pick& pick) const {
  LiveRun& first = run_of(pick);
  std::vector<LiveRun*> all = {&first};
  for (const auto& run : runs_)
    if (run.get() != &first && run->simulation().vertices() == first.simulation().vertices() &&
        run->drawn().triangles == first.drawn().triangles && run->drawn().vertices == first.drawn().vertices)
      all.push_back(run.get());
  return all;
}

void Session::apply(int client, const Message& message) {
  using Action = Message::Action;
  switch (message.action) {
    case Action::grab:
      for (LiveRun* run : same_bodies(message.pick)) run->grab(client, message.pick, message.vector, strength_);
      return;
    case Action::move:
      for (const auto& run : runs_) run->move(client, message.vector);
      return;
    case Action::release:
      return leave(client);
    case Action::poke:
      for (LiveRun* run : same_bodies(message.pick)) run->poke(message.pick, message.vector, strength_);
      return;
    case Action::pin:
      for (LiveRun* run : same_bodies(message.pick)) run->pin(message.pick);
      return describe();
    case Action::unpin:
      for (LiveRun* run : same_bodies(message.pick)) run->unpin(static_cast<size_t>(message.index));
      return describe();
    case Action::cut:
      for (const auto& run : runs_) run->cut_along(message.from, message.vector, message.eye);
      return;
    case Action::play:
      playing_ = true;
      return;
    case Action::pause:
      playing_ = false;
      return;
    case Action::step:
      playing_ = false;
      return step();
    case Action::reset:
      for (const auto& run : runs_) run->reset();
      anchor_wall_ = -1;
      return describe();
    case Action::rewind: {
      const double to = time() - message.number;
      for (const auto& run : runs_) run->go_back(to);
      anchor_wall_ = -1;
      ++version_;
      return;
    }
    case Action::speed:
      speed_ = message.number;
      anchor_wall_ = -1;
      return;
    case Action::strength:
      strength_ = message.number;
      return;
    case Action::set:
      return set(message);
    case Action::end:  // the host's
      return;
    case Action::choose:
      throw Error("there is no gallery here: the scene was named on the command line");
  }
}

void Session::leave(int client) {
  for (const auto& run : runs_) run->release(client);
}

void Session::set(const Message& message) {
  LiveRun& first = run_of(message.pick);
  const std::vector<Parameter>& own = parameters_[message.pick.run];
  if (message.index >= static_cast<int>(own.size()))
    throw Error("there is no parameter {}; there are {}", message.index, own.size());
  const Parameter chosen = own[message.index];
  std::vector<LiveRun*> changed;
  std::vector<std::string> texts;
  for (size_t r = 0; r < runs_.size(); ++r) {
    LiveRun& run = *runs_[r];
    const auto same = [&](const Parameter& p) { return p.path == chosen.path; };
    if (&run != &first && (chosen.of_method || std::none_of(parameters_[r].begin(), parameters_[r].end(), same)))
      continue;
    const Scene& scene = run.scene();
    changed.push_back(&run);
    texts.push_back(
        parse_scene(scene.text, scene.file, scene_tables(), {override_text(scene, chosen, message.value)}).text);
  }
  change_all(changed, texts);
  describe();
}

/// All of them or none.
void Session::change_all(const std::vector<LiveRun*>& runs, const std::vector<std::string>& texts) {
  std::vector<std::string> before;
  for (LiveRun* run : runs) before.push_back(run->scene().text);
  for (size_t i = 0; i < runs.size(); ++i) {
    try {
      runs[i]->change(texts[i]);
    } catch (const Error&) {
      for (size_t k = 0; k < i; ++k) runs[k]->change(before[k]);
      throw;
    }
  }
  anchor_wall_ = -1;  // building took time that nobody waits for
}

void Session::write_recording(const std::filesystem::path& path) const {
  const Scene& scene = runs_.front()->scene();
  Report report;
  report.title = scene.name.empty() ? scene.file.stem().string() : scene.name;
  report.description = scene.description;
  report.up = up_direction(scene);
  for (const auto& run : runs_)
    report.runs.push_back({.name = run->label(),
                           .summary = summarize(run->simulation(), run->result_here()),
                           .recording = run->recorder().recording(),
                           .series = run->recorder().series(),
                           .bodies = &run->recorder().bodies()});
  write_report(path, report);
}

}  // namespace brio
