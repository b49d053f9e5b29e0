#pragma once
// One simulation, step by step, with its books: energies, work from outside, momenta, and a watch over energy that
// comes from nowhere. The run loop and the live session stand on it.

#include "brio/diagnose/energy_budget.hpp"
#include "brio/scene/run.hpp"

#include <memory>

namespace brio {

/// Tells when there is far more energy than anything in the scene can have supplied.
class RunawayCheck {
 public:
  /// `least_supply`: what weight and loads can do at the least [J].
  RunawayCheck(const StepRecord& start, double least_supply);

  void archive(Archive& archive);
  bool runaway(const StepRecord& now);

 private:
  static constexpr double kFactor = 10;
  StepRecord start_;
  double own_;     ///< energy of the body at the start that can turn into motion [J]
  double supply_;  ///< the most that weight and loads have moved so far [J]
};

class Stepper {
 public:
  /// The simulation is kept by reference; books begin at its state.
  explicit Stepper(Simulation& simulation);

  enum class Outcome {
    ok,
    failed,  ///< the method could not step; the state is the one before
    runaway  ///< the energy ran away; the state is the one after
  };
  Outcome step();
  /// What went wrong in the last step and what to try; only when it did.
  std::string advice() const;
  const std::string& wrong() const { return wrong_; }  ///< the first half of that

  const StepReport& report() const { return report_; }  ///< of the last step
  const StepRecord& now() const { return now_; }
  const MatrixX3d& x() const { return *x_; }  ///< positions of all vertices [m]
  const MatrixX3d& u() const { return *u_; }  ///< their velocities [m/s]
  /// The same, in one place of memory until the system becomes another.
  const std::shared_ptr<MatrixX3d>& positions() const { return x_; }
  const std::shared_ptr<MatrixX3d>& velocities() const { return u_; }
  /// From here on they are kept in this memory, which somebody else looks at.
  void keep_in(std::shared_ptr<MatrixX3d> positions, std::shared_ptr<MatrixX3d> velocities);
  int steps() const { return steps_; }       ///< taken
  double total() const { return budget_.total(); }

  /// The simulation has become that of another system, as after a cut, with the time that it had. The change of energy
  /// is booked, and returned [J].
  double set_system();
  /// Somebody else has changed the simulation's state. The change of energy is booked as after a cut.
  void on_state_set();
  /// The simulation has another step from here on.
  void set_step_length();

  /// State and books; who loads them measures the energies anew with go_on().
  void archive(Archive& archive);
  void go_on(int steps);

 private:
  void look();
  StepRecord record(const StepReport& report, double step_ms);

  Simulation& simulation_;
  double start_;   ///< when steps are counted from [s]
  int first_ = 0;  ///< number of the step that ended then
  int steps_ = 0;
  EnergyBudget budget_;
  std::shared_ptr<MatrixX3d> x_ = std::make_shared<MatrixX3d>(), u_ = std::make_shared<MatrixX3d>();
  StepReport report_;
  StepRecord now_;  ///< of the last step
  RunawayCheck check_;
  std::string wrong_;
};

}  // namespace brio
