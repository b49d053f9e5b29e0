#include "brio/scene/simulation.hpp"

namespace brio {

Simulation::Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

}  // namespace brio
