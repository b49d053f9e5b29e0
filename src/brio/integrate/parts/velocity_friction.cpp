#include "brio/core/error.hpp"
#include "brio/integrate/parts/velocity_operator.hpp"
#include "brio/system/contact_system.hpp"

#include <algorithm>

namespace brio {
namespace {

/// Equation 39 of [STABLE] takes a share of the contact's acceleration out of the sliding velocity. Its direction
/// is that of the sliding, and it never turns it round: Coulomb's law with the normal impulse h f.
class Friction : public VelocityOperator {
 public:
  void prepare(const System& system) override {
    contacts_ = system.contacts();
    if (!contacts_) throw Error("friction: this system has no contacts with obstacles; leave it out");
    mass_ = system.mass();
  }
  double apply(State& state, double h) override {
    contacts_->find_touches(state.t, state.q, state.t, state.q, touches_);
    double taken = 0;
    for (const Touch& touch : touches_) {
      const double mass = mass_[3 * touch.point];
      auto v = state.v.segment<3>(3 * touch.point);
      const Vec3 before = v, apart = before - touch.velocity;
      const Vec3 sliding = apart - touch.normal.dot(apart) * touch.normal;
      const double speed = sliding.norm();
      if (speed == 0) continue;
      v -= std::min(1.0, touch.friction * h * touch.force() / (mass * speed)) * sliding;
      taken += 0.5 * mass * (before - v).dot(before + v);
    }
    return taken;
  }

 private:
  const ContactSystem* contacts_ = nullptr;  ///< of the system that it was prepared for
  VectorXd mass_;                            ///< [kg]
  std::vector<Touch> touches_;
};

}  // namespace

std::unique_ptr<VelocityOperator> friction() { return std::make_unique<Friction>(); }

}  // namespace brio
