#include "brio/linalg/blas_setup.hpp"

#include <gtest/gtest.h>

namespace brio::testing {
namespace {

constexpr CpuFeatures kOld{}, kAvx{true, false, false}, kAvx2{true, true, false}, kAvx512{true, true, true};

TEST(BlasSetup, asks_for_the_kernels_that_the_cpu_can_run) {
  for (const char* slow : {"Prescott", "prescott", "Core2", "Penryn", "Nehalem", "Barcelona", "generic"}) {
    EXPECT_EQ(better_core_type(slow, kAvx512), "SkylakeX") << slow;
    EXPECT_EQ(better_core_type(slow, kAvx2), "Haswell") << slow;
    EXPECT_EQ(better_core_type(slow, kAvx), "Sandybridge") << slow;
    EXPECT_EQ(better_core_type(slow, kOld), "") << slow;
  }
  EXPECT_EQ(better_core_type("Sandybridge", kAvx512), "SkylakeX");
  EXPECT_EQ(better_core_type("Sandybridge", kAvx2), "Haswell");
  EXPECT_EQ(better_core_type("Sandybridge", kAvx), "");
}

TEST(BlasSetup, leaves_fast_and_unknown_kernels_alone) {
  for (const char* fine : {"Haswell", "Zen", "SkylakeX", "Cooperlake", "Sapphirerapids", "armv8", "Zen7", ""})
    for (const CpuFeatures& cpu : {kOld, kAvx, kAvx2, kAvx512}) EXPECT_EQ(better_core_type(fine, cpu), "") << fine;
}

}  // namespace
}  // namespace brio::testing
