#include "cushion.hpp"

namespace brio {

void Cushion::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const int y = 3 * vertices_[i] + 1;
    const double depth = y0_ - x[y];
    if (depth <= 0) continue;
    if (want.value) *want.value += k_ * depth * depth * depth / 3;
    if (want.gradient) (*want.gradient)[y] -= k_ * depth * depth;
    // Entry (1, 1) of the vertex's 3x3 block, where the vertex moves freely. It is never negative, so that there is
    // nothing to project.
    if (want.hessian && slot_[i] >= 0) want.hessian->block(slot_[i])[4] += 2 * k_ * depth;
  }
}

EnergyEntry cushion_entry() {
  return {{"cushion",
           "a soft floor whose force grows with the square of the depth",
           {Option::number("stiffness", "N/m^2", "force over squared depth, at each vertex").above(0),
            Option::number("height", "m", "where it begins").with_default(0.0)}},
          [](const Options& o, const EnergyTarget& target) {
            return std::make_unique<Cushion>(target.vertices, o.number("stiffness"), o.number("height"));
          }};
}

}  // namespace brio
