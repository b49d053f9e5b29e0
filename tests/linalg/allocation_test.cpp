// Counts every operator new of the program, to show that factor() and solve() call none once they are warm.

#include "brio/core/parallel.hpp"
#include "brio/linalg/cholesky.hpp"

#include <gtest/gtest.h>

#include "linalg/bar_problem.hpp"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations = 0;

void* counted(void* memory) {
  ++allocations;
  return memory ? memory : throw std::bad_alloc();
}

}  // namespace

// Not inlined, or else the compiler sees free() on what it thinks came from another operator new.
#define NOT_INLINED __attribute__((noinline))
NOT_INLINED void* operator new(size_t size) { return counted(std::malloc(std::max<size_t>(size, 1))); }
// The sanitizer has one of its own for this, whose memory the operator below may not free.
NOT_INLINED void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(std::max<size_t>(size, 1));
}
NOT_INLINED void* operator new(size_t size, std::align_val_t alignment) {
  const size_t a = static_cast<size_t>(alignment);
  return counted(std::aligned_alloc(a, (std::max<size_t>(size, 1) + a - 1) / a * a));
}
NOT_INLINED void operator delete(void* memory) noexcept { std::free(memory); }
NOT_INLINED void operator delete(void* memory, size_t) noexcept { std::free(memory); }
NOT_INLINED void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
NOT_INLINED void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace brio::testing {
namespace {

TEST(CholeskyAllocation, nothing_after_the_first_call) {
  const auto pattern = box_pattern(16, 6, 6);
  const BlockMatrix K = spring_matrix(pattern);
  const Index rows = 3 * pattern->blocks_per_side;
  const VectorXd shift = VectorXd::Ones(rows);
  const auto cholesky = make_cholesky(pattern);
  MatrixXd one = random_matrix(rows, 1, 3), many = random_matrix(rows, 40, 3);
  const auto use = [&] {
    cholesky->factor(K, 1, shift);
    cholesky->solve(one);
    cholesky->solve(many);
  };
  set_thread_count(1);  // which threads take part, and so which memory is needed at once, is else a matter of chance
  use();
  const long before = allocations;
  use();
  EXPECT_EQ(allocations, before);
  EXPECT_GT(before, 0);
  set_thread_count(0);
}

}  // namespace
}  // namespace brio::testing
