#pragma once
// Records the frames and curves of a run for its page.

#include "brio/output/body_series.hpp"
#include "brio/output/drawn_simulation.hpp"
#include "brio/output/recording.hpp"
#include "brio/output/series.hpp"
#include "brio/scene/run.hpp"

#include <functional>

namespace brio {

/// What the page shows step by step besides the books: declared by methods, and of bodies that touch.
std::vector<Extra> page_curves();

class RunRecorder {
 public:
  RunRecorder() : recording_({}, {}) {}  ///< of nothing
  explicit RunRecorder(const Simulation& simulation, RecordingLimits limits = {});

  void on_step(const StepRecord& record);
  /// Only the energies and momenta of the step, and what its method adds to them.
  void add_energies(const StepRecord& record);
  /// Records the frame and hands it, completed with strain and obstacles, to `also`.
  void on_frame(const Simulation& simulation, const RunFrame& frame,
                const std::function<void(const Frame&)>& also = {});

  /// The topology of the body has changed.
  void on_cut(const Simulation& simulation);

  /// Everything but the topologies, which come by on_cut().
  void archive(Archive& archive) { archive(recording_, series_, bodies_, nodes_); }

  const Recording& recording() const { return recording_; }
  const Series& series() const { return series_; }
  const BodySeries& bodies() const { return bodies_; }

 private:
  static Series series_with(const std::vector<Extra>& curves);

  Recording recording_;
  std::vector<Extra> curves_ = declared_curves();  ///< that the series has besides the books
  Series series_ = series_with(curves_);
  BodySeries bodies_;
  NodeStates nodes_;  ///< in the last step
  double reach_ = 0;  ///< of contact [m]; 0 where bodies do not touch
};

}  // namespace brio
