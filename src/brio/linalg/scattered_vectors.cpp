#include "brio/linalg/scattered_vectors.hpp"

#include <random>

namespace brio {

MatrixXd scattered_vectors(Index rows, Index columns, int seed) {
  std::mt19937_64 random(7 + seed);
  const auto even = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };  // the same bits everywhere
  return MatrixXd::NullaryExpr(rows, columns, even);
}

}  // namespace brio
