#pragma once
// Energy that contact between bodies has made from nothing. The method does not know what contact does to its step, and
// contact answers with a matrix of its own, so that both together may give more than either takes.

#include "brio/system/state.hpp"

#include <algorithm>

namespace brio {

class ContactBooks {
 public:
  /// Takes them out of the state: the method knows what is its own by its place.
  void take(State& state) {
    const Remembered* stored = find_remembered(state.memory, kName);
    excess_ = stored ? stored->values[0] : 0;
    stretched_ = stored ? stored->values[1] : 0;
    std::erase_if(state.memory, [](const Remembered& remembered) { return remembered.name == kName; });
  }

  void keep(State& state) const {
    if (excess_ == 0 && stretched_ == 0) return;
    Remembered& stored = state.memory.emplace_back();
    stored.name = kName;
    stored.values = Eigen::Vector2d(excess_, stretched_);
  }

  /// Whether a piece is too much in which contact made `made` [J], where `moving` [J] is in motion and strain and
  /// `stretched` [J] in friction that holds, which gives back what it was stretched with.
  bool too_much(double made, double moving, double stretched) const {
    const double more = made - given_back(stretched);
    return more > std::max(kGain * moving - std::max(excess_, 0.0), kLeast * moving);
  }

  /// What was taken pays for what was made before or will be, up to a small share: an impact is no credit.
  void add(double made, double moving, double stretched) {
    excess_ = std::max(excess_ + made - given_back(stretched), -kCredit * moving);
    stretched_ = stretched;
  }

 private:
  double given_back(double stretched) const { return std::max(stretched_ - stretched, 0.0); }

  static constexpr std::string_view kName = "contact energy";
  // Shares of the energy in motion and strain, as in glim.
  static constexpr double kGain = 0.004, kLeast = 0.0005, kCredit = 0.01;

  double excess_ = 0;     ///< [J]
  double stretched_ = 0;  ///< in friction that holds [J]
};

}  // namespace brio
