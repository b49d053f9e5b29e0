#include "brio/linalg/blas_setup.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  brio::ensure_fast_blas(argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
