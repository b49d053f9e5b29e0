#include "brio/linalg/blas_setup.hpp"

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  brio::ensure_fast_blas(argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
