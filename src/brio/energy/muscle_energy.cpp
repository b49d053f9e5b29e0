#include "brio/energy/muscle_energy.hpp"

#include "brio/material/active_fiber.hpp"

#include <tbb/task_arena.h>

#include <algorithm>

namespace brio {

MuscleEnergy::MuscleEnergy(const TetMesh& mesh, std::vector<MusclePart> parts, int first_vertex)
    : Energy(Ledger::elastic), parts_(std::move(parts)) {
  std::vector<ElasticPart> elastic;
  for (const MusclePart& part : parts_) {
    strength_.push_back(std::make_shared<double>(0));
    elastic.push_back({active_fiber(strength_.back(), part.width), part.tets});
  }
  elastic_ = make_solid_energy(mesh, std::move(elastic), first_vertex);
}

void MuscleEnergy::evaluate(double t, const VectorXd& x, const EnergyWant& want) const {
  const std::lock_guard lock(evaluation_);
  for (size_t i = 0; i < parts_.size(); ++i) *strength_[i] = parts_[i].stress * parts_[i].activation(t);
  // A thread that waits for its own tasks must not begin another evaluation of this energy meanwhile.
  tbb::this_task_arena::isolate([&] { elastic_->evaluate(t, x, want); });
}

bool MuscleEnergy::time_dependent() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const MusclePart& part) { return !part.activation.constant(); });
}

}  // namespace brio
