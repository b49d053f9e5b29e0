#pragma once
// Sorts many small items whose first key is a vertex number: into buckets by counting, then each bucket by itself. A
// bucket is so small that sorting it costs next to nothing.

#include "brio/core/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace brio {

template <class Item>
struct Buckets {
  std::vector<Item> items;          ///< bucket after bucket, each in ascending order
  std::vector<std::int64_t> start;  ///< the first item of each bucket, and the end of the last
};

/// make(i) is the bucket, from 0 to buckets - 1, and the item of each i < count; it is called twice.
template <class Item, class Make>
Buckets<Item> sort_into_buckets(std::int64_t count, int buckets, const Make& make) {
  Buckets<Item> sorted;
  sorted.start.assign(buckets + 2, 0);
  for (std::int64_t i = 0; i < count; ++i) ++sorted.start[make(i).first + 2];
  std::partial_sum(sorted.start.begin(), sorted.start.end(), sorted.start.begin());
  sorted.items.resize(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto [bucket, item] = make(i);
    sorted.items[sorted.start[bucket + 1]++] = item;
  }
  sorted.start.pop_back();
  parallel_for(buckets, 1024, [&](int begin, int end) {
    for (int b = begin; b < end; ++b)
      std::sort(sorted.items.begin() + sorted.start[b], sorted.items.begin() + sorted.start[b + 1]);
  });
  return sorted;
}

}  // namespace brio
