#pragma once
// A piecewise linear function of time.

#include "brio/core/options.hpp"

namespace brio {

class TimeProfile {
 public:
  TimeProfile(double constant = 0) : points_{{0, constant}} {}
  /// Pairs (time [s], value), later and later. Throws Error naming `where` for none, or for times out of order.
  TimeProfile(std::vector<Pair> points, const std::string& where);

  double operator()(double t) const;  ///< constant before the first and after the last pair
  bool constant() const;

 private:
  std::vector<Pair> points_;
};

}  // namespace brio
