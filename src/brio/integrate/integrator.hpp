#pragma once
// One interface for every time-stepping method.

#include "brio/core/table.hpp"
#include "brio/system/system.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brio {

enum class StepStatus { ok, diverged };

/// Time spent in the parts of a step [s].
struct PhaseTimes {
  double assembly = 0, factor = 0, solve = 0, other = 0;
  double total() const { return assembly + factor + solve + other; }
  PhaseTimes& operator+=(const PhaseTimes& more);
};

/// The work of a step, of a part of it, or of all steps of a run: what adds up.
struct StepWork {
  int factorizations = 0;
  int solves = 0;            ///< right-hand sides solved for
  int projections = 0;       ///< steps that needed the projected stiffness although unprojected was asked for first
  int shifts = 0;            ///< how often the matrix had to be shifted to be positive definite
  int iterations = 0;        ///< of the solver of an implicit step; of ksiere, blocks of solves
  int halvings = 0;          ///< how often a step was taken as two half steps
  int unconverged = 0;       ///< attempts that the solver gave up
  int substeps = 0;          ///< pieces that an exponential was cut into
  int matvecs = 0;           ///< products with the stiffness that it needed
  int mode_iterations = 0;   ///< block iterations that brought the modes up to date
  int woodbury_updates = 0;  ///< steps whose modes were too closely coupled to the rest to be deflated
  int switches = 0;          ///< of a condensed body's nodes, between dynamic and quasistatic
  PhaseTimes time;

  StepWork& operator+=(const StepWork& more);
};

/// What happened in one step. On `diverged` the state is the one before the step.
struct StepReport : StepWork {
  StepStatus status = StepStatus::ok;
  std::string reason;              ///< what went wrong, when it did
  double dissipated = 0;           ///< energy taken out by the damping matrix D [J]
  int deepest_halving = 0;         ///< the shortest piece was h / 2^this
  double residual = 0;             ///< of the last solve, as a change of velocity [m/s]
  double exponential_error = 0;    ///< its estimated error, as a share of the speed
  std::string exponential_method;  ///< how it was computed: "lanczos" or "arnoldi"
  int modes = 0;  ///< carried exactly, rigid motions included; fewer than asked where the body has fewer
  /// Of methods that mix in another one to hold the energy: the share of backward Euler or, negative, of forward Euler.
  std::optional<double> blend;
  int dynamic_nodes = 0;           ///< of a condensed body, in this step
  std::vector<double> liveliness;  ///< by which adaptive nodes switch, one number each [1/s]
  std::vector<char> awake;         ///< whether each adaptive node is dynamic in this step
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Advances the state by h [s].
  virtual StepReport step(const System& system, State& state, double h) = 0;
  /// Told when something else has just changed the velocities of its state by dv: a method that looks back must not
  /// take that for an acceleration.
  virtual void on_velocity_impulse(State&, const VectorXd&) const {}
};

/// Takes fields over the free points of a body, one after the other, to the body that a cut has made of it: each piece
/// of it has its share of every field as a field of its own.
using CarryFields = std::function<VectorXd(const VectorXd& fields)>;

struct IntegratorEntry : Entry {
  std::function<std::unique_ptr<Integrator>(const Options&)> make;
  /// closed-form spectral radius per step on the undamped oscillator, or empty
  std::function<double(const Options&, double h_omega)> amplification;
  /// whether the method is still itself when it starts anew with every step, as a condensed body makes it do
  bool restartable = true;
  /// what the method remembers after a cut, made of what it remembered before; nothing where this is empty
  std::function<std::vector<VectorXd>(const std::vector<VectorXd>& memory, const CarryFields& carry)> after_cut = {};
};

/// Every integrator, in the order in which `brio list` shows them.
const std::vector<IntegratorEntry>& integrators();
Table<IntegratorEntry>& integrator_table();  ///< the same, to add rows to

}  // namespace brio
