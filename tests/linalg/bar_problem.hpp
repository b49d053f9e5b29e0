#pragma once
// Matrices to solve with: vertex graphs of bars of cubes, six tets a cube, and well-conditioned values on them.

#include "brio/linalg/block_matrix.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace brio::testing {

using Couplings = std::vector<std::pair<int, int>>;

/// Couplings of a box of nx x ny x nz cubes, each cut into six tets around its long diagonal (Kuhn): vertices couple
/// when they differ by 0 or 1 in every direction.
inline Couplings box_couplings(int nx, int ny, int nz) {
  const auto vertex = [&](int x, int y, int z) { return (x * (ny + 1) + y) * (nz + 1) + z; };
  Couplings couplings;
  for (int x = 0; x <= nx; ++x)
    for (int y = 0; y <= ny; ++y)
      for (int z = 0; z <= nz; ++z)
        for (int corner = 1; corner < 8; ++corner) {
          const int a = x + (corner & 1), b = y + ((corner >> 1) & 1), c = z + (corner >> 2);
          if (a <= nx && b <= ny && c <= nz) couplings.emplace_back(vertex(x, y, z), vertex(a, b, c));
        }
  return couplings;
}
inline int box_vertices(int nx, int ny, int nz) { return (nx + 1) * (ny + 1) * (nz + 1); }

inline std::shared_ptr<const BlockPattern> box_pattern(int nx, int ny, int nz) {
  return std::make_shared<BlockPattern>(box_vertices(nx, ny, nz), box_couplings(nx, ny, nz));
}

/// Numbers in [-1, 1), the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }

 private:
  uint64_t state_;
};

/// Positive semi-definite values: for every coupling a spring between its ends with a random 3x3 stiffness R R^T.
inline BlockMatrix spring_matrix(std::shared_ptr<const BlockPattern> pattern, uint64_t seed = 1) {
  BlockMatrix K(pattern);
  Random random(seed);
  for (int j = 0; j < pattern->blocks_per_side; ++j) {
    for (int s = pattern->column_begin[j] + 1; s < pattern->column_begin[j + 1]; ++s) {
      Mat3 R;
      for (double& r : R.reshaped()) r = random();
      const Mat3 stiffness = R * R.transpose();
      for (int e = 0; e < 9; ++e) {
        const double k = stiffness(e / 3, e % 3);
        K.block(s)[e] = -k;
        K.block(pattern->column_begin[j])[e] += k;
        K.block(pattern->column_begin[pattern->row[s]])[e] += k;
      }
    }
  }
  return K;
}

/// The whole of scale * K + diag(shift).
inline MatrixXd dense(const BlockMatrix& K, double scale, const VectorXd& shift) {
  const BlockPattern& p = K.pattern();
  MatrixXd A = MatrixXd::Zero(3 * p.blocks_per_side, 3 * p.blocks_per_side);
  for (int j = 0; j < p.blocks_per_side; ++j) {
    for (int s = p.column_begin[j]; s < p.column_begin[j + 1]; ++s) {
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> block(K.block(s));
      A.block<3, 3>(3 * p.row[s], 3 * j) = scale * block;
      A.block<3, 3>(3 * j, 3 * p.row[s]) = scale * block.transpose();
    }
  }
  A.diagonal() += shift;
  return A;
}

inline MatrixXd random_matrix(Index rows, Index columns, uint64_t seed) {
  Random random(seed);
  MatrixXd M(rows, columns);
  for (double& m : M.reshaped()) m = random();
  return M;
}

}  // namespace brio::testing
