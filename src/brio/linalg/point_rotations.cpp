#include "brio/linalg/point_rotations.hpp"

#include "brio/core/parallel.hpp"
#include "brio/linalg/polar3.hpp"

#include <Eigen/LU>

#include <cmath>

namespace brio {

/// Of neighbors nearly in a plane, whose second moments have no use for an inverse.
static constexpr double kFlat = 1e-6;

void find_rotations(const BlockPattern& pattern, const VectorXd& before, const VectorXd& after,
                    std::vector<Mat3>& rotations) {
  const int n = pattern.blocks_per_side;
  rotations.resize(n);
  parallel_for(n, 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Mat3 F = Mat3::Zero(), spread = Mat3::Zero();
      const auto add = [&](int j) {
        const Vec3 from = before.segment<3>(3 * static_cast<Index>(j)) - before.segment<3>(3 * static_cast<Index>(i));
        const Vec3 to = after.segment<3>(3 * static_cast<Index>(j)) - after.segment<3>(3 * static_cast<Index>(i));
        F += to * from.transpose();
        spread += from * from.transpose();
      };
      for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) add(pattern.row_column[k]);
      for (int s = pattern.column_begin[i] + 1; s < pattern.column_begin[i + 1]; ++s) add(pattern.row[s]);
      // Neighbors that span space tell the deformation, of which the rotation is wanted; others a moment of it.
      if (spread.determinant() > kFlat * std::pow(spread.trace(), 3)) F = (F * spread.inverse()).eval();
      M3<double> matrix;
      for (int k = 0; k < 9; ++k) matrix(k / 3, k % 3) = F(k / 3, k % 3);
      const M3<double> R = polar3(matrix).R;
      for (int k = 0; k < 9; ++k) rotations[i](k / 3, k % 3) = R(k / 3, k % 3);
      // What is no rotation (numbers that are none) must not spoil the others.
      if (!((rotations[i].transpose() * rotations[i] - Mat3::Identity()).squaredNorm() < 1e-6))
        rotations[i].setIdentity();
    }
  });
}

}  // namespace brio
