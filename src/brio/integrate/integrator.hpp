#pragma once
// One interface for every time-stepping method.

#include "brio/core/archive.hpp"
#include "brio/core/table.hpp"
#include "brio/integrate/step_work.hpp"
#include "brio/system/system.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace brio {

struct ContactForces;  // integrate/contact_forces.hpp

enum class StepStatus { ok, diverged };

/// What happened in one step. On `diverged` the state is the one before the step.
struct StepReport : StepWork {
  StepStatus status = StepStatus::ok;
  std::string reason;              ///< what went wrong, when it did
  double dissipated = 0;           ///< energy taken out by the damping matrix D [J]
  int deepest_halving = 0;         ///< the shortest piece was h / 2^this
  double residual = 0;             ///< of the last solve, as a change of velocity [m/s]
  std::vector<double> liveliness;  ///< by which adaptive nodes switch, one number each [1/s]
  std::vector<char> awake;         ///< whether each adaptive node is dynamic in this step
  int contacts = 0;                ///< pairs of surfaces that push each other at its end
  double smallest_gap = 0;         ///< among them, negative in an obstacle; 0 where there are none [m]
  double largest_contact_force = 0;  ///< of one of them, along the normal [N]
  /// All of them, of bodies that touch each other; the next step overwrites it. Null where nothing can.
  std::shared_ptr<const ContactForces> contact_forces = nullptr;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Makes ready for a system, which must stay as it is and where it is while it is stepped: allocates and chooses how
  /// to compute. Throws Error, naming the option, where the method cannot drive it.
  virtual void prepare(const System& system) = 0;
  /// Advances a state of the prepared system by h [s]. What goes wrong is in the report; nothing is thrown.
  virtual StepReport step(State& state, double h) = 0;
  /// Told when something else has just changed the velocities of its state by dv: a method that looks back must not
  /// take that for an acceleration.
  virtual void on_velocity_impulse(State&, const VectorXd&) {}
  /// The same for positions.
  virtual void on_displacement(State&, const VectorXd&) {}
  /// Whether it asks System::contacts() for obstacles, so that friction is in its steps. Others feel obstacles as
  /// energies among others, and friction after the step.
  virtual bool meets_obstacles() const { return false; }
};

/// How a condensed body is stepped by a method, so far as the method's own options say.
struct CondensedStepping {
  bool clamp = false;  ///< project the stiffness always, not only where it cannot be factored
  bool frames = true;  ///< step free pieces that nothing touches in frames that move with them
};

struct IntegratorEntry : Entry {
  std::function<std::unique_ptr<Integrator>(const Options&)> make;
  /// closed-form spectral radius per step on the undamped oscillator, or empty
  std::function<double(const Options&, double h_omega)> amplification;
  /// whether the method is still itself when it starts anew with every step, as a condensed body makes it do
  bool restartable = true;
  /// what its steps report beside the counters that all methods share
  std::vector<Extra> extras = {};
  /// what to try beside a smaller step when a run with these options blows up, as "\"psd\": \"clamp\""; may be empty
  std::function<std::string(const Options&)> remedy = {};
  /// may be empty for the defaults
  std::function<CondensedStepping(const Options&)> condensed = {};
  /// whether its first step takes far longer than the others, so that it says nothing about them
  bool slow_start = false;
  /// what to know before a system is stepped with these options, beginning with the option's place, or ""; may be empty
  std::function<std::string(const Options&, const System&)> warning = {};
};

/// Every integrator, in the order in which `brio list` shows them.
const std::vector<IntegratorEntry>& integrators();
Table<IntegratorEntry>& integrator_table();  ///< the same, to add rows to

/// Those that may drive bones and condensed bodies, as a list for people.
std::string restartable_integrators();

/// What any of the integrators, or condensation, declares.
std::vector<Extra> declared_extras();
/// The declaration of that name, which stays where it is, or null.
const Extra* find_declared_extra(std::string_view name);
/// Throws Error for an extra that nobody declares.
void archive_work(Archive& archive, StepWork& work);
/// Those of them that are shown step by step.
std::vector<Extra> declared_curves();

}  // namespace brio
