#pragma once
// One vibration mode over one step, exactly or by backward Euler. The mode's displacement x starts at 0 with velocity a
// and obeys x'' = b - d (x' - a) - lambda x, where b is the modal force at the start (damping included).

namespace brio {

struct Mode {
  double lambda;  ///< omega^2; negative for an unstable direction, 0 for a rigid one [1/s^2]
  double d;       ///< damping per unit mass [1/s]
  double a;       ///< modal velocity at the start [m sqrt(kg)/s]
  double b;       ///< modal force [m sqrt(kg)/s^2]
};

struct ModeStep {
  double dq, dv;
};

/// The exact solution with the integral of the displacement over the step [m sqrt(kg) s].
struct ModePath : ModeStep {
  double sum;
};

/// The exact solution after h, in real arithmetic for any sign of lambda ([ERE] eq. 9 in one mode).
ModePath exponential_step(const Mode& mode, double h);

/// Backward Euler, which is what linearly implicit Euler does to a mode.
ModeStep backward_euler_step(const Mode& mode, double h);

}  // namespace brio
