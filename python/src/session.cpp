#include "session.hpp"

#include "brio/core/error.hpp"
#include "brio/extend/registry.hpp"
#include "brio/scene/contact.hpp"
#include "brio/scene/vibrations.hpp"

#include "bindings.hpp"
#include <algorithm>
#include <cmath>
#include <chrono>
#include <limits>
#include <thread>

namespace brio::python {
namespace {

void refuse_nan(const char* what, const MatrixX3d& rows) {
  if (rows.allFinite()) return;
  for (Index i = 0; i < rows.rows(); ++i)
    if (!rows.row(i).allFinite())
      throw Error("{}: row {} is [{:g}, {:g}, {:g}]; expected finite numbers", what, i, rows(i, 0), rows(i, 1),
                  rows(i, 2));
}

}  // namespace

void add_applied_forces(Scene& scene) {
  const auto refuse_driven = [](const Item& motion) {
    if (motion.name == DrivenMotion::kName)
      throw Error("{}: only constraints can be \"{}\"", motion.path, DrivenMotion::kName);
  };
  for (const AttachmentSpec& attachment : scene.attachments) refuse_driven(attachment.motion);
  for (const ObstacleSpec& obstacle : scene.obstacles)
    if (obstacle.motion) refuse_driven(*obstacle.motion);
  scene.loads.push_back({{AppliedForces::kName, Options(), "loads", ""}, {}});
}

void register_steered() {
  Registry registry;
  registry.add_motion({{DrivenMotion::kName, "moves as Python drives it between steps: Simulation.drive", {}},
                       [](const Options&, const std::string&) { return std::make_unique<DrivenMotion>(); }});
  registry.add_load({{AppliedForces::kName, "forces that Python sets between steps: Simulation.forces", {}},
                     [](const Options&, const LoadTarget& target) -> std::unique_ptr<Load> {
                       return std::make_unique<AppliedForces>(target.mass.size());
                     }});
}

Session::Session(Scene scene) : scene_(std::move(scene)) {
  add_applied_forces(scene_);
  const CollectErrors collect(errors_);
  listen();
  begin(build_simulation(scene_));
  identity_ = RunIdentity::of(simulation_, BRIO_VERSION);
}

std::unique_lock<std::mutex> Session::enter() {
  if (callback_of_this_thread() == errors_.get())
    throw Error(
        "the simulation is in the middle of a step: what a law or an energy needs of it must be copied before; the time "
        "comes as the parameter t of an energy");
  ++waiting_;
  std::unique_lock lock(mutex_);
  --waiting_;
  return lock;
}

std::unique_lock<std::mutex> Session::enter_to_change(const char* what) {
  std::unique_lock lock = enter();
  if (live_)
    throw Error("{}: the simulation is live, and the clock of its page steps it; close() what live() returned first",
                what);
  return lock;
}

/// For the thread that steps it without end: it lets those who wait in.
std::unique_lock<std::mutex> Session::enter_live() {
  constexpr int kMostTurns = 20;
  for (int turn = 0; turn < kMostTurns && waiting_ > 0; ++turn)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  return std::unique_lock(mutex_);
}

std::unique_lock<std::mutex> Session::hold() {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock) return lock;
  const py::gil_scoped_release release;
  return enter();
}

void Session::begin(Simulation simulation) {
  loop_.reset();
  simulation_ = std::move(simulation);
  find_steered(simulation_);
  loop_.emplace(simulation_, listener_);
  retire_views();
}

/// The memory of before a change of the body is not shown any more: views refuse, and arrays that were made of views
/// behind their back are full of NaN, not of numbers that look right.
void Session::retire_views() {
  const std::vector<std::shared_ptr<MatrixX3d>> now = {positions(), velocities(), forces_};
  if (now == shown_) return;
  for (const auto& memory : shown_)
    if (std::find(now.begin(), now.end(), memory) == now.end())
      memory->setConstant(std::numeric_limits<double>::quiet_NaN());
  shown_ = now;
  ++generation_;
}

void Session::listen() {
  listener_.checkpoint_due = [](int) { return false; };  // cuts keep what a checkpoint needs
  listener_.on_cut = [this](const CutReport& cut) {
    if (!cut.changed) return;
    find_steered(simulation_);
    if (recorder_) recorder_->on_cut(simulation_);
    retire_views();
  };
  listener_.archive = [this](Archive& archive) { this->archive(archive); };
}

void Session::archive(Archive& archive) {
  archive(*forces_, courses_);
  for (size_t i = 0; i < driven_.size(); ++i) driven_[i].second->course() = courses_[i];
}

void Session::drive(const std::string& set, const Vec3& velocity) {
  const auto guard = enter();
  if (!velocity.allFinite()) throw Error("velocity: expected finite numbers");
  for (size_t i = 0; i < driven_.size(); ++i) {
    if (driven_[i].first != set) continue;
    driven_[i].second->set_velocity(time(), velocity);
    courses_[i] = driven_[i].second->course();
    return;
  }
  throw Error("set \"{}\": no constraint of the scene moves it as \"{}\"", set, DrivenMotion::kName);
}

/// The forces and motions in a system that has become the one of now; they go on as they were.
void Session::find_steered(Simulation& simulation) {
  driven_.clear();
  for (const ReactionSource& source : simulation.reactions.sources)
    if (auto* driven = dynamic_cast<DrivenMotion*>(const_cast<Motion*>(source.motion.get())))
      driven_.emplace_back(source.set, driven);
  courses_.resize(driven_.size());
  for (size_t i = 0; i < driven_.size(); ++i) driven_[i].second->course() = courses_[i];
  for (const Load* load : simulation.reactions.loads) {
    auto* applied = dynamic_cast<AppliedForces*>(const_cast<Load*>(load));
    if (!applied) continue;
    if (forces_ && forces_->rows() == applied->forces()->rows()) {
      applied->set_forces(forces_);  // where views look at them
    } else if (forces_) {            // vertices keep their numbers
      const Index rows = std::min(forces_->rows(), applied->forces()->rows());
      applied->forces()->topRows(rows) = forces_->topRows(rows);
    }
    forces_ = applied->forces();
  }
}

template <class Work>
void Session::undoing(const Work& work) {
  if (errors_->callbacks == 0) return work();
  // Not a checkpoint: what loads one evaluates energies, and the callback may well raise again.
  const State state = simulation_.state;
  const RunLoop loop = *loop_;
  const MatrixX3d x = *loop.positions(), u = *loop.velocities();
  const int generation = generation_;
  work();
  if (!errors_->any() || generation_ != generation) return;  // a cut cannot be undone
  simulation_.state = state;
  loop_.emplace(loop);
  *loop_->positions() = x;
  *loop_->velocities() = u;
}

Report Session::step() {
  const auto guard = enter_to_change("step()");
  const CollectErrors collect(errors_);
  refuse_nan("forces", *forces_);
  Report report;
  undoing([&] { report.step = loop_->step(); });
  report.record = loop_->now();
  if (recorder_ && report.step.status == StepStatus::ok) {
    recorder_->on_step(report.record);
    if (report.record.step % simulation_.every == 0)
      recorder_->on_frame(simulation_, {time(), *positions(), *velocities(), report.record.report.contact_forces.get()});
  }
  if (report.step.status == StepStatus::diverged) report.message = loop_->result().message;
  return report;
}

Report Session::now() {
  const auto guard = enter();
  return {loop().now(), loop().now().report, ""};
}

std::string Session::stored() {
  const auto guard = enter_to_change("checkpoint()");
  return loop_->stored();
}

void Session::restore(const std::string& stored) {
  const auto guard = enter_to_change("restore()");
  const CollectErrors collect(errors_);
  if (simulation_.cuts.empty()) {
    make_integrator(simulation_);  // what the old one has seen must not matter
  } else {
    begin(build_simulation(scene_));
  }
  loop_->load(stored);
  if (recorder_) recorder_ = recorder_from_now();
}

void Session::set_state(const MatrixX3d* x, const MatrixX3d* u) {
  const auto guard = enter_to_change("set_state()");
  if (x) refuse_nan("positions", *x);
  if (u) refuse_nan("velocities", *u);
  if (x && simulation_.bones)
    throw Error("positions: the bones of this scene are six points each that their joints move; only velocities of "
                "the other vertices can be set where there are bones");
  State& state = simulation_.state;
  const VectorXd q = state.q, v = state.v;
  if (x) state.q = simulation_.system->free_part(*x);
  if (u) state.v = simulation_.system->free_part(*u);
  try {
    if (x && simulation_.system->surfaces() && simulation_.scene->contact->guarantee) refuse_intersections(simulation_);
  } catch (...) {
    state.q = q, state.v = v;
    throw;
  }
  const State set = state;
  state.q = q, state.v = v;
  undoing([&] {
    state = set;
    if (x) simulation_.integrator->on_displacement(state, state.q - q);
    if (u) simulation_.integrator->on_velocity_impulse(state, state.v - v);
    loop_->on_state_set();
  });
}

std::vector<int> Session::free_vertices() const {
  std::vector<int> free;
  for (int v = 0; v < simulation().vertices(); ++v)
    if (!simulation().system->supported(v)) free.push_back(v);
  return free;
}

/// Of each point of the system, its place among the free vertices in ascending order.
std::vector<int> Session::number_in_order() const {
  std::vector<int> number(simulation().system->dofs() / 3);
  int next = 0;
  for (int v : free_vertices()) number[simulation().system->point_of(v)] = next++;
  return number;
}

VectorXd Session::in_order(const VectorXd& values) const {
  const std::vector<int> number = number_in_order();
  VectorXd ordered(values.size());
  for (size_t point = 0; point < number.size(); ++point)
    ordered.segment<3>(3 * number[point]) = values.segment<3>(3 * static_cast<Index>(point));
  return ordered;
}

Triplets Session::stiffness(Psd psd) {
  const auto guard = enter();
  const NodalSystem& system = *simulation().system;
  BlockMatrix K(system.pattern());
  VectorXd gradient;
  system.derivatives(time(), simulation().state.q, psd, gradient, K);
  const BlockPattern& pattern = *system.pattern();
  const std::vector<int> number = number_in_order();
  Triplets triplets;
  const auto add = [&](int row, int column, double value) {
    triplets.row.push_back(row);
    triplets.column.push_back(column);
    triplets.value.push_back(value);
  };
  for (int j = 0; j < pattern.blocks_per_side; ++j)
    for (int slot = pattern.column_begin[j]; slot < pattern.column_begin[j + 1]; ++slot) {
      const int i = pattern.row[slot];
      const double* block = K.block(slot);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          add(3 * number[i] + a, 3 * number[j] + b, block[3 * a + b]);
          if (i != j) add(3 * number[j] + b, 3 * number[i] + a, block[3 * a + b]);
        }
    }
  return triplets;
}

VectorXd Session::force() {
  const auto guard = enter();
  const State& state = simulation().state;
  VectorXd gradient, load;
  simulation().system->gradient(state.t, state.q, gradient);
  simulation().system->load(state.t, state.q, state.v, load);
  return in_order(load - gradient);
}

VectorXd Session::strain() {
  const auto guard = enter();
  return simulation().strain(*positions());
}

std::pair<VectorXd, MatrixXd> Session::modes(int count) {
  const auto guard = enter();
  const std::vector<Vibration> found = find_vibrations(simulation(), count);
  VectorXd omega(static_cast<Index>(found.size()));
  MatrixXd shapes(simulation().system->dofs(), omega.size());
  for (Index m = 0; m < omega.size(); ++m) {
    const Vibration& mode = found[static_cast<size_t>(m)];
    omega[m] = mode.unstable() ? -mode.omega() : mode.omega();
    shapes.col(m) = in_order(mode.shape);
  }
  return {omega, shapes};
}

}  // namespace brio::python
