#include "brio/material/active_fiber.hpp"

#include "brio/material/fiber_material.hpp"

namespace brio {

std::shared_ptr<const Material> active_fiber(std::shared_ptr<const double> strength, double width) {
  return std::make_shared<FiberMaterial<ActiveFiber>>(ActiveFiber{std::move(strength), width}, false);
}

}  // namespace brio
