// Modes by SLEPc against those that one process finds.

#include <gtest/gtest.h>

#include "petsc/one_rank.hpp"
#include "support/engine_cases.hpp"

namespace brio::testing {
namespace {

TEST(ModesOverRanks, are_those_of_one_process) {
  for (const auto& make : bodies_with_modes()) {
    SCOPED_TRACE(&make - bodies_with_modes().data());
    const auto one = alone([&] { return find_vibrations(make({}), 8); });
    expect_same_modes(one, find_vibrations(make({"integrator.engine=petsc"}), 8));
  }
}

}  // namespace
}  // namespace brio::testing
