#include "brio/core/parallel.hpp"

#include "brio/core/ranks.hpp"
#include "brio/core/thread_edges.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <memory>
#include <unistd.h>

namespace brio {
namespace {

std::unique_ptr<tbb::global_control>& limit() {
  static std::unique_ptr<tbb::global_control> control;
  return control;
}

/// Ranks on one machine share its cores, whether the launcher has bound them to some or not.
int cores_of_rank() {
  const int cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::clamp(cores / ranks().on_this_machine(), 1, std::max(1, tbb::info::default_concurrency()));
}

}  // namespace

namespace detail {

void for_each_chunk(const Chunks& chunks, int n, void (*call)(const void* body, int begin, int end), const void* body) {
  if (chunks.count == 1) return call(body, 0, n);
  ThreadEdges edges;
  edges.give();
  tbb::parallel_for(
      0, chunks.count,
      [&](int c) {
        edges.begin();
        call(body, c * chunks.length, std::min(n, (c + 1) * chunks.length));
        edges.end();
      },
      tbb::simple_partitioner{});
  edges.go_on();
}

}  // namespace detail

void set_thread_count(int threads) {
  limit().reset();
  if (threads == 0 && ranks().several()) threads = cores_of_rank();
  if (threads > 0) {
    limit() = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, threads);
  }
}

int thread_count() {
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

}  // namespace brio
