#pragma once
// A run that is taken step by step: its cuts, its books and what a checkpoint needs. run() and resume() drive it to its
// end; a program with a loop of its own calls step().

#include "brio/scene/stepper.hpp"

#include <memory>
#include <string>
#include <vector>

namespace brio {

class RunLoop {
 public:
  /// Both must outlive it.
  RunLoop(Simulation& simulation, const RunListener& listener);

  RunResult go();                                ///< from the start to the end
  RunResult go_on_from(std::string stored);  ///< from what was stored to the end

  /// Makes the cuts that are due and takes one step, also beyond the scene's last one. Only on_cut is called. The
  /// report says "diverged" as well where the energy ran away; result() then has the message for people.
  StepReport step();
  /// To be told when somebody else has changed the simulation's state. The change of energy counts as injected or
  /// dissipated, as after a cut.
  void on_state_set() { stepper_.on_state_set(); }
  /// To be told when the simulation has become another one of the same bodies, perhaps with another step, at the time
  /// and place where the one before it was. The change of energy counts as after a cut.
  void on_simulation_changed();

  Stepper& stepper() { return stepper_; }
  const Stepper& stepper() const { return stepper_; }
  const StepRecord& now() const { return stepper_.now(); }  ///< after the last step that did not fail
  const RunResult& result() const { return result_; }  ///< so far
  RunResult result_here() const;                       ///< what a run says that ends here
  /// Positions and velocities of all vertices, each step in the same memory until a cut changes the body.
  const std::shared_ptr<MatrixX3d>& positions() const { return stepper_.positions(); }
  const std::shared_ptr<MatrixX3d>& velocities() const { return stepper_.velocities(); }

  /// All that the rest of the run depends on, but for the simulation that it began with. Where there are cuts, a run
  /// can be stored only if the listener has checkpoint_due from the start.
  std::string stored();
  /// Goes on from there; the simulation is freshly built, or has made no cut and nor had the stored one.
  void load(std::string stored);

 private:
  RunResult go_on();
  bool is_frame(int step) const { return step % simulation_.every == 0; }
  void archive(Archive& archive);
  void cut_again();
  bool cut_is_due() const;
  void cut();
  void tell(bool with_frame);
  void tell_frame();
  void fail();

  /// A cut that changed the body, and what it was before.
  struct BeforeCut {
    size_t number = 0;  ///< of the simulation's
    State state;
    void archive(Archive& archive) { archive(number, state); }
  };

  Simulation& simulation_;
  const RunListener& listener_;
  Stepper stepper_;
  RunResult result_;
  StepTally tally_;
  size_t next_cut_ = 0;                 ///< of the simulation's
  size_t stored_bytes_ = 0;             ///< by the last stored()
  std::vector<BeforeCut> before_cuts_;  ///< where the run may be stored
};

}  // namespace brio
