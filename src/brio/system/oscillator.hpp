#pragma once
// The one-degree-of-freedom oscillator of [ERE] eq. 3, q'' + d q' + omega^2 q = 0, as a real system: a vertex on a soft
// attachment, so three copies of it (x, y, z) that know nothing of each other.

#include "brio/system/nodal_system.hpp"

namespace brio {

/// Mass [kg] on a spring to the origin with angular frequency omega [rad/s]; damping.alpha is d [1/s].
NodalSystem oscillator(double omega, double mass = 2, RayleighDamping damping = {});

}  // namespace brio
