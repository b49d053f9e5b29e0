#include "brio/linalg/blas_setup.hpp"

namespace brio {

void ensure_fast_blas(char**) {}
void warn_about_slow_blas() {}

}  // namespace brio
