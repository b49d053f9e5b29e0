#pragma once
// Where the body starts from and how fast: stretched, twisted, shaken up, thrown or spinning.

#include "brio/scene/scene.hpp"
#include "brio/system/nodal_system.hpp"

namespace brio {

State initial_state(const NodalSystem& system, const InitialSpec& initial);

}  // namespace brio
