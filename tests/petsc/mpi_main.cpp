// The tests on several ranks: each runs all of them, and the first one says what came out.

#include "brio/linalg/blas_setup.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/ranks.hpp"
#include "brio/petsc/petsc_engine.hpp"
#include "brio/petsc/session.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  brio::ensure_fast_blas(argv);
  brio::begin_petsc();
  brio::provide_engine(brio::petsc_engine());
  brio::set_thread_count(0);
  testing::InitGoogleTest(&argc, argv);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (!brio::ranks().writes()) delete listeners.Release(listeners.default_result_printer());
  const int failed = RUN_ALL_TESTS();
  if (failed && !brio::ranks().writes()) {
    const auto* all = testing::UnitTest::GetInstance();
    for (int s = 0; s < all->total_test_suite_count(); ++s)
      for (int t = 0; t < all->GetTestSuite(s)->total_test_count(); ++t) {
        const auto* test = all->GetTestSuite(s)->GetTestInfo(t);
        for (int p = 0; p < test->result()->total_part_count(); ++p)
          if (test->result()->GetTestPartResult(p).failed())
            std::fprintf(stderr, "rank %d: %s.%s: %s\n", brio::ranks().rank(), test->test_suite_name(), test->name(),
                         test->result()->GetTestPartResult(p).message());
      }
  }
  return failed;
}
