#pragma once
// Memory pool for the update matrices of fronts. Any thread acquires and releases pieces in any order; memory fetched
// from the system is kept for the next factorization.

#include "brio/core/error.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace brio {

struct AlignedDelete {
  void operator()(void* values) const { ::operator delete[](values, std::align_val_t(64)); }
};
template <class Number>
using Aligned = std::unique_ptr<Number[], AlignedDelete>;

/// Not initialized; aligned to cache lines.
template <class Number>
Aligned<Number> allocate(int64_t count) {
  try {
    return Aligned<Number>(static_cast<Number*>(::operator new[](sizeof(Number) * count, std::align_val_t(64))));
  } catch (const std::bad_alloc&) {
    throw Error("no memory for {:.0f} MB of a Cholesky factor: use a coarser mesh or a method that does not factor",
                1e-6 * sizeof(Number) * static_cast<double>(count));
  }
}

class UpdateMemory {
 public:
  /// Fetches `slab` doubles from the system at first, later at least an eighth of that; expects no more than `pieces`
  /// at once.
  UpdateMemory(int64_t slab, size_t pieces) : slab_(slab) { free_.reserve(pieces); }

  double* acquire(int64_t size) {
    if (size == 0) return nullptr;
    const std::lock_guard lock(mutex_);
    auto found = std::find_if(free_.begin(), free_.end(), [&](const Piece& piece) { return piece.size >= size; });
    if (found == free_.end()) found = fetch(std::max(size, slabs_.empty() ? slab_ : slab_ / 8));
    double* taken = found->begin;
    found->begin += size;
    found->size -= size;
    if (found->size == 0) free_.erase(found);
    return taken;
  }

  void release(double* begin, int64_t size) {
    if (size == 0) return;
    const std::lock_guard lock(mutex_);
    insert({begin, size});
  }

  /// Releases all pieces.
  void release_all() {
    free_.clear();
    for (const Slab& slab : slabs_) insert({slab.values.get(), slab.size});
  }

 private:
  struct Piece {
    double* begin;
    int64_t size;
  };
  struct Slab {
    Aligned<double> values;
    int64_t size;
  };

  std::vector<Piece>::iterator fetch(int64_t size) {
    slabs_.push_back({allocate<double>(size), size});
    return insert({slabs_.back().values.get(), size});
  }

  /// Keeps the pieces in the order of their addresses and joins neighbors.
  std::vector<Piece>::iterator insert(Piece piece) {
    auto next = std::find_if(free_.begin(), free_.end(), [&](const Piece& p) { return p.begin > piece.begin; });
    if (next != free_.end() && piece.begin + piece.size == next->begin) {
      piece.size += next->size;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      const auto last = std::prev(next);
      if (last->begin + last->size == piece.begin) {
        last->size += piece.size;
        return last;
      }
    }
    return free_.insert(next, piece);
  }

  int64_t slab_;
  std::mutex mutex_;
  std::vector<Piece> free_;
  std::vector<Slab> slabs_;
};

}  // namespace brio
