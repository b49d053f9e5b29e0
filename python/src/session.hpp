#pragma once
// A simulation that Python steps: what brio.Simulation stands on. One thread at a time is inside of it; the others wait
// without the GIL.

#include "brio/output/checkpoint.hpp"
#include "brio/output/run_recorder.hpp"
#include "brio/scene/run_loop.hpp"

#include "applied_forces.hpp"
#include "callback.hpp"
#include "driven_motion.hpp"
#include "live_thread.hpp"
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace brio::python {

/// What a step says of itself.
struct Report {
  StepRecord record;
  StepReport step;      ///< of a step that failed, too
  std::string message;  ///< for people, where it failed
};

/// A symmetric matrix over the free degrees of freedom, both triangles.
struct Triplets {
  std::vector<int> row, column;
  std::vector<double> value;
};

/// What the forces of Python need in a scene. Throws Error where it has driven parts that cannot be.
void add_applied_forces(Scene& scene);

class Session {
 public:
  explicit Session(Scene scene);

  Report step();
  Report now();
  std::string stored();
  /// Goes on from there.
  void restore(const std::string& stored);
  /// Positions and velocities of all vertices; null: as they are. Supported vertices stay where their motion has them.
  void set_state(const MatrixX3d* x, const MatrixX3d* u);

  /// Moves the vertices of a constrained set at this velocity from now on; the set's motion must be "driven".
  void drive(const std::string& set, const Vec3& velocity);

  /// People take the simulation in their hands, on a page at the address that comes back. Until end_live() the clock of
  /// the page steps it, in a thread of its own; it can be looked at, pushed and driven, but not stepped or set.
  std::string go_live(const ServerOptions& server);
  bool is_live() const { return live_ != nullptr; }
  bool live_is_over() const { return live_ && live_->thread && live_->thread->over(); }
  /// It goes on here, where the people have left it. Returns what stopped it there; "" where nothing did.
  std::string end_live();
  /// The scene as it is now: people may have changed it.
  const Scene& scene() const { return scene_; }

  /// From now on the page has what happens, and not the present moment alone.
  void record();
  /// A page that shows it, as that of `brio run`.
  void write_page(const std::filesystem::path& file);

  /// Counts what replaces the memory that views look at.
  int generation() const { return generation_; }
  /// For who looks at it with the GIL: waits without it until no other thread is inside.
  std::unique_lock<std::mutex> hold();
  const std::shared_ptr<MatrixX3d>& positions() const { return loop().positions(); }
  const std::shared_ptr<MatrixX3d>& velocities() const { return loop().velocities(); }
  const std::shared_ptr<MatrixX3d>& forces() const { return forces_; }
  const Simulation& simulation() const { return live_ ? live_->run->simulation() : simulation_; }
  const RunIdentity& identity() const { return identity_; }
  double time() const { return simulation().state.t; }

  std::vector<int> free_vertices() const;
  Triplets stiffness(Psd psd);
  VectorXd force();
  VectorXd strain();
  /// omega, and shapes as columns over the free degrees of freedom.
  std::pair<VectorXd, MatrixXd> modes(int count);
  CallbackErrors& errors() { return *errors_; }

 private:
  /// Does the work; where a callback raises on the way, everything is as it was before.
  template <class Work>
  void undoing(const Work& work);
  /// Throws Error in the middle of a step, where to wait for its end would be to wait for ever.
  std::unique_lock<std::mutex> enter();
  /// The same for what cannot be done while it is live.
  std::unique_lock<std::mutex> enter_to_change(const char* what);
  std::unique_lock<std::mutex> enter_live();
  void listen();
  void find_steered(Simulation& simulation);
  void archive(Archive& archive);
  RunRecorder recorder_from_now();
  void retire_views();
  void begin(Simulation simulation);
  LiveOwner live_owner();
  std::string take_back();
  const RunLoop& loop() const { return live_ ? live_->run->loop() : *loop_; }
  std::vector<int> number_in_order() const;
  VectorXd in_order(const VectorXd& values) const;

  /// A simulation in other people's hands.
  struct Live {
    std::shared_ptr<brio::Session> session;
    LiveRun* run = nullptr;
    std::unique_ptr<LiveThread> thread;
  };

  std::mutex mutex_;
  std::atomic<int> waiting_ = 0;  ///< threads that wait while it is live
  std::shared_ptr<CallbackErrors> errors_ = std::make_shared<CallbackErrors>();
  Scene scene_;
  Simulation simulation_;
  RunIdentity identity_;
  std::shared_ptr<MatrixX3d> forces_;  ///< of the load in the system of now, which a cut replaces
  RunListener listener_;
  std::optional<RunLoop> loop_;
  std::vector<std::pair<std::string, DrivenMotion*>> driven_;  ///< by set, of the system of now
  std::vector<DrivenMotion::Course> courses_;                  ///< theirs
  std::optional<RunRecorder> recorder_;
  std::vector<std::shared_ptr<MatrixX3d>> shown_;  ///< what views may look at
  std::atomic<int> generation_ = 0;
  std::mutex live_changes_;  ///< one thread begins or ends it
  std::unique_ptr<Live> live_;
};

}  // namespace brio::python
