#include "brio/material/active_fibre.hpp"

#include "brio/material/fibre_material.hpp"

namespace brio {

std::shared_ptr<const Material> active_fibre(std::shared_ptr<const double> strength, double width) {
  return std::make_shared<FibreMaterial<ActiveFibre>>(ActiveFibre{std::move(strength), width}, false);
}

}  // namespace brio
