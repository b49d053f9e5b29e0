#include "brio/material/fiber_laws.hpp"

#include "brio/material/fiber_material.hpp"

namespace brio {
namespace {

std::vector<Option> fiber_options() {
  return {Option::number("kappa", "Pa", "stiffness along the fiber at small strain").above(0),
          Option::boolean("tension_only", "the fiber goes slack when shorter than at rest").with_default(false)};
}

template <class Law>
std::unique_ptr<Material> make_fiber(const Law& law, const Options& o) {
  return std::make_unique<FiberMaterial<Law>>(law, o.boolean("tension_only"));
}

}  // namespace

MaterialEntry quadratic_fiber_entry() {
  return {{"fiber-quadratic", "kappa/2 (|F d| - 1)^2: a spring along the fiber d", fiber_options()},
          [](const Options& o) { return make_fiber(QuadraticFiber{o.number("kappa")}, o); }};
}

MaterialEntry stvk_fiber_entry() {
  return {{"fiber-stvk", "kappa/8 (|F d|^2 - 1)^2: anisotropic St. Venant-Kirchhoff", fiber_options()},
          [](const Options& o) { return make_fiber(StvkFiber{o.number("kappa")}, o); }};
}

MaterialEntry fung_fiber_entry() {
  std::vector<Option> options = fiber_options();
  options.push_back(Option::number("b", "", "how fast it stiffens with (|F d|^2 - 1)^2")
                        .with_default(1.0)
                        .at_least(1e-6)
                        .at_most(1e6));
  return {{"fiber-fung", "kappa/(8b) (exp(b (|F d|^2 - 1)^2) - 1): Fung's exponentially stiffening tissue", options},
          [](const Options& o) {
            return make_fiber(FungFiber{o.number("kappa"), o.number("b")}, o);
          }};
}

}  // namespace brio
