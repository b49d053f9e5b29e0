#pragma once
// One simulation that people watch and touch: it is stepped, held, changed while it moves, taken back to moments that
// it remembers, and recorded. Knows nothing of clocks, browsers and networks.

#include "brio/live/hand.hpp"
#include "brio/output/run_recorder.hpp"
#include "brio/scene/stepper.hpp"

#include <deque>
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

class LiveRun {
 public:
  /// `text` is that of a scene file; `file` serves messages and the paths inside. Throws Error for what cannot run.
  LiveRun(const std::string& text, std::filesystem::path file, std::string label);
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  const std::string& label() const { return label_; }
  const Scene& scene() const { return *simulation_.scene; }
  const Simulation& simulation() const { return simulation_; }
  const Stepper& stepper() const { return *stepper_; }
  const RunRecorder& recorder() const { return recorder_; }
  const RunResult& result() const { return result_; }
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
  bool cut_is_due() const;
  void cut();
  void remember();
  VertexWeights weights_of(const Pick& pick) const;
  Grip grip_of(const Pick& pick) const;
  void record_step();

  std::filesystem::path file_;
  std::string label_;
  std::shared_ptr<Hand> hand_ = std::make_shared<Hand>();
  Simulation simulation_;
  State start_;  ///< of the scene as it is now
  std::unique_ptr<Stepper> stepper_;
  RunRecorder recorder_;
  RunResult result_;
  std::deque<Moment> moments_;
  std::vector<Pin> pins_;
  int pins_made_ = 0;
  int build_ = 0, topology_ = 0;
  size_t next_cut_ = 0;
  bool cut_ = false;  ///< whether the body is another one than at the start
  std::string trouble_;
};

}  // namespace brio
