#include "brio/live/live_host.hpp"

#include "brio/core/error.hpp"
#include "brio/core/text_file.hpp"
#include "brio/live/wire.hpp"
#include "brio/output/recording_glb.hpp"
#include "brio/output/report_template.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <future>
#include <mutex>

namespace brio {
namespace {

constexpr double kFramePeriod = 1.0 / 60;  // [s]
constexpr double kStatusPeriod = 0.1;      // [s]
constexpr double kRowPeriod = 0.015;       // [s]
constexpr size_t kMostWaiting = 10000;     // messages that nobody has looked at
constexpr double kKeepsUp = 0.95;          // part of the speed that was asked for

double wall_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::shared_ptr<const std::string> shared_text(const Json& json) {
  return std::make_shared<const std::string>(json.dump());
}

/// A folder for as long as a file is made and read.
struct ScratchFolder {
  std::filesystem::path path;
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "brio-live-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw Error("cannot make a folder in {}", std::filesystem::temp_directory_path().string());
    path = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
};

/// What other threads want of the one that has the session, in order.
class Jobs {
 public:
  using Job = std::function<void()>;
  bool add(Job job) {
    const std::lock_guard guard(mutex_);
    if (closed_ || jobs_.size() >= kMostWaiting) return false;
    jobs_.push_back(std::move(job));
    news_.notify_one();
    return true;
  }
  /// All that there are; waits for the first as long as told.
  std::deque<Job> take(double seconds) {
    std::unique_lock lock(mutex_);
    if (seconds > 0) news_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !jobs_.empty(); });
    return std::exchange(jobs_, {});
  }
  /// Nothing more is taken, and what is left is dropped.
  void close() {
    const std::lock_guard guard(mutex_);
    closed_ = true;
    jobs_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Job> jobs_;
  bool closed_ = false;
};

class LiveHost {
 public:
  explicit LiveHost(const LivePlan& plan) : plan_(plan) {
    session_ = plan.session;
    if (!plan.sources.empty()) session_ = std::make_shared<Session>(plan.sources);
    server_ = std::make_unique<WebServer>(plan.server, events());
  }
  ~LiveHost() {
    jobs_.close();
    server_.reset();
  }

  void run() {
    if (plan_.on_ready) plan_.on_ready(*server_);
    double pause = 0;
    while (!plan_.stop() && !ended_) {
      const std::deque<Jobs::Job> jobs = jobs_.take(pause);
      const auto lock = plan_.lock ? plan_.lock() : std::unique_lock<std::mutex>();
      for (const Jobs::Job& job : jobs) job();
      const double now = wall_now();
      const double step_in = session_ ? session_->wait(now) : kStatusPeriod;
      if (step_in == 0) step();
      tell();
      const double until_frame = changed_ ? last_frame_ + kFramePeriod - now : kStatusPeriod;
      pause = step_in == 0 ? 0 : std::min({step_in, until_frame, last_status_ + kStatusPeriod - now});
    }
    if (!plan_.owner.empty()) server_->send_to_all(shared_text({{"type", "ended"}, {"owner", plan_.owner}}));
  }

 private:
  ServerEvents events() {
    return {.joined = [this](int client) { jobs_.add([=, this] { welcome(client); }); },
            .said = [this](int client, std::string text) { jobs_.add([=, this] { hear(client, text); }); },
            .left =
                [this](int client) {
                  jobs_.add([=, this] {
                    if (session_) session_->leave(client);
                  });
                },
            .get = [this](const std::string& path) { return get(path); }};
  }

  void step() {
    session_->step();
    changed_ = true;
    const double now = wall_now();
    if (now - last_row_ < kRowPeriod) return;
    last_row_ = now;
    for (size_t r = 0; r < session_->runs().size(); ++r) rows_[r].push_back(chart_row(*session_->runs()[r]));
  }

  void welcome(int client) {
    if (!plan_.owner.empty()) server_->send(client, shared_text({{"type", "owner"}, {"owner", plan_.owner}}));
    if (!plan_.gallery.empty()) server_->send(client, shared_text(gallery_message()));
    if (!session_) return;
    changed_ = true;
    if (topologies_.empty()) return;  // of a session that begins, tell() tells everybody
    server_->send(client, shared_text(scene_message(*session_)));
    server_->send(client, shared_text(parameters_message(*session_)));
    server_->send(client, shared_text(history_message(*session_)));
  }

  void hear(int client, const std::string& text) {
    try {
      const Message message = parse_message(text);
      if (message.action == Message::Action::choose && !plan_.gallery.empty()) return choose(message.index);
      if (!session_) throw Error("choose a scene first");
      if (message.action == Message::Action::end) return end();
      session_->apply(client, message);
      changed_ = true;
    } catch (const Error& error) {
      server_->send(client, shared_text({{"type", "notice"}, {"text", error.what()}}));
    }
  }

  void end() {
    if (plan_.owner.empty()) throw Error("Ctrl-C in the terminal ends brio live");
    ended_ = true;
  }

  void choose(int index) {
    if (index >= static_cast<int>(plan_.gallery.size())) throw Error("there are {} scenes", plan_.gallery.size());
    session_ = std::make_shared<Session>(plan_.gallery[index].sources);
    topologies_.clear();  // everybody gets everything
    version_ = -1;
    changed_ = true;
  }

  Json gallery_message() const {
    Json json = {{"type", "gallery"}, {"scenes", Json::array()}};
    for (const GalleryEntry& entry : plan_.gallery)
      json["scenes"].push_back(
          {{"name", entry.name}, {"description", entry.description}, {"picture", !entry.picture.empty()}});
    return json;
  }

  /// What pages must know by now.
  void tell() {
    if (!session_) return;
    const double now = wall_now();
    std::vector<int> topologies;
    for (const auto& run : session_->runs()) topologies.push_back(run->topology());
    const bool anew = topologies != topologies_;
    if (anew) {
      rows_.assign(session_->runs().size(), {});
      topologies_ = std::move(topologies);
      server_->send_to_all(shared_text(scene_message(*session_)));
    }
    if (version_ != session_->version()) {
      version_ = session_->version();
      for (auto& rows : rows_) rows.clear();
      server_->send_to_all(shared_text(parameters_message(*session_)));
      server_->send_to_all(shared_text(history_message(*session_)));
    }
    if (changed_ && now - last_frame_ >= kFramePeriod) {
      if (server_->clients() > 0) server_->publish(std::make_shared<const std::string>(frame_message(*session_)));
      encode_ms_ = 1e3 * (wall_now() - now);
      last_frame_ = now;
      changed_ = false;
    }
    if (now - last_status_ >= kStatusPeriod) {
      server_->send_to_all(shared_text(status_message(now)));
      for (auto& rows : rows_) rows.clear();
      last_status_ = now;
    }
    report_trouble();
  }

  Json status_message(double now) {
    const double factor = session_->real_time_factor(now);
    const bool slow = session_->playing() && factor > 0 && factor < kKeepsUp * session_->speed();
    Json json = {{"type", "status"},
                 {"playing", session_->playing()},
                 {"speed", session_->speed()},
                 {"strength", session_->strength()},
                 {"factor", factor},
                 {"slow", slow},
                 {"time", session_->time()},
                 {"oldest", session_->runs().front()->oldest()},
                 {"clients", server_->clients()},
                 {"encode_ms", encode_ms_},
                 {"runs", Json::array()}};
    for (size_t r = 0; r < session_->runs().size(); ++r) {
      const LiveRun& run = *session_->runs()[r];
      json["runs"].push_back({{"time", run.time()},
                              {"h", run.simulation().h},
                              {"method", run.simulation().integrator_name},
                              {"step_ms", run.stepper().now().step_ms},
                              {"injected", run.stepper().now().injected},
                              {"trouble", run.trouble()},
                              {"rows", rows_[r]}});
    }
    return json;
  }

  void report_trouble() {
    std::string trouble;
    for (const auto& run : session_->runs())
      if (!run->trouble().empty()) trouble += run->label() + ": " + run->trouble() + "\n";
    if (trouble != trouble_ && !trouble.empty() && plan_.on_trouble) plan_.on_trouble(trouble);
    trouble_ = trouble;
  }

  /// The table of what can be fetched. The paths that need the session wait for its thread.
  std::optional<WebReply> get(const std::string& path) {
    if (path == "/") return WebReply{"text/html; charset=utf-8", page_};
    if (path == "/recording.html") return ask([this] { return recording(); });
    for (size_t i = 0; i < plan_.gallery.size(); ++i)
      if (path == fmt::format("/picture/{}", i)) return WebReply{"image/webp", plan_.gallery[i].picture};
    for (int r = 0; r < 12; ++r)
      if (path == fmt::format("/scene/{}", r))
        return ask([this, r] { return saved_scene(r); });
      else if (path == fmt::format("/glb/{}", r))
        return ask([this, r] { return saved_glb(r); });
    return {};
  }

  std::optional<WebReply> ask(const std::function<std::optional<WebReply>()>& question) {
    auto answer = std::make_shared<std::promise<std::optional<WebReply>>>();
    std::future<std::optional<WebReply>> future = answer->get_future();
    const bool taken = jobs_.add([answer, question] {
      try {
        answer->set_value(question());
      } catch (...) {
        answer->set_value({});
      }
    });
    answer.reset();  // a job that is dropped breaks its promise
    if (!taken) return {};
    try {
      return future.get();
    } catch (const std::future_error&) {
      return {};
    }
  }

  std::optional<WebReply> saved_scene(int run) const {
    if (!session_ || run >= static_cast<int>(session_->runs().size())) return {};
    const LiveRun& one = *session_->runs()[run];
    return WebReply{"application/json", one.scene_text(), one.scene().file.stem().string() + "-live.json"};
  }

  std::optional<WebReply> recording() const {
    if (!session_) return {};
    const ScratchFolder folder;
    const std::filesystem::path file = folder.path / "recording.html";
    session_->write_recording(file);
    return WebReply{"text/html; charset=utf-8", read_text(file), "recording.html"};
  }

  std::optional<WebReply> saved_glb(int run) const {
    if (!session_ || run >= static_cast<int>(session_->runs().size())) return {};
    const LiveRun& one = *session_->runs()[run];
    const ScratchFolder folder;
    write_glb(folder.path, one.recorder().recording());
    return WebReply{"model/gltf-binary", read_text(folder.path / "body.glb"),
                    one.scene().file.stem().string() + "-" + one.label() + ".glb"};
  }

  /// The page without data: they come by the socket.
  static std::string empty_page() {
    std::string page(live_template());
    return page.replace(page.find(kReportDataMark), kReportDataMark.size(), "null");
  }

  const LivePlan& plan_;
  const std::string page_ = empty_page();
  Jobs jobs_;
  std::shared_ptr<Session> session_;
  bool changed_ = true, ended_ = false;
  double last_frame_ = 0, last_status_ = 0, last_row_ = 0, encode_ms_ = 0;
  std::vector<int> topologies_;  ///< that pages know
  int version_ = -1;
  std::vector<std::vector<Json>> rows_;  ///< of each run, since the last status
  std::string trouble_;
  std::unique_ptr<WebServer> server_;
};

}  // namespace

void host_live(const LivePlan& plan) { LiveHost(plan).run(); }

}  // namespace brio
