#include "brio/petsc/coarse_factor.hpp"

#include "brio/core/ranks.hpp"

#include <algorithm>
#include <numeric>

namespace brio {
namespace {

/// As many numbers of each rank as it has.
std::vector<double> gathered(const std::vector<double>& own, std::vector<int>& counts) {
  const double count = static_cast<double>(own.size());
  std::vector<double> each(ranks().count());
  ranks().gather(&count, std::vector<int>(each.size(), 1), each.data());
  counts.assign(each.begin(), each.end());
  std::vector<double> all(std::accumulate(counts.begin(), counts.end(), size_t{0}));
  ranks().gather(own.data(), counts, all.data());
  return all;
}

}  // namespace

CoarseFactor::CoarseFactor(const std::vector<std::vector<PetscInt>>& columns, PetscInt first, PetscInt total)
    : first_(first), shift_(VectorXd::Zero(6 * static_cast<Index>(total))), vector_(6 * static_cast<Index>(total)) {
  std::vector<double> own;
  lower_.resize(columns.size());
  for (size_t a = 0; a < columns.size(); ++a)
    for (const PetscInt b : columns[a])
      if (const PetscInt row = first + static_cast<PetscInt>(a); b <= row) {
        ++lower_[a];
        own.insert(own.end(), {static_cast<double>(row), static_cast<double>(b)});
      }
  const std::vector<double> pairs = gathered(own, numbers_);
  own_.resize(18 * own.size());  // 36 for a pair
  all_.resize(18 * pairs.size());
  for (int& count : numbers_) count *= 18;
  gathered(std::vector<double>(6 * columns.size()), groups_);

  std::vector<std::pair<int, int>> couplings;
  for (size_t p = 0; p < pairs.size(); p += 2)
    for (int k = 0; k < 4; ++k)
      couplings.emplace_back(2 * static_cast<int>(pairs[p]) + k / 2, 2 * static_cast<int>(pairs[p + 1]) + k % 2);
  const auto pattern = std::make_shared<BlockPattern>(2 * static_cast<int>(total), std::move(couplings));
  for (size_t p = 0; p < pairs.size(); p += 2) {
    const int a = static_cast<int>(pairs[p]), b = static_cast<int>(pairs[p + 1]);
    Place& place = places_.emplace_back();
    for (int k = 0; k < 4; ++k) place.slots[k] = a == b && k == 1 ? -1 : pattern->slot(2 * a + k / 2, 2 * b + k % 2);
  }
  matrix_ = std::make_unique<BlockMatrix>(pattern);
  cholesky_ = make_cholesky(pattern);
}

bool CoarseFactor::set(const std::vector<std::vector<double>>& rows) {
  double* to = own_.data();
  for (size_t a = 0; a < rows.size(); ++a) {
    const size_t width = rows[a].size() / 6;  // columns ascend: those that count come first
    for (size_t b = 0; b < lower_[a]; ++b)
      for (size_t r = 0; r < 6; ++r) to = std::copy_n(rows[a].data() + r * width + 6 * b, 6, to);
  }
  ranks().gather(own_.data(), numbers_, all_.data());
  const double* from = all_.data();
  for (const Place& place : places_) {
    for (int k = 0; k < 4; ++k)
      for (int r = 0; r < 3 && place.slots[k] >= 0; ++r)
        std::copy_n(from + 6 * (3 * (k / 2) + r) + 3 * (k % 2), 3, matrix_->block(place.slots[k]) + 3 * r);
    from += 36;
  }
  return cholesky_->factor(*matrix_, 1, shift_) == FactorStatus::ok;
}

void CoarseFactor::solve(const std::vector<double>& forces, std::vector<double>& motions) {
  ranks().gather(forces.data(), groups_, vector_.data());
  cholesky_->solve_single_precision(vector_);
  std::copy_n(vector_.data() + 6 * static_cast<Index>(first_), motions.size(), motions.begin());
}

}  // namespace brio
