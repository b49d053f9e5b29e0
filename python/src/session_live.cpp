// A simulation of Python in other people's hands.

#include "brio/output/scene_tables.hpp"

#include "bindings.hpp"
#include "session.hpp"

namespace brio::python {

/// A live run that looks like the simulation from Python: its forces, its driven supports, its views and its laws.
LiveOwner Session::live_owner() {
  LiveOwner owner;
  owner.stored = loop_->stored();
  owner.prepare = add_applied_forces;
  owner.on_built = [this](Simulation& simulation) { find_steered(simulation); };
  owner.on_reset = [this] {
    courses_.assign(driven_.size(), {});
    for (const auto& [set, driven] : driven_) driven->course() = {};
  };
  owner.on_memory = [this] { retire_views(); };
  owner.positions = loop_->positions();
  owner.velocities = loop_->velocities();
  owner.archive = [this](Archive& archive) { this->archive(archive); };
  owner.failure = [this]() -> std::string {
    if (!errors_->any()) return "";
    const py::gil_scoped_acquire gil;
    try {
      errors_->rethrow();
    } catch (const std::exception& error) {
      return std::string("a law or an energy of Python has failed: ") + error.what();
    }
    return "";
  };
  return owner;
}

std::string Session::go_live(const ServerOptions& server) {
  const std::lock_guard one(live_changes_);
  auto live = std::make_unique<Live>();
  LivePlan plan;
  {
    const auto guard = enter_to_change("live()");
    const CollectErrors collect(errors_);
    const brio::Session::Source source{scene_.text, scene_.file, simulation_.integrator_name, live_owner()};
    live->session = std::make_shared<brio::Session>(std::vector{source});
    live->run = live->session->runs().front().get();
    live_ = std::move(live);
  }
  plan.session = live_->session;
  plan.server = server;
  plan.owner = "Python";
  plan.lock = [this] { return enter_live(); };
  try {
    live_->thread = std::make_unique<LiveThread>(std::move(plan), [this](const std::function<void()>& work) {
      const CollectErrors collect(errors_);
      work();
    });
  } catch (...) {
    const auto guard = enter();
    take_back();
    throw;
  }
  return live_->thread->address();
}

std::string Session::end_live() {
  const std::lock_guard one(live_changes_);
  if (!live_) return "";
  live_->thread->end();
  const auto guard = enter();
  const CollectErrors collect(errors_);
  return take_back();
}

/// Everything as the live run has it: scene, cuts, state and books; views go on where the body is the same.
std::string Session::take_back() {
  const std::string trouble = live_->run->trouble(), text = live_->run->scene().text;
  const std::string stored = live_->run->loop().stored();
  const std::shared_ptr<MatrixX3d> x = positions(), u = velocities();
  if (text == scene_.text && simulation_.cuts.empty()) {
    make_integrator(simulation_);  // what the old one has seen must not matter
    find_steered(simulation_);
  } else {
    Scene scene = parse_scene(text, scene_.file, scene_tables());
    add_applied_forces(scene);
    scene_ = std::move(scene);
    begin(build_simulation(scene_));
    identity_ = RunIdentity::of(simulation_, BRIO_VERSION);
  }
  loop_->load(stored);
  if (x->rows() == simulation_.vertices()) loop_->stepper().keep_in(x, u);
  if (recorder_) recorder_ = live_->run->recorder();  // what the people have seen
  live_.reset();
  retire_views();
  return trouble;
}

}  // namespace brio::python
