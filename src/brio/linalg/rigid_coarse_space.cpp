#include "brio/linalg/rigid_coarse_space.hpp"

#include "brio/core/parallel.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace brio {
namespace {

using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// Of the matrix itself: what keeps the rotations of a group in a line, or about its only point, from being singular.
constexpr double kRegular = 1e-6;

Mat3 cross(const Vec3& a) {
  Mat3 A;
  A << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return A;
}

std::shared_ptr<const BlockPattern> coarse_pattern(const BlockPattern& fine, const Aggregates& groups) {
  std::vector<std::pair<int, int>> couplings;
  std::vector<int> seen(groups.count(), -1);
  for (int a = 0; a < groups.count(); ++a) {
    const auto couple = [&](int point) {
      const int b = groups.of_point[point];
      if (b == Aggregates::kNone || b > a || seen[b] == a) return;
      seen[b] = a;
      for (int k = 0; k < 4; ++k) couplings.emplace_back(2 * a + k / 2, 2 * b + k % 2);
    };
    for (int p = groups.begin[a]; p < groups.begin[a + 1]; ++p) {
      const int i = groups.points[p];
      couple(i);
      for (int k = fine.row_begin[i]; k < fine.row_begin[i + 1]; ++k) couple(fine.row_column[k]);
      for (int s = fine.column_begin[i] + 1; s < fine.column_begin[i + 1]; ++s) couple(fine.row[s]);
    }
  }
  return std::make_shared<BlockPattern>(2 * groups.count(), std::move(couplings));
}

}  // namespace

RigidCoarseSpace::RigidCoarseSpace(const BlockPattern& pattern, const VectorXd& couplings, int aggregate_size)
    : aggregates_(find_aggregates(pattern, couplings, aggregate_size)), pattern_(coarse_pattern(pattern, aggregates_)) {
  if (aggregates_.count() == 0) return;
  coarse_ = std::make_unique<BlockMatrix>(pattern_);
  cholesky_ = make_cholesky(pattern_);
  arms_.resize(aggregates_.of_point.size());
}

void RigidCoarseSpace::find_arms(const VectorXd& q) {
  parallel_for(aggregates_.count(), 16, [&](int begin, int end) {
    for (int a = begin; a < end; ++a) {
      const int first = aggregates_.begin[a], last = aggregates_.begin[a + 1];
      const auto place = [&](int p) { return q.segment<3>(3 * static_cast<Index>(aggregates_.points[p])); };
      Vec3 center = Vec3::Zero();
      for (int p = first; p < last; ++p) center += place(p);
      center /= last - first;
      double radius = 0;
      for (int p = first; p < last; ++p) radius += (place(p) - center).squaredNorm();
      radius = std::sqrt(radius / (last - first));
      const double scale = radius > 0 && std::isfinite(radius) ? 1 / radius : 0;
      for (int p = first; p < last; ++p) arms_[aggregates_.points[p]] = scale * (place(p) - center);
    }
  });
}

/// With Z_i = [I, -[arm_i]x], the blocks Z_i^T A_ij Z_j of the row, lower triangle. One thread sums a row, in the order
/// of its points.
void RigidCoarseSpace::add_to_row(const BlockMatrix& A, int aggregate) {
  const BlockPattern& fine = A.pattern();
  int other = -1, slots[4] = {};
  const auto add = [&](int i, int j, const double* values, bool transposed) {
    const int b = aggregates_.of_point[j];
    if (b == Aggregates::kNone || b > aggregate) return;
    if (b != other) {
      other = b;
      for (int k = 0; k < 4; ++k)
        slots[k] = b < aggregate || k != 1 ? pattern_->slot(2 * aggregate + k / 2, 2 * b + k % 2) : -1;
    }
    Mat3 block = Eigen::Map<const RowMat3>(values);
    if (transposed) block.transposeInPlace();
    const Mat3 turn_i = cross(arms_[i]), turn_j = cross(arms_[j]);
    const Mat3 right = -block * turn_j, below = turn_i * block, corner = turn_i * right;
    Eigen::Map<RowMat3>(coarse_->block(slots[0])) += block;
    if (slots[1] >= 0) Eigen::Map<RowMat3>(coarse_->block(slots[1])) += right;
    Eigen::Map<RowMat3>(coarse_->block(slots[2])) += below;
    Eigen::Map<RowMat3>(coarse_->block(slots[3])) += corner;
  };
  for (int p = aggregates_.begin[aggregate]; p < aggregates_.begin[aggregate + 1]; ++p) {
    const int i = aggregates_.points[p];
    for (int k = fine.row_begin[i]; k < fine.row_begin[i + 1]; ++k)
      add(i, fine.row_column[k], A.block(fine.row_slot[k]), false);
    const int diagonal = fine.column_begin[i];
    add(i, i, A.block(diagonal), false);
    for (int s = diagonal + 1; s < fine.column_begin[i + 1]; ++s) add(i, fine.row[s], A.block(s), true);
  }
}

FactorStatus RigidCoarseSpace::factor(const BlockMatrix& A, const VectorXd& q) {
  if (!cholesky_ || q.size() != static_cast<Index>(3 * arms_.size())) return FactorStatus::ok;
  find_arms(q);
  coarse_->set_zero();
  parallel_for(aggregates_.count(), 8, [&](int begin, int end) {
    for (int a = begin; a < end; ++a) add_to_row(A, a);
  });
  shift_.setZero(6 * static_cast<Index>(aggregates_.count()));
  for (Index a = 0; a < aggregates_.count(); ++a) {
    const double* t = coarse_->block(pattern_->column_begin[2 * a]);
    shift_.segment<3>(6 * a + 3).setConstant(kRegular * (t[0] + t[4] + t[8]) / 3);
  }
  return cholesky_->factor(*coarse_, 1, shift_);
}

void RigidCoarseSpace::add_correction(const Eigen::Ref<const MatrixXd>& R, Eigen::Ref<MatrixXd> Z) {
  if (!cholesky_) return;
  if (small_.rows() != unknowns() || small_.cols() != R.cols()) small_.resize(unknowns(), R.cols());
  parallel_for(aggregates_.count(), 32, [&](int begin, int end) {
    for (int a = begin; a < end; ++a)
      for (Index c = 0; c < R.cols(); ++c) {
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        for (int p = aggregates_.begin[a]; p < aggregates_.begin[a + 1]; ++p) {
          const int i = aggregates_.points[p];
          const Vec3 f = R.col(c).segment<3>(3 * static_cast<Index>(i));
          force += f;
          torque += arms_[i].cross(f);
        }
        small_.col(c).segment<3>(6 * static_cast<Index>(a)) = force;
        small_.col(c).segment<3>(6 * static_cast<Index>(a) + 3) = torque;
      }
  });
  cholesky_->solve_single_precision(small_);
  parallel_for(aggregates_.count(), 32, [&](int begin, int end) {
    for (int a = begin; a < end; ++a)
      for (Index c = 0; c < R.cols(); ++c) {
        const Vec3 shift = small_.col(c).segment<3>(6 * static_cast<Index>(a));
        const Vec3 turn = small_.col(c).segment<3>(6 * static_cast<Index>(a) + 3);
        for (int p = aggregates_.begin[a]; p < aggregates_.begin[a + 1]; ++p) {
          const int i = aggregates_.points[p];
          Z.col(c).segment<3>(3 * static_cast<Index>(i)) += shift + turn.cross(arms_[i]);
        }
      }
  });
}

}  // namespace brio
