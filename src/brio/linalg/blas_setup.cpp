#include "brio/linalg/blas_setup.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#ifdef BRIO_SUITESPARSE
#include "brio/core/log.hpp"

#include <fmt/format.h>

#include <cblas.h>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
#endif

namespace brio {
namespace {

// OpenBLAS's names for its kernels that stay below AVX2. Names that are not here are newer, and left alone.
constexpr std::array<std::string_view, 12> kSseCores = {"generic",    "prescott",     "core2",     "penryn",
                                                        "dunnington", "atom",         "nehalem",   "athlon",
                                                        "opteron",    "opteron_sse3", "barcelona", "bobcat"};
constexpr std::array<std::string_view, 4> kAvxCores = {"sandybridge", "bulldozer", "piledriver", "steamroller"};

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  return text;
}

}  // namespace

std::string better_core_type(const std::string& core, const CpuFeatures& cpu) {
  const std::string name = lower_case(core);
  const bool sse = std::ranges::count(kSseCores, name) > 0, avx = std::ranges::count(kAvxCores, name) > 0;
  if (!sse && !avx) return "";
  if (cpu.avx512) return "SkylakeX";
  if (cpu.avx2) return "Haswell";
  return sse && cpu.avx ? "Sandybridge" : "";
}

#ifdef BRIO_SUITESPARSE
namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";

CpuFeatures this_cpu() {
  CpuFeatures cpu;
#ifdef __x86_64__
  cpu.avx = __builtin_cpu_supports("avx");
  cpu.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  cpu.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
  return cpu;
}

/// Also "" when OPENBLAS_CORETYPE is set already, which is what ends the restarts.
std::string better_core_type() {
  return std::getenv(kVariable) ? "" : better_core_type(openblas_get_corename(), this_cpu());
}

}  // namespace

void ensure_fast_blas(char** argv) {
  const std::string better = better_core_type();
  if (better.empty()) return;
  setenv(kVariable, better.c_str(), 1);
  execv("/proc/self/exe", argv);
  unsetenv(kVariable);  // not restarted: OpenBLAS reads the variable only when it is loaded
}

void warn_about_slow_blas() {
  static std::once_flag once;
  std::call_once(once, [] {
    const std::string better = better_core_type();
    if (!better.empty())
      log_warning(fmt::format("OpenBLAS runs its {} kernels, far below this CPU: set {}={} before the program starts",
                              openblas_get_corename(), kVariable, better));
  });
}
// Of OpenBLAS, but in none of its headers; another BLAS has not got them.
extern "C" {
__attribute__((weak)) void* blas_memory_alloc(int);
__attribute__((weak)) void blas_memory_free(void*);
}

void reserve_blas_buffers(int threads) {
  static std::mutex mutex;
  static int reserved = 0;
  constexpr size_t kBuffer = size_t{128} << 20;  // of Debian's OpenBLAS for one thread [byte]
  const std::lock_guard lock(mutex);
  if (threads <= reserved || !blas_memory_alloc || !blas_memory_free) return;
  const size_t wanted = kBuffer * static_cast<size_t>(threads - reserved);
  void* trial = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (trial == MAP_FAILED) throw std::bad_alloc();
  munmap(trial, wanted);
  std::vector<void*> buffers;
  for (int i = 0; i < threads; ++i) buffers.push_back(blas_memory_alloc(0));
  for (void* buffer : buffers) blas_memory_free(buffer);  // it keeps them for those who come next
  reserved = threads;
}
#else
void ensure_fast_blas(char**) {}
void reserve_blas_buffers(int) {}
void warn_about_slow_blas() {}
#endif

}  // namespace brio
