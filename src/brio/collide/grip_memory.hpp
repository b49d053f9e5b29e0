#pragma once
// By how much friction is stretched at each contact that lasts from step to step, so that what lies stays where it is.

#include "brio/core/types.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace brio {

/// Which contact: its kind, and its vertices or the obstacle.
using ContactKey = std::array<int, 5>;

class GripMemory {
 public:
  static constexpr Index kNumbers = 8;  ///< of a contact: its key and the stretch

  void clear() { grips_.clear(); }
  void add(const ContactKey& key, const Vec3& stretch) { grips_.push_back({key, stretch}); }
  void sort() {
    std::sort(grips_.begin(), grips_.end(), [](const Grip& a, const Grip& b) { return a.key < b.key; });
  }
  /// Zero where the contact is new.
  Vec3 stretch(const ContactKey& key) const {
    const auto found =
        std::lower_bound(grips_.begin(), grips_.end(), key, [](const Grip& g, const ContactKey& k) { return g.key < k; });
    return found != grips_.end() && found->key == key ? found->stretch : Vec3::Zero();
  }

  /// As numbers, for a state.
  void write(VectorXd& numbers) const {
    numbers.resize(kNumbers * static_cast<Index>(grips_.size()));
    for (size_t i = 0; i < grips_.size(); ++i) {
      for (int k = 0; k < 5; ++k) numbers[kNumbers * i + k] = grips_[i].key[k];
      numbers.segment<3>(kNumbers * i + 5) = grips_[i].stretch;
    }
  }
  void read(const VectorXd& numbers) {
    grips_.resize(numbers.size() / kNumbers);
    for (size_t i = 0; i < grips_.size(); ++i) {
      for (int k = 0; k < 5; ++k) grips_[i].key[k] = static_cast<int>(numbers[kNumbers * i + k]);
      grips_[i].stretch = numbers.segment<3>(kNumbers * i + 5);
    }
  }

 private:
  struct Grip {
    ContactKey key;
    Vec3 stretch;  ///< along the surface [m]
  };
  std::vector<Grip> grips_;  ///< by their keys
};

}  // namespace brio
