#pragma once
// Points joined by springs, with triangles for display and for wind: cloth and ropes.

#include "brio/core/types.hpp"

namespace brio {

struct SpringNet {
  MatrixX3d X;          ///< rest positions, n x 3 [m]
  MatrixX2i springs;    ///< the two ends of each spring, m x 2
  VectorXi kind;        ///< per spring: 0 structural, 1 shear, 2 bend
  MatrixX3i triangles;  ///< surface for display and wind; empty for a rope

  int vertices() const { return static_cast<int>(X.rows()); }
};

}  // namespace brio
