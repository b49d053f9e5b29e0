#pragma once
// A simulation that Python steps: what brio.Simulation stands on. One thread at a time is inside of it; the others wait
// without the GIL.

#include "brio/output/checkpoint.hpp"
#include "brio/scene/run_loop.hpp"

#include "applied_forces.hpp"
#include "callback.hpp"
#include "driven_motion.hpp"
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

  /// Counts what replaces the memory that views look at.
  int generation() const { return generation_; }
  /// For who looks at it with the GIL: waits without it until no other thread is inside.
  std::unique_lock<std::mutex> hold();
  const std::shared_ptr<MatrixX3d>& positions() const { return loop_->positions(); }
  const std::shared_ptr<MatrixX3d>& velocities() const { return loop_->velocities(); }
  const std::shared_ptr<MatrixX3d>& forces() const { return forces_; }
  const Simulation& simulation() const { return simulation_; }
  const RunIdentity& identity() const { return identity_; }
  double time() const { return simulation_.state.t; }

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
  void listen();
  void find_steered();
  void retire_views();
  void begin(Simulation simulation);
  std::vector<int> number_in_order() const;
  VectorXd in_order(const VectorXd& values) const;

  std::mutex mutex_;
  std::shared_ptr<CallbackErrors> errors_ = std::make_shared<CallbackErrors>();
  Scene scene_;
  Simulation simulation_;
  RunIdentity identity_;
  std::shared_ptr<MatrixX3d> forces_;  ///< of the load in the system of now, which a cut replaces
  RunListener listener_;
  std::optional<RunLoop> loop_;
  std::vector<std::pair<std::string, DrivenMotion*>> driven_;  ///< by set, of the system of now
  std::vector<DrivenMotion::Course> courses_;                  ///< theirs
  std::vector<std::shared_ptr<MatrixX3d>> shown_;  ///< what views may look at
  std::atomic<int> generation_ = 0;
};

}  // namespace brio::python
