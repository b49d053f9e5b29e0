#include "brio/live/live_run.hpp"

#include "brio/core/error.hpp"
#include "brio/output/page.hpp"
#include "brio/output/scene_tables.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace brio {
namespace {

constexpr double kFrameTime = 1.0 / 30;  // between recorded frames [s]
constexpr double kMomentTime = 0.1;      // between moments that can be gone back to [s]
constexpr int kMomentSteps = 10;         // or so many steps, where they are short
constexpr size_t kMostMoments = 200;
constexpr size_t kMostMomentBytes = 200'000'000;
constexpr int kPoker = -1;             // owner of pokes: nobody's hand, and it does not wait to be let go
constexpr double kPokeWay = 0.5;       // in parts of the extent
constexpr double kPokeTime = 0.5;      // over that in which the spring of a hand would swing by one radian
constexpr double kPinStiffness = 300;  // weights that a pin pulls with when stretched by the extent

int steps_in(double time, double h) { return std::max(1, static_cast<int>(std::lround(time / h))); }

}  // namespace

LiveRun::LiveRun(const std::string& text, std::filesystem::path file, std::string label, LiveOwner owner)
    : file_(std::move(file)), label_(std::move(label)), owner_(std::move(owner)) {
  listener_.on_cut = [this](const CutReport& cut) { on_cut(cut); };
  listener_.archive = owner_.archive;
  // Who goes on with it may store it: then the loop keeps what a cut needs.
  if (owner_.archive) listener_.checkpoint_due = [](int) { return false; };
  take(build_simulation(parsed(text)));
  start_ = simulation_.state;
  begin();
}

Scene LiveRun::parsed(const std::string& text) const {
  Scene scene = parse_scene(text, file_, scene_tables());
  scene.program_energies.push_back(
      [hand = hand_](int vertices) { return std::make_unique<HandEnergy>(hand, vertices); });
  if (owner_.prepare) owner_.prepare(scene);
  return scene;
}

void LiveRun::take(Simulation simulation) {
  simulation_ = std::move(simulation);
  if (owner_.on_built) owner_.on_built(simulation_);
}

/// Books and recording anew, from the present state.
void LiveRun::begin() {
  hand_->release_all();
  moments_.clear();
  trouble_.clear();
  loop_.emplace(simulation_, listener_);
  if (!owner_.stored.empty()) loop_->load(std::exchange(owner_.stored, {}));
  if (owner_.positions && owner_.positions->rows() == simulation_.vertices())
    loop_->stepper().keep_in(owner_.positions, owner_.velocities);
  RunRecorder fresh(simulation_);
  const DrawnPart &now = fresh.recording().part(), &before = drawn();
  if (topology_ == 0 || now.vertices != before.vertices || now.triangles != before.triangles) ++topology_;
  recorder_ = std::move(fresh);
  recorder_.on_step(stepper().now());
  recorder_.on_frame(simulation_, {time(), stepper().x(), stepper().u()});
  show_memory();
  remember();
}

/// Positions stay where they are looked at, as long as the body is the same.
void LiveRun::show_memory() {
  if (!owner_.on_memory) return;
  owner_.positions = stepper().positions();
  owner_.velocities = stepper().velocities();
  owner_.on_memory();
}

void LiveRun::on_cut(const CutReport& cut) {
  if (!cut.changed) return;
  if (owner_.on_built) owner_.on_built(simulation_);
  hand_->release_all();  // vertices may have other numbers
  pins_.clear();
  moments_.clear();
  cut_ = true;
  if (topology_ == 0) return;  // the cuts that a stored run begins with: begin() shows what they left
  ++topology_;
  recorder_.on_cut(simulation_);
  loop_->stepper().go_on(stepper().steps());
  show_memory();
  remember();
}

bool LiveRun::step() {
  if (!trouble_.empty()) return false;
  if (const std::string why = failure(); !why.empty()) return stop(why);
  hand_->begin_step(time(), simulation_.h, stepper().x());
  const StepReport report = loop_->step();
  if (const std::string why = failure(); !why.empty()) return stop(why);
  if (report.status == StepStatus::diverged) return stop(result().message);
  hand_->end_step(stepper().x());
  record_step();
  return true;
}

/// Stands at the newest moment that it remembers.
bool LiveRun::stop(const std::string& trouble) {
  trouble_ = trouble;
  restore(moments_.back());
  failure();  // the same again
  return false;
}

void LiveRun::record_step() {
  const StepRecord& now = stepper().now();
  recorder_.on_step(now);
  if (now.step % steps_in(kFrameTime, simulation_.h) == 0)
    recorder_.on_frame(simulation_, {now.time, stepper().x(), stepper().u(), now.report.contact_forces.get()});
  if (now.step % std::min(kMomentSteps, steps_in(kMomentTime, simulation_.h)) == 0) remember();
}

void LiveRun::remember() {
  Archive archive;
  loop_->stepper().archive(archive);
  if (owner_.archive) owner_.archive(archive);
  moments_.push_back({time(), stepper().steps(), build_, archive.bytes()});
  const size_t most = std::clamp<size_t>(kMostMomentBytes / moments_.back().stored.size(), 2, kMostMoments);
  while (moments_.size() > most) moments_.pop_front();
}

void LiveRun::reset() {
  if (cut_) {  // the body that it began with is gone
    take(build_simulation(parsed(scene().text)));
    start_ = simulation_.state;
    cut_ = false;
    ++build_;
  }
  simulation_.state = start_;
  if (owner_.on_reset) owner_.on_reset();
  begin();
}

void LiveRun::restore(const Moment& moment) {
  Archive archive(moment.stored);
  loop_->stepper().archive(archive);
  if (owner_.archive) owner_.archive(archive);
  if (moment.build != build_) simulation_.state.memory.clear();  // another method's, perhaps
  loop_->stepper().go_on(moment.steps);
  loop_->stepper().set_step_length();
  hand_->release_all();
}

bool LiveRun::go_back(double time) {
  if (moments_.empty()) return false;
  while (moments_.size() > 1 && moments_.back().time > time + kCutSlack * simulation_.h) moments_.pop_back();
  restore(moments_.back());
  trouble_.clear();
  // What is recorded must be one motion: it begins again here.
  recorder_ = RunRecorder(simulation_);
  recorder_.on_step(stepper().now());
  recorder_.on_frame(simulation_, {this->time(), stepper().x(), stepper().u()});
  return true;
}

void LiveRun::change(const std::string& text) {
  Simulation fresh = build_simulation(parsed(text));
  constexpr double kBack = 1;  // [s]
  if (!trouble_.empty()) go_back(time() - kBack);
  start_ = fresh.state;
  ++build_;
  if (label_ == simulation_.integrator_name) label_ = fresh.integrator_name;
  if (cut_ || fresh.vertices() != simulation_.vertices()) {
    take(std::move(fresh));
    cut_ = false;
    if (owner_.on_reset) owner_.on_reset();
    begin();
    return;
  }
  fresh.state = {time(), fresh.system->free_part(stepper().x()), fresh.system->free_part(stepper().u()), {}};
  take(std::move(fresh));
  loop_->on_simulation_changed();
}

VertexWeights LiveRun::weights_of(const Pick& pick) const {
  const DrawnPart& part = drawn();
  VertexWeights weights;
  double sum = 0;
  for (double w : pick.weights) sum += w;
  for (size_t i = 0; i < pick.vertices.size(); ++i) {
    if (pick.vertices[i] < 0 || pick.vertices[i] >= static_cast<int>(part.vertices.size()))
      throw Error("there is no vertex {} in the picture; there are {}", pick.vertices[i], part.vertices.size());
    const int vertex = part.vertices[pick.vertices[i]];
    const double weight = pick.weights[i] / sum;
    if (!part.skin) {
      weights.add(vertex, weight);
      continue;
    }
    for (int k = 0; k < 4; ++k)
      weights.add(part.skin->embedding.corners(vertex, k), weight * part.skin->embedding.weights(vertex, k));
  }
  return weights;
}

Grip LiveRun::grip_of(const Pick& pick) const {
  Grip grip = make_grip(*simulation_.system, simulation_.body_of_vertex, weights_of(pick));
  if (grip.finger.vertices.empty()) throw Error("this point cannot be taken: the scene holds it");
  return grip;
}

void LiveRun::grab(int owner, const Pick& pick, const Vec3& target, double strength) {
  Hand::Hold hold;
  hold.owner = owner;
  hold.grip = grip_of(pick);
  hold.spring = suitable_spring(hold.grip, scene().gravity.norm(), strength);
  hold.target = target;
  hand_->grab(std::move(hold));
}

void LiveRun::poke(const Pick& pick, const Vec3& direction, double strength) {
  const Grip grip = grip_of(pick);
  Hand::Hold hold;
  hold.owner = kPoker;
  hold.grip = grip;
  hold.spring = suitable_spring(grip, scene().gravity.norm(), strength);
  hold.target = grip.point.mean(stepper().x()) + kPokeWay * grip.extent * direction.normalized();
  hold.left = std::max(simulation_.h, kPokeTime * std::sqrt(grip.mass / hold.spring.stiffness));
  hand_->grab(std::move(hold));
}

void LiveRun::cut_along(const Vec3& from, const Vec3& to, const Vec3& eye) {
  Json json = Json::parse(scene().text);
  json["cuts"].push_back({{"kind", "path"},
                          {"points", Json::array({vec_json(from), vec_json(to)})},
                          {"direction", vec_json((from + to) / 2 - eye)},
                          {"time", time()},
                          {"frame", "current"}});
  Simulation with = build_simulation(parsed(json.dump()));  // which refuses what cannot be cut
  if (with.cuts.back().bodies.empty()) throw Error("there is nothing to cut: only bodies of tetrahedra can be");
  simulation_.scene = with.scene;
  simulation_.cuts = std::move(with.cuts);
}

std::string LiveRun::scene_text() const { return Json::parse(scene().text).dump(2) + "\n"; }

void LiveRun::pin(const Pick& pick) {
  const NodalSystem& system = *simulation_.system;
  const Grip grip = grip_of(pick);
  Json json = Json::parse(scene().text);
  Pin pin{{}, grip.point};
  const double stiffness = kPinStiffness * grip.mass * std::max(9.81, scene().gravity.norm()) / grip.extent;
  std::set<int> vertices;
  for (size_t i = 0; i < grip.point.vertices.size(); ++i)
    if (!system.supported(grip.point.vertices[i])) vertices.insert(grip.point.vertices[i]);
  for (int v : vertices) {
    const std::string name = fmt::format("pin-{}", ++pins_made_);
    const Vec3 away = stepper().x().row(v) - system.rest_positions().row(v);
    json["sets"][name] = {{"select", "indices"}, {"indices", std::vector<int>{v}}};
    json["attachments"].push_back({{"set", name},
                                   {"stiffness", stiffness / static_cast<double>(vertices.size())},
                                   {"motion", "keyframes"},
                                   {"times", std::vector<double>{0, 1}},
                                   {"translations", Json::array({vec_json(away), vec_json(away)})}});
    pin.sets.push_back(name);
  }
  change(json.dump());
  pins_.push_back(std::move(pin));
}

void LiveRun::unpin(size_t number) {
  if (number >= pins_.size()) throw Error("there is no pin {}; there are {}", number, pins_.size());
  Json json = Json::parse(scene().text);
  const std::vector<std::string> sets = pins_[number].sets;
  for (const std::string& name : sets) {
    json["sets"].erase(name);
    for (auto item = json["attachments"].begin(); item != json["attachments"].end();)
      item = (*item)["set"] == Json(name) ? json["attachments"].erase(item) : std::next(item);
  }
  if (json["attachments"].empty()) json.erase("attachments");
  if (json["sets"].empty()) json.erase("sets");
  change(json.dump());
  if (number < pins_.size()) pins_.erase(pins_.begin() + static_cast<long>(number));
}

}  // namespace brio
