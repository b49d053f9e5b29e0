#include "brio/integrate/methods/si.hpp"

#include "brio/integrate/parts/amplification.hpp"

namespace brio {

void SemiImplicitEuler::update(const State&, double h, StepReport& report, Stopwatch& watch) {
  solve_increment(velocity_, force_, h, dv_, report, watch);
  dq_ = h * (velocity_ + dv_);
}

IntegratorEntry SemiImplicitEuler::entry() {
  return {{"si",
           "linearly implicit Euler: one linear solve a step, robust, loses energy",
           {Option::number("beta", "", "factor on h^2 K: above 1 more damping, 1/2 the least that is stable")
                .with_default(1.0)
                .above(0),
            psd_option(), frame_option()}},
          [](const Options& o) {
            return std::make_unique<SemiImplicitEuler>(o.number("beta"), psd_policy(o), frame_policy(o));
          },
          [](const Options& o, double z) {
            // With D = 1 + beta z^2: v1 = (v0 - z x0) / D, x1 = x0 + z v1, where x = omega q.
            const double D = 1 + o.number("beta") * z * z;
            return spectral_radius((D - z * z + 1) / D, 1 / D);
          },
          true,
          {kGained},
          psd_remedy,
          condensed_stepping};
}

}  // namespace brio
