#pragma once
// Works around Debian's OpenBLAS on CPUs that it does not know, where it falls back to SSE3 kernels at a quarter of the
// speed.

#include <string>

namespace brio {

/// For programs, first thing in main: when OpenBLAS has picked kernels below what the CPU can do, sets
/// OPENBLAS_CORETYPE and starts the program again with the same arguments. Returns otherwise.
void ensure_fast_blas(char** argv);

/// For hosts that cannot restart: logs a line, once, with the variable to set when OpenBLAS is slower than it should
/// be.
void warn_about_slow_blas();

/// Lets OpenBLAS take what it works in for so many threads at a time, before a factor takes the memory: where there is
/// none left, it would ask for it again and again, for ever. Throws std::bad_alloc instead.
void reserve_blas_buffers(int threads);

/// What matters for the choice of kernels.
struct CpuFeatures {
  bool avx = false;
  bool avx2 = false;    ///< with FMA
  bool avx512 = false;  ///< F, DQ, BW and VL
};

/// The OPENBLAS_CORETYPE to ask for when `core`, the kernels that OpenBLAS has loaded, leaves such a CPU's vector
/// instructions unused; "" when they are fine.
std::string better_core_type(const std::string& core, const CpuFeatures& cpu);

}  // namespace brio
