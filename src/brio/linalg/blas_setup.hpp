#pragma once
// Puts right what Debian's OpenBLAS gets wrong on CPUs that it does not know (it falls back to SSE3 kernels, a quarter
// of the speed).

namespace brio {

/// For programs, first thing in main: when OpenBLAS has picked kernels below what the CPU can do, sets
/// OPENBLAS_CORETYPE and starts the program again with the same arguments. Returns otherwise.
void ensure_fast_blas(char** argv);

/// For hosts that cannot restart: logs a line with the variable to set when OpenBLAS is slower than it should be.
void warn_about_slow_blas();

}  // namespace brio
