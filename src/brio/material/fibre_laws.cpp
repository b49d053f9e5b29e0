#include "brio/material/fibre_laws.hpp"

#include "brio/material/fibre_material.hpp"

namespace brio {
namespace {

std::vector<Option> fibre_options() {
  return {Option::number("kappa", "Pa", "stiffness along the fibre at small strain").above(0),
          Option::boolean("tension_only", "the fibre goes slack when shorter than at rest").with_default(false)};
}

template <class Law>
std::unique_ptr<Material> make_fibre(const Law& law, const Options& o) {
  return std::make_unique<FibreMaterial<Law>>(law, o.boolean("tension_only"));
}

}  // namespace

MaterialEntry quadratic_fibre_entry() {
  return {{"fibre-quadratic", "kappa/2 (|F d| - 1)^2: a spring along the fibre d", fibre_options()},
          [](const Options& o) { return make_fibre(QuadraticFibre{o.number("kappa")}, o); }};
}

MaterialEntry stvk_fibre_entry() {
  return {{"fibre-stvk", "kappa/8 (|F d|^2 - 1)^2: anisotropic St. Venant-Kirchhoff", fibre_options()},
          [](const Options& o) { return make_fibre(StvkFibre{o.number("kappa")}, o); }};
}

MaterialEntry fung_fibre_entry() {
  std::vector<Option> options = fibre_options();
  options.push_back(Option::number("b", "", "how fast it stiffens with (|F d|^2 - 1)^2")
                        .with_default(1.0)
                        .at_least(1e-6)
                        .at_most(1e6));
  return {{"fibre-fung", "kappa/(8b) (exp(b (|F d|^2 - 1)^2) - 1): Fung's exponentially stiffening tissue", options},
          [](const Options& o) {
            return make_fibre(FungFibre{o.number("kappa"), o.number("b")}, o);
          }};
}

}  // namespace brio
