#pragma once
// Room to work in for const functions that several threads may call at a time: each call borrows a piece of its own and
// gives it back, so that nothing is allocated once as many pieces exist as calls ever ran at once.

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace brio {

template <class T>
class ScratchPool {
 public:
  /// A borrowed piece; it goes back to the pool, which must outlive it, at the end of its life.
  class Lease {
   public:
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (piece_) pool_->give_back(std::move(piece_));
    }
    T* operator->() const { return piece_.get(); }
    T& operator*() const { return *piece_; }

   private:
    friend class ScratchPool;
    Lease(const ScratchPool* pool, std::unique_ptr<T> piece) : pool_(pool), piece_(std::move(piece)) {}

    const ScratchPool* pool_;
    std::unique_ptr<T> piece_;
  };

  /// A piece as some earlier call left it, or a new one.
  Lease take() const {
    const std::lock_guard lock(shelf_->mutex);
    if (shelf_->pieces.empty()) return {this, std::make_unique<T>()};
    std::unique_ptr<T> piece = std::move(shelf_->pieces.back());
    shelf_->pieces.pop_back();
    return {this, std::move(piece)};
  }

 private:
  struct Shelf {
    std::mutex mutex;
    std::vector<std::unique_ptr<T>> pieces;
  };

  void give_back(std::unique_ptr<T> piece) const {
    const std::lock_guard lock(shelf_->mutex);
    shelf_->pieces.push_back(std::move(piece));
  }

  std::unique_ptr<Shelf> shelf_ = std::make_unique<Shelf>();
};

}  // namespace brio
