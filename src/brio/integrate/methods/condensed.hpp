#pragma once
// Drives a body that is reduced to a few dynamic nodes ([CONJAC]) with any integrator: per step the body is condensed
// at its present shape, the integrator steps the small system, and the quasistatic points are brought nearer to rest.
// The state stays that of the whole body. Method: docs/conjac.md.

#include "brio/integrate/integrator.hpp"
#include "brio/integrate/parts/moving_frames.hpp"
#include "brio/system/condensed_system.hpp"
#include "brio/system/stretch_rate.hpp"

namespace brio {

/// Nodes that are dynamic only while the body around them is lively ([CONJAC] section 3).
struct AdaptiveOptions {
  double threshold = 0.02;  ///< of the mean rate of stretching, from which on a node is dynamic [1/s]
  int window = 10;          ///< steps that the rate is averaged over
  double hysteresis = 0;    ///< a dynamic node falls asleep below (1 - this) threshold
};

struct CondensationOptions {
  double gamma = 1.0 / 3;  ///< part of the Newton step that the quasistatic points take in a step, [CONJAC] eq. 13
  bool newton = false;     ///< bring them all the way to rest instead
  CondensedStepping stepping;
  std::optional<AdaptiveOptions> adaptive;
};

/// The nodes, as vertices of the full system; none of them supported, each once.
struct DynamicNodes {
  std::vector<int> chosen;   ///< these may fall asleep
  std::vector<int> anchors;  ///< always dynamic: without them a free piece would have no place in space
};

/// What the steps of a condensed body report.
inline constexpr Extra kDynamicNodes{"dynamic_nodes", "dynamic nodes of a condensed body in the last step", "",
                                     Extra::Over::last};
inline constexpr Extra kSwitches{"switches", "of a condensed body's nodes, between dynamic and quasistatic", ""};

class CondensedIntegrator : public Integrator {
 public:
  using MakeIntegrator = std::function<std::unique_ptr<Integrator>()>;

  /// `regions`: one for each chosen node, where the nodes are adaptive; may be null otherwise.
  CondensedIntegrator(MakeIntegrator make_inner, CondensationOptions options, DynamicNodes nodes,
                      std::shared_ptr<const StretchRate> regions = nullptr);
  /// The system must be a NodalSystem or a BoneChart.
  void prepare(const System& system) override;
  /// An adaptive run keeps the rates of past steps in State::memory.
  StepReport step(State& state, double h) override;
  /// Takes velocities to the nearest that the nodes can have: [CONJAC] section 4, BUNNY.
  void on_velocity_impulse(State& state, const VectorXd& dv) override;

 private:
  void choose_nodes(const State& state, StepReport& report);
  void set_boundary();
  bool enter_frames(const State& state, double h, const OutsideForces& outside, const VectorXd& load, VectorXd& force);
  void leave_frames(const State& state, double h);
  void advance(const State& state, double h, StepReport& report);
  void correct(double t, StepReport& report);
  void attempt(const State& state, double h, bool clamp, StepReport& report);
  bool gained_energy(const State& state) const;
  void remember(double h);

  MakeIntegrator make_inner_;
  CondensationOptions options_;
  DynamicNodes nodes_;
  std::shared_ptr<const StretchRate> regions_;

  std::unique_ptr<Integrator> inner_;
  std::unique_ptr<CondensedSystem> condensed_;
  std::unique_ptr<MovingFrames> frames_;   ///< none where nothing is free
  std::vector<char> awake_, bound_awake_;  ///< per chosen node: now, and those for which condensed_ was made
  VectorXd rates_;                         ///< of the steps in the window, one row of nodes after the other [1/s]
  State next_, small_;
  VectorXd velocity_;  ///< at the beginning of the step, of free pieces as seen in their frames [m/s]
  VectorXd rate_, correction_, step_, load_;
  SettlingStep settling_;
  Potentials after_;  ///< at the end of the step [J]
  MatrixX3d x_, u_;
  double h_ = 0;  ///< length of the last step; 0 before the first [s]
};

}  // namespace brio
