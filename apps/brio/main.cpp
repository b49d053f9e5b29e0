#include "brio/linalg/blas_setup.hpp"

int main(int, char** argv) {
  brio::ensure_fast_blas(argv);
  return 0;
}
