#pragma once
// A step that keeps its energy: the implicit midpoint rule (or another base) and, where that misses the energy which
// the body should have, as much of backward or forward Euler as brings it there ([STABLE], algorithm 1).

#include "brio/integrate/methods/implicit_scheme.hpp"
#include "brio/integrate/parts/outside_work.hpp"

namespace brio {

class Stabilized : public Integrator {
 public:
  /// Corrects the base when it misses the target by more than epsilon times the energy that can move.
  Stabilized(std::unique_ptr<Integrator> base, std::unique_ptr<ImplicitIntegrator> backward, double epsilon);
  void prepare(const System& system) override;
  StepReport step(State& state, double h) override;
  bool meets_obstacles() const override { return true; }
  static IntegratorEntry entry();

 private:
  struct Goal {
    double target, tolerance;  ///< [J]
  };
  /// Mixes as much of other_ into end_ as the goal needs and returns how much. `miss` is how far end_ is from the
  /// target [J]; where other_ does not reach the target either, the share is `without_root`.
  double mix(const Goal& goal, double miss, double without_root);
  /// Puts backward Euler's step into end_.
  bool take_backward(const State& state, double h, StepReport& report);
  double kinetic(const VectorXd& v) const { return 0.5 * v.dot(system_->mass().cwiseProduct(v)); }

  /// The potential energy where the last step ended, so that the next need not look again; it only saves time.
  struct Known {
    double t = 0;
    VectorXd q;
    Potentials potentials;
    bool is_at(const System& system, const State& state) const {
      return (t == state.t || !system.time_dependent()) && q.size() == state.q.size() && q == state.q;
    }
  };

  std::unique_ptr<Integrator> base_, forward_;
  std::unique_ptr<ImplicitIntegrator> backward_;
  double epsilon_;
  const System* system_ = nullptr;  ///< what it was prepared for
  State end_, other_;
  Known known_;
  Evaluation at_base_;     ///< where the base led: there the correction starts, and the way of the mixture
  Potentials potentials_;  ///< of end_
  OutsideWork outside_;
  VectorXd q_, way_, speed_up_;
};

}  // namespace brio
