#pragma once
// Where the spectrum of M^-1 K ends, by a few products with K.

#include "brio/linalg/block_matrix.hpp"
#include "brio/linalg/lanczos.hpp"

namespace brio {

struct SpectrumEnds {
  double low, high;  ///< of lambda; low is 0 where nothing negative was seen [1/s^2]
};

/// Lanczos' process from a vector in which every mode has a share. Its outermost values lie inside the spectrum, and an
/// eigenvalue is no farther from each than what the process leaves of it: the ends are there, and a hundredth farther
/// out. Most often they hold the spectrum or nearly so; whoever needs more must notice. Not finite where K is not.
class SpectrumSearch {
 public:
  static constexpr int kProducts = 7;
  SpectrumEnds operator()(const BlockMatrix& K, const VectorXd& mass);

 private:
  Lanczos process_;
  VectorXd start_, image_;
};

}  // namespace brio
