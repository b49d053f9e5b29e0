#pragma once
// A piece that nothing holds comes to rest only in a frame that accelerates with it.

#include "brio/system/system.hpp"

namespace brio {

/// Moves from `force` into `rigid` what accelerates each free piece as a whole, its weight above all, for that must not
/// strain it. At rest on the ground there is no such force, and nothing changes. `rigid` takes the size it needs [N].
void take_out_rigid_acceleration(const System& system, const VectorXd& q, VectorXd& force, VectorXd& rigid);

}  // namespace brio
