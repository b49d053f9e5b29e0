#pragma once
// Parallel loops whose result does not depend on the number of threads: the range is cut into chunks by its length
// alone, and partial sums are added in the order of the chunks.

#include <algorithm>
#include <array>

namespace brio {

/// Limits the threads that brio uses from now on; 0 means all cores, or this rank's share of them.
void set_thread_count(int threads);
int thread_count();

namespace detail {
constexpr int kMostChunks = 256;
struct Chunks {
  int length, count;
  Chunks(int n, int grain)
      : length(std::max(grain, (n + kMostChunks - 1) / kMostChunks)), count(n > 0 ? (n + length - 1) / length : 0) {}
};

/// Calls call(body, begin, end) for each chunk. It is compiled once, here, and not for each body.
void for_each_chunk(const Chunks& chunks, int n, void (*call)(const void* body, int begin, int end), const void* body);
}  // namespace detail

/// Calls body(begin, end) for consecutive pieces of [0, n), each at least `grain` long but for the last.
template <class Body>
void parallel_for(int n, int grain, const Body& body) {
  detail::for_each_chunk(
      detail::Chunks(n, grain), n,
      [](const void* b, int begin, int end) { (*static_cast<const Body*>(b))(begin, end); }, &body);
}

/// Adds up the values of body(begin, end), always in the same order.
template <class Body>
double parallel_sum(int n, int grain, const Body& body) {
  const detail::Chunks chunks(n, grain);
  std::array<double, detail::kMostChunks> partial;
  parallel_for(n, grain, [&](int begin, int end) { partial[begin / chunks.length] = body(begin, end); });
  double sum = 0;
  for (int c = 0; c < chunks.count; ++c) sum += partial[c];
  return sum;
}

}  // namespace brio
