#include "brio/petsc/rigid_groups.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/ranks.hpp"
#include "brio/linalg/two_level_gradients.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// Of the coarse matrix itself: what keeps the rotations of a group in a line from being singular.
constexpr double kRegular = 1e-6;
/// Unknowns of a rank, and of the border between all of them, up to which the coarse matrix is factored: its own part
/// grows faster than the body, and that of the border is done by every rank (docs/petsc.md).
constexpr PetscInt kMostOwn = 24000, kMostBorder = 2400;

Mat3 cross(const Vec3& a) {
  Mat3 A;
  A << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return A;
}

/// Writes three numbers for each own point into a vector of PETSc.
template <class Value>
void fill(Vec v, int points, const Value& value) {
  double* out;
  check_petsc(VecGetArrayWrite(v, &out));
  for (int i = 0; i < points; ++i) Eigen::Map<Vec3>(out + 3 * static_cast<size_t>(i)) = value(i);
  check_petsc(VecRestoreArrayWrite(v, &out));
}

}  // namespace

RigidGroups::RigidGroups(LocalRows& rows, const VectorXd& couplings) : rows_(rows) {
  *place_.reset() = rows_.make_vector();
  find_groups(couplings);
  number_groups();
  find_columns();
  forces_.resize(6 * static_cast<size_t>(groups_.count()));
  motions_.resize(forces_.size());
  if (!is_small() || !petsc_option("-coarse_pc_type", "").empty())
    make_matrix();
  else if (total_ > 0)
    factor_ = std::make_unique<CoarseFactor>(columns_, first_, total_);
  inverse_.resize(rows_.own());
  arms_.assign(rows_.points(), Vec3::Zero());
}

RigidGroups::~RigidGroups() = default;

void RigidGroups::find_groups(const VectorXd& couplings) {
  const BlockPattern& local = rows_.matrix().pattern();
  std::vector<std::pair<int, int>> pairs;
  for (int j = 0; j < rows_.own(); ++j)
    for (int s = local.column_begin[j] + 1; s < local.column_begin[j + 1]; ++s)
      if (local.row[s] < rows_.own()) pairs.emplace_back(local.row[s], j);
  const BlockPattern own(rows_.own(), std::move(pairs));
  VectorXd weights = VectorXd::Zero(own.slots());
  for (int j = 0; j < rows_.own(); ++j)
    for (int s = own.column_begin[j] + 1; s < own.column_begin[j + 1]; ++s) {
      const int slot = local.slot(own.row[s], j);
      weights[s] = couplings.size() > 0
                       ? couplings[rows_.source(slot)]
                       : Eigen::Map<const Eigen::Matrix<double, 9, 1>>(rows_.matrix().block(slot)).norm();
    }
  groups_ = find_aggregates(own, weights, usual_aggregate(rows_.all()));
}

void RigidGroups::number_groups() {
  PetscInt count = groups_.count();
  check_petsc(MPI_Exscan(&count, &first_, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  int rank;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) first_ = 0;
  check_petsc(MPI_Allreduce(&count, &total_, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  fill(place_, rows_.own(), [&](int i) {
    const int group = groups_.of_point[i];
    return Vec3(group == Aggregates::kNone ? -1.0 : static_cast<double>(first_ + group), 0, 0);
  });
  const double* all = rows_.fetch(place_);
  group_.resize(rows_.points());
  for (int i = 0; i < rows_.points(); ++i) group_[i] = static_cast<PetscInt>(all[3 * static_cast<size_t>(i)]);
}

void RigidGroups::find_columns() {
  columns_.resize(groups_.count());
  for (int a = 0; a < groups_.count(); ++a) {
    std::vector<PetscInt>& row = columns_[a];
    for (int p = groups_.begin[a]; p < groups_.begin[a + 1]; ++p)
      rows_.for_row(groups_.points[p], [&](int j, const double*, bool) {
        if (group_[j] >= 0) row.push_back(group_[j]);
      });
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
}

bool RigidGroups::is_small() const {
  PetscInt own = 6 * groups_.count(), border = 0;
  for (const auto& row : columns_) border += !row.empty() && row.front() < first_ ? 6 : 0;
  check_petsc(MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPIU_INT, MPI_MAX, PETSC_COMM_WORLD));
  check_petsc(MPI_Allreduce(MPI_IN_PLACE, &border, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  return own <= kMostOwn && border <= kMostBorder;
}

void RigidGroups::make_matrix() {
  if (total_ == 0) return;
  const int own = groups_.count();
  std::vector<PetscInt> inside(own, 0), outside(own, 0);
  for (int a = 0; a < own; ++a)
    for (const PetscInt b : columns_[a]) ++(b >= first_ && b < first_ + own ? inside : outside)[a];
  Mat& A = *coarse_.reset();
  check_petsc(MatCreate(PETSC_COMM_WORLD, &A));
  check_petsc(MatSetSizes(A, 6 * own, 6 * own, 6 * total_, 6 * total_));
  check_petsc(MatSetType(A, MATAIJ));
  check_petsc(MatSetBlockSize(A, 6));
  check_petsc(MatXAIJSetPreallocation(A, 6, inside.data(), outside.data(), nullptr, nullptr));
  check_petsc(MatSetOption(A, MAT_SPD, PETSC_TRUE));
  check_petsc(MatCreateVecs(A, left_.reset(), right_.reset()));

  check_petsc(KSPCreate(PETSC_COMM_WORLD, ksp_.reset()));
  check_petsc(KSPSetOptionsPrefix(ksp_, "coarse_"));
  check_petsc(KSPSetType(ksp_, KSPPREONLY));
  PC pc;
  check_petsc(KSPGetPC(ksp_, &pc));
  check_petsc(PCSetType(pc, PCGAMG));
  check_petsc(KSPSetOperators(ksp_, coarse_, coarse_));
  check_petsc(KSPSetFromOptions(ksp_));
}

void RigidGroups::find_arms(const VectorXd& q) {
  center_.assign(groups_.count(), Vec3::Zero());
  radius_.assign(groups_.count(), 0);
  const auto at = [&](int i) { return q.segment<3>(3 * static_cast<Index>(rows_.point(i))); };
  for (int a = 0; a < groups_.count(); ++a) {
    const int first = groups_.begin[a], last = groups_.begin[a + 1];
    for (int p = first; p < last; ++p) center_[a] += at(groups_.points[p]);
    center_[a] /= last - first;
    for (int p = first; p < last; ++p) radius_[a] += (at(groups_.points[p]) - center_[a]).squaredNorm();
    radius_[a] = std::sqrt(radius_[a] / (last - first));
  }
  fill(place_, rows_.own(), [&](int i) {
    const int a = groups_.of_point[i];
    const bool round = a != Aggregates::kNone && radius_[a] > 0 && std::isfinite(radius_[a]);
    return round ? Vec3((at(i) - center_[a]) / radius_[a]) : Vec3(Vec3::Zero());
  });
  const double* all = rows_.fetch(place_);
  for (int i = 0; i < rows_.points(); ++i) arms_[i] = Eigen::Map<const Vec3>(all + 3 * static_cast<size_t>(i));
}

/// With Z_i = [I, -[arm_i]x], the blocks Z_i^T A_ij Z_j of a group's row, six rows of six numbers for each column.
void RigidGroups::fill_row(int group, std::vector<double>& values) const {
  const std::vector<PetscInt>& columns = columns_[group];
  const Index width = 6 * static_cast<Index>(columns.size());
  values.assign(6 * width, 0);
  Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>> row(values.data(), 6, width);
  PetscInt other = -1;
  Index at = 0;
  for (int p = groups_.begin[group]; p < groups_.begin[group + 1]; ++p) {
    const int i = groups_.points[p];
    const Mat3 turn_i = cross(arms_[i]);
    rows_.for_row(i, [&](int j, const double* numbers, bool transposed) {
      if (group_[j] < 0) return;
      if (group_[j] != other) {
        other = group_[j];
        at = 6 * (std::lower_bound(columns.begin(), columns.end(), other) - columns.begin());
      }
      Mat3 block = Eigen::Map<const RowMat3>(numbers);
      if (transposed) block.transposeInPlace();
      const Mat3 right = -block * cross(arms_[j]);
      row.block<3, 3>(0, at) += block;
      row.block<3, 3>(0, at + 3) += right;
      row.block<3, 3>(3, at) += turn_i * block;
      row.block<3, 3>(3, at + 3) += turn_i * right;
    });
  }
  at = 6 * (std::lower_bound(columns.begin(), columns.end(), first_ + group) - columns.begin());
  const double mean = (row(0, at) + row(1, at + 1) + row(2, at + 2)) / 3;
  for (int c = 3; c < 6; ++c) row(c, at + c) += kRegular * mean;
}

bool RigidGroups::set(const VectorXd& q) {
  if (!rows_.invert_diagonal(inverse_)) return false;
  if (total_ == 0) return true;
  find_arms(q);
  std::vector<std::vector<double>> values(groups_.count());
  parallel_for(groups_.count(), 4, [&](int begin, int end) {
    for (int a = begin; a < end; ++a) fill_row(a, values[a]);
  });
  if (factor_) return factor_->set(values);
  for (int a = 0; a < groups_.count(); ++a) {
    const PetscInt row = first_ + a, count = static_cast<PetscInt>(columns_[a].size());
    check_petsc(MatSetValuesBlocked(coarse_, 1, &row, count, columns_[a].data(), values[a].data(), INSERT_VALUES));
  }
  check_petsc(MatAssemblyBegin(coarse_, MAT_FINAL_ASSEMBLY));
  check_petsc(MatAssemblyEnd(coarse_, MAT_FINAL_ASSEMBLY));
  set_near_null_space();
  return set_up_coarse();
}

/// The rigid motions of all bodies together, in the coordinates of the groups.
void RigidGroups::set_near_null_space() {
  VecHandle motion[6];
  Vec vectors[6];
  for (int k = 0; k < 6; ++k) {
    check_petsc(VecDuplicate(right_, motion[k].reset()));
    vectors[k] = motion[k];
    double* out;
    check_petsc(VecGetArrayWrite(vectors[k], &out));
    for (int a = 0; a < groups_.count(); ++a) {
      const Vec3 axis = Vec3::Unit(k % 3);
      Eigen::Map<Vec3> shift(out + 6 * static_cast<size_t>(a)), turn(out + 6 * static_cast<size_t>(a) + 3);
      shift = k < 3 ? axis : Vec3(axis.cross(center_[a]));
      turn = k < 3 ? Vec3(Vec3::Zero()) : Vec3(radius_[a] * axis);
    }
    check_petsc(VecRestoreArrayWrite(vectors[k], &out));
    for (int before = 0; before < k; ++before) {
      double share;
      check_petsc(VecDot(vectors[k], vectors[before], &share));
      check_petsc(VecAXPY(vectors[k], -share, vectors[before]));
    }
    check_petsc(VecNormalize(vectors[k], nullptr));
  }
  MatNullSpace space;
  check_petsc(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 6, vectors, &space));
  check_petsc(MatSetNearNullSpace(coarse_, space));
  check_petsc(MatNullSpaceDestroy(&space));
}

bool RigidGroups::set_up_coarse() {
  check_petsc(KSPSetOperators(ksp_, coarse_, coarse_));
  check_petsc(KSPSetUp(ksp_));
  PC pc;
  check_petsc(KSPGetPC(ksp_, &pc));
  PCFailedReason failed;
  check_petsc(PCGetFailedReason(pc, &failed));
  if (failed != PC_NOERROR) return false;
  PetscBool cholesky = PETSC_FALSE;
  check_petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(static_cast<PC>(pc)), PCCHOLESKY, &cholesky));
  return !cholesky || negative_pivots(pc) == 0;
}

void RigidGroups::solve_coarse() {
  if (factor_) return factor_->solve(forces_, motions_);
  double* out;
  check_petsc(VecGetArrayWrite(right_, &out));
  std::copy(forces_.begin(), forces_.end(), out);
  check_petsc(VecRestoreArrayWrite(right_, &out));
  check_petsc(KSPSolve(ksp_, right_, left_));
  const double* in;
  check_petsc(VecGetArrayRead(left_, &in));
  std::copy_n(in, motions_.size(), motions_.begin());
  check_petsc(VecRestoreArrayRead(left_, &in));
}

void RigidGroups::apply(Vec r, Vec z) {
  const double* in;
  double* out;
  check_petsc(VecGetArrayRead(r, &in));
  parallel_for(groups_.count(), 32, [&](int begin, int end) {
    for (int a = begin; a < end; ++a) {
      Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
      for (int p = groups_.begin[a]; p < groups_.begin[a + 1]; ++p) {
        const int i = groups_.points[p];
        const Eigen::Map<const Vec3> f(in + 3 * static_cast<size_t>(i));
        force += f;
        torque += arms_[i].cross(f);
      }
      Eigen::Map<Vec3>(forces_.data() + 6 * static_cast<size_t>(a)) = force;
      Eigen::Map<Vec3>(forces_.data() + 6 * static_cast<size_t>(a) + 3) = torque;
    }
  });
  if (total_ > 0) solve_coarse();
  check_petsc(VecGetArrayWrite(z, &out));
  parallel_for(rows_.own(), 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Vec3 sum = inverse_[i] * Eigen::Map<const Vec3>(in + 3 * static_cast<size_t>(i));
      if (const int a = groups_.of_point[i]; a != Aggregates::kNone) {
        const double* rigid = motions_.data() + 6 * static_cast<size_t>(a);
        sum += Eigen::Map<const Vec3>(rigid) + Eigen::Map<const Vec3>(rigid + 3).cross(arms_[i]);
      }
      Eigen::Map<Vec3>(out + 3 * static_cast<size_t>(i)) = sum;
    }
  });
  check_petsc(VecRestoreArrayWrite(z, &out));
  check_petsc(VecRestoreArrayRead(r, &in));
}

}  // namespace brio
