#pragma once
// One simulation that people watch and touch: it is stepped, held, changed while it moves, taken back to moments that
// it remembers, and recorded. Knows nothing of clocks, browsers and networks.

#include "brio/live/hand.hpp"
#include "brio/output/run_recorder.hpp"
#include "brio/scene/run_loop.hpp"

#include <deque>
#include <functional>
#include <optional>

namespace brio {

/// A point of what is drawn: vertices of a triangle, of an edge, or one vertex, with weights that add up to 1.
struct Pick {
  int run = 0;
  std::vector<int> vertices;  ///< of the drawn part
  std::vector<double> weights;
};

/// A point that was pinned to a place by an attachment of its own in the scene.
struct Pin {
  std::vector<std::string> sets;  ///< names in the scene
  VertexWeights point;
};

/// A program whose own simulation people take in their hands, and which goes on with it afterwards. Any of it may be
/// empty.
struct LiveOwner {
  std::string stored;                         ///< where to begin: RunLoop::stored() of its simulation
  std::function<void(Scene&)> prepare;        ///< what it adds to a scene that was parsed
  std::function<void(Simulation&)> on_built;  ///< there is another system: at the start, after changes and cuts
  std::function<void()> on_reset;             ///< time begins anew
  /// The memory of positions and velocities may have become another; until the first call it is that of `positions`.
  std::function<void()> on_memory;
  std::shared_ptr<MatrixX3d> positions, velocities;
  std::function<void(Archive&)> archive;  ///< what it carries from step to step
  /// What went wrong in code of its own that a step calls; "" where nothing did. It is forgotten with the answer.
  std::function<std::string()> failure;
};

class LiveRun {
 public:
  /// `text` is that of a scene file; `file` serves messages and the paths inside. Throws Error for what cannot run.
  LiveRun(const std::string& text, std::filesystem::path file, std::string label, LiveOwner owner = {});
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  const std::string& label() const { return label_; }
  const Scene& scene() const { return *simulation_.scene; }
  const Simulation& simulation() const { return simulation_; }
  RunLoop& loop() { return *loop_; }
  const Stepper& stepper() const { return loop_->stepper(); }
  const RunRecorder& recorder() const { return recorder_; }
  const RunResult& result() const { return loop_->result(); }
  RunResult result_here() const { return loop_->result_here(); }
  const DrawnPart& drawn() const { return recorder_.recording().parts().back(); }
  int topology() const { return topology_; }  ///< counts up with every change of what is drawn
  const Hand& hand() const { return *hand_; }
  const std::vector<Pin>& pins() const { return pins_; }
  double time() const { return simulation_.state.t; }  ///< [s]
  /// Why it stopped; "" while it goes on. It then stands at the newest moment before that.
  const std::string& trouble() const { return trouble_; }

  /// One step with all that is due before it. False where it has stopped.
  bool step();
  /// Back to the start of the scene as it is now.
  void reset();
  /// Back to the newest moment that is not after `time` [s], or to the oldest that there is. False without any.
  bool go_back(double time);
  double oldest() const { return moments_.empty() ? time() : moments_.front().time; }  ///< moment that it can go to [s]

  /// Another scene text with the same bodies; the state is carried over. Throws Error and changes nothing where the
  /// scene is refused.
  void change(const std::string& text);

  void grab(int owner, const Pick& pick, const Vec3& target, double strength);
  void move(int owner, const Vec3& target) { hand_->move(owner, target); }
  void release(int owner) { hand_->release(owner); }
  /// Pushes along the direction for a moment.
  void poke(const Pick& pick, const Vec3& direction, double strength);
  void pin(const Pick& pick);
  void unpin(size_t number);
  /// Cuts all bodies of tetrahedra, before the next step, with the strip from `from` to `to` as seen from `eye` [m].
  /// Throws Error where the scene allows no cut.
  void cut_along(const Vec3& from, const Vec3& to, const Vec3& eye);
  /// The scene with everything that was changed, as text for people.
  std::string scene_text() const;

 private:
  struct Moment {
    double time;  ///< [s]
    int steps;
    int build;  ///< number of the build that it belongs to
    std::string stored;
  };

  Scene parsed(const std::string& text) const;
  void begin();
  void restore(const Moment& moment);
  void take(Simulation simulation);
  void on_cut(const CutReport& cut);
  bool stop(const std::string& trouble);
  void show_memory();
  std::string failure() const { return owner_.failure ? owner_.failure() : ""; }
  void remember();
  VertexWeights weights_of(const Pick& pick) const;
  Grip grip_of(const Pick& pick) const;
  void record_step();

  std::filesystem::path file_;
  std::string label_;
  LiveOwner owner_;
  std::shared_ptr<Hand> hand_ = std::make_shared<Hand>();
  Simulation simulation_;
  State start_;  ///< of the scene as it is now
  RunListener listener_;
  std::optional<RunLoop> loop_;
  RunRecorder recorder_;
  std::deque<Moment> moments_;
  std::vector<Pin> pins_;
  int pins_made_ = 0;
  int build_ = 0, topology_ = 0;
  bool cut_ = false;  ///< whether the body is another one than at the start
  std::string trouble_;
};

}  // namespace brio
