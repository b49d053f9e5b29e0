#include "brio/system/without_obstacles.hpp"

#include "brio/linalg/conjugate_gradients.hpp"
#include "brio/system/nodal_linearization.hpp"

namespace brio {

std::unique_ptr<Linearization> WithoutObstacles::linearization() const {
  return std::make_unique<NodalLinearization>(system_, nullptr, Obstacles::left_out);
}

std::unique_ptr<Linearization> WithoutObstacles::iterative_linearization(double tolerance, int iterations) const {
  return std::make_unique<NodalLinearization>(
      system_, make_conjugate_gradients(system_.pattern(), tolerance, iterations), Obstacles::left_out);
}

}  // namespace brio
