#include "brio/petsc/local_rows.hpp"

#include "brio/core/parallel.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <numeric>

namespace brio {

LocalRows::LocalRows(const BlockPattern& pattern, const SharedRows& rows) : all_(pattern.blocks_per_side) {
  const int n = pattern.blocks_per_side;
  constexpr int kElsewhere = -1;
  std::vector<int> local(n, kElsewhere), place(n);
  if (rows.shared()) {
    point_ = rows.own();
    for (int i = 0; i < n; ++i) place[rows.order()[i]] = i;
  } else {
    point_.resize(n);
    std::iota(point_.begin(), point_.end(), 0);
    std::iota(place.begin(), place.end(), 0);
  }
  own_ = static_cast<int>(point_.size());
  for (int i = 0; i < own_; ++i) local[point_[i]] = i;
  const auto is_own = [&](int point) { return local[point] != kElsewhere && local[point] < own_; };
  const auto for_each_pair = [&](const auto& visit) {  // with an own point
    for (int j = 0; j < n; ++j)
      for (int s = pattern.column_begin[j]; s < pattern.column_begin[j + 1]; ++s)
        if (is_own(j) || is_own(pattern.row[s])) visit(pattern.row[s], j, s);
  };
  std::vector<int> halo;
  for_each_pair([&](int i, int j, int) {
    for (const int point : {i, j})
      if (!is_own(point)) halo.push_back(point);
  });
  std::sort(halo.begin(), halo.end(), [&](int a, int b) { return place[a] < place[b]; });
  halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
  point_.insert(point_.end(), halo.begin(), halo.end());
  for (int i = own_; i < points(); ++i) local[point_[i]] = i;
  for (const int point : point_) row_.push_back(place[point]);

  std::vector<std::pair<int, int>> couplings;
  for_each_pair([&](int i, int j, int) {
    if (i != j) couplings.emplace_back(local[i], local[j]);
  });
  pattern_ = std::make_shared<BlockPattern>(points(), std::move(couplings));
  matrix_ = std::make_unique<BlockMatrix>(pattern_);
  source_.assign(pattern_->slots(), -1);
  turned_.assign(pattern_->slots(), false);
  for_each_pair([&](int i, int j, int s) {
    const int slot = pattern_->slot(local[i], local[j]);
    source_[slot] = s;
    turned_[slot] = local[i] < local[j];
  });

  x_.resize(3 * static_cast<size_t>(points()));
  y_.resize(x_.size());
  if (!rows.shared()) return;
  VecHandle whole, end;
  *whole.reset() = make_vector();
  const PetscInt width = 3 * static_cast<PetscInt>(halo.size());
  check_petsc(
      VecCreateSeqWithArray(PETSC_COMM_SELF, 3, width, x_.data() + 3 * static_cast<size_t>(own_), halo_.reset()));
  IS from;
  check_petsc(ISCreateBlock(PETSC_COMM_SELF, 3, static_cast<PetscInt>(halo.size()), row_.data() + own_,
                            PETSC_COPY_VALUES, &from));
  check_petsc(VecScatterCreate(whole, from, halo_, nullptr, scatter_.reset()));
  check_petsc(ISDestroy(&from));
}

Vec LocalRows::make_vector() const {
  Vec v;
  check_petsc(VecCreate(PETSC_COMM_WORLD, &v));
  check_petsc(VecSetSizes(v, 3 * static_cast<PetscInt>(own_), 3 * static_cast<PetscInt>(all_)));
  check_petsc(VecSetBlockSize(v, 3));
  check_petsc(VecSetType(v, VECSTANDARD));
  return v;
}

void LocalRows::set(const BlockMatrix& K, double scale, const VectorXd& shift) {
  parallel_for(pattern_->slots(), 4096, [&](int begin, int end) {
    for (int s = begin; s < end; ++s) {
      if (source_[s] < 0) continue;
      const double* from = K.block(source_[s]);
      double* to = matrix_->block(s);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) to[3 * r + c] = scale * (turned_[s] ? from[3 * c + r] : from[3 * r + c]);
    }
  });
  for (int i = 0; i < own_; ++i)
    for (int c = 0; c < 3; ++c)
      matrix_->block(pattern_->column_begin[i])[4 * c] += shift[3 * static_cast<Index>(point_[i]) + c];
}

bool LocalRows::invert_diagonal(std::vector<Mat3>& inverse) const {
  inverse.resize(own_);
  const double bad = parallel_sum(own_, 1024, [&](int begin, int end) {
    double count = 0;
    for (int i = begin; i < end; ++i) {
      const Mat3 block = Eigen::Map<const Mat3>(matrix_->block(pattern_->column_begin[i]));
      const double minor = block(0, 0) * block(1, 1) - block(0, 1) * block(1, 0);
      inverse[i] = block.inverse();
      count += !(block(0, 0) > 0 && minor > 0 && block.determinant() > 0 && inverse[i].allFinite());
    }
    return count;
  });
  double all = bad;
  check_petsc(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  return all == 0;
}

const double* LocalRows::fetch(Vec v) {
  const double* own;
  if (scatter_) check_petsc(VecScatterBegin(scatter_, v, halo_, INSERT_VALUES, SCATTER_FORWARD));
  check_petsc(VecGetArrayRead(v, &own));
  std::copy_n(own, 3 * static_cast<size_t>(own_), x_.begin());
  check_petsc(VecRestoreArrayRead(v, &own));
  if (scatter_) check_petsc(VecScatterEnd(scatter_, v, halo_, INSERT_VALUES, SCATTER_FORWARD));
  return x_.data();
}

void LocalRows::multiply(Vec x, Vec y) {
  const double* local = fetch(x);
  matrix_->multiply(local, y_.data());
  double* own;
  check_petsc(VecGetArrayWrite(y, &own));
  std::copy_n(y_.begin(), 3 * static_cast<size_t>(own_), own);
  check_petsc(VecRestoreArrayWrite(y, &own));
}

}  // namespace brio
