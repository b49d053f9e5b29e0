#include "brio/integrate/step_work.hpp"

#include "brio/core/error.hpp"

#include <algorithm>

namespace brio {

PhaseTimes& PhaseTimes::operator+=(const PhaseTimes& more) {
  assembly += more.assembly;
  factor += more.factor;
  solve += more.solve;
  other += more.other;
  return *this;
}

std::optional<double> Extras::find(std::string_view name) const {
  for (const Entry& entry : entries())
    if (entry.what->name == name) return entry.value;
  return {};
}

double& Extras::at(const Extra& what) {
  for (size_t i = 0; i < size_; ++i)
    if (entries_[i].what->name == what.name) return entries_[i].value;
  if (size_ == kMost) throw Error("{}: a step has at most {} extras", what.name, kMost);
  entries_[size_] = {&what, 0};
  return entries_[size_++].value;
}

Extras& Extras::operator+=(const Extras& later) {
  for (const auto& [what, value] : later.entries()) {
    double& mine = at(*what);
    switch (what->over) {
      case Extra::Over::sum:
      case Extra::Over::mean:
        mine += value;
        break;
      case Extra::Over::largest:
        mine = std::max(mine, value);
        break;
      case Extra::Over::last:
      case Extra::Over::curve:
        mine = value;
    }
  }
  return *this;
}

void Extras::take_means(int steps) {
  for (size_t i = 0; i < size_ && steps > 0; ++i)
    if (entries_[i].what->over == Extra::Over::mean) entries_[i].value /= steps;
}

StepWork& StepWork::operator+=(const StepWork& later) {
  for (const WorkCounter& counter : work_counters()) this->*counter.value += later.*counter.value;
  time += later.time;
  extras += later.extras;
  return *this;
}

std::span<const WorkCounter> work_counters() {
  static constexpr WorkCounter kCounters[] = {
      {"factorizations", "of the matrices of steps", &StepWork::factorizations},
      {"solves", "right-hand sides solved for", &StepWork::solves},
      {"projections",
       "steps that needed the projected stiffness although unprojected was asked for first",
       &StepWork::projections,
       {"with projected stiffness"}},
      {"shifts",
       "how often a matrix had to be shifted to be positive definite",
       &StepWork::shifts,
       {"with a shifted matrix", 0.1, "a smaller step"}},
      {"iterations", "of the solver of an implicit step; of ksiere, blocks of solves", &StepWork::iterations},
      {"halvings", "how often a step was taken as two half steps", &StepWork::halvings, {"halved"}},
      {"unconverged", "attempts that a solver gave up", &StepWork::unconverged},
  };
  return kCounters;
}

}  // namespace brio
