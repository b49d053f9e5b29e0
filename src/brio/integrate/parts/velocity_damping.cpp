#include "brio/integrate/parts/rigid_motion.hpp"
#include "brio/integrate/parts/velocity_operator.hpp"

#include <cmath>

namespace brio {
namespace {

class DeformationDamping : public VelocityOperator {
 public:
  explicit DeformationDamping(double rate) : rate_(rate) {}

  void prepare(const System& system) override { system_ = &system; }
  double apply(State& state, double h) override {
    const System& system = *system_;
    const double share = -std::expm1(-rate_ * h);
    momentum_ = system.mass().cwiseProduct(state.v);
    double taken = 0;
    for (const Points& piece : system.free_pieces()) taken += damp(piece, system.mass(), share, state);
    // A held piece has no momentum of its own to keep; its best rigid motion is left to it, so that a pendulum swings
    // on.
    for (const Points& piece : system.held_pieces()) taken += damp(piece, system.mass(), share, state);
    return taken;
  }

 private:
  double damp(const Points& points, const VectorXd& mass, double share, State& state) const {
    const Vec3 center = mean(points, mass, state.q), drift = mean(points, mass, state.v);
    const Vec3 spin =
        inverse_inertia(inertia(points, mass, state.q, center)) * moment(points, state.q, center, momentum_);
    double taken = 0;
    for (int i : points) {
      auto v = state.v.segment<3>(3 * i);
      const Vec3 before = v;
      v -= share * (before - drift - spin.cross(state.q.segment<3>(3 * i) - center));
      // the difference of the squares, without cancellation
      taken += 0.5 * mass[3 * i] * (before - v).dot(before + v);
    }
    return taken;
  }

  double rate_;                     ///< [1/s]
  const System* system_ = nullptr;  ///< what it was prepared for
  VectorXd momentum_;
};

}  // namespace

std::unique_ptr<VelocityOperator> deformation_damping(double rate) {
  return std::make_unique<DeformationDamping>(rate);
}

}  // namespace brio
