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

/// The four blocks of two groups.
void add_pair(int row, int column, std::vector<std::pair<int, int>>& couplings) {
  for (int k = 0; k < 4; ++k) couplings.emplace_back(2 * row + k / 2, 2 * column + k % 2);
}

}  // namespace

CoarseFactor::Place::Place(const BlockPattern& pattern, int row, int column) {
  for (int k = 0; k < 4; ++k)
    slots[k] = row == column && k == 1 ? -1 : pattern.slot(2 * row + k / 2, 2 * column + k % 2);
}

void CoarseFactor::Place::add(const double* numbers, size_t stride, bool transposed, BlockMatrix& to) const {
  for (int k = 0; k < 4; ++k) {
    if (slots[k] < 0) continue;
    double* block = to.block(slots[k]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        const size_t row = static_cast<size_t>(3 * (k / 2) + r), column = static_cast<size_t>(3 * (k % 2) + c);
        block[3 * r + c] += transposed ? numbers[column * stride + row] : numbers[row * stride + column];
      }
  }
}

CoarseFactor::CoarseFactor(const std::vector<std::vector<PetscInt>>& columns, PetscInt first, PetscInt total)
    : first_(first), total_(total) {
  number_border(columns);
  make_own(columns);
  if (border_count_ > 0) make_border();
}

/// Of two groups of different ranks that are coupled, that of the later rank is in the border.
void CoarseFactor::number_border(const std::vector<std::vector<PetscInt>>& columns) {
  std::vector<double> own;
  for (const auto& row : columns) own.push_back(!row.empty() && row.front() < first_ ? 1 : 0);
  std::vector<int> counts;
  const std::vector<double> all = gathered(own, counts);
  for (const double shared : all) border_.push_back(shared > 0 ? border_count_++ : -1);
}

void CoarseFactor::make_own(const std::vector<std::vector<PetscInt>>& columns) {
  const int own = static_cast<int>(columns.size());
  local_.resize(own);
  int inner = 0;
  for (int a = 0; a < own; ++a) {
    if (border_[first_ + a] < 0)
      local_[a] = inner++;
    else
      kept_.push_back(first_ + a);
    for (const PetscInt b : columns[a])
      if (border_[b] >= 0) kept_.push_back(b);
  }
  std::sort(kept_.begin(), kept_.end());
  kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
  const auto number = [&](PetscInt group) {
    if (border_[group] < 0) return local_[group - first_];
    return inner + static_cast<int>(std::lower_bound(kept_.begin(), kept_.end(), group) - kept_.begin());
  };
  for (int a = 0; a < own; ++a) local_[a] = number(first_ + a);

  std::vector<std::pair<int, int>> couplings;
  const auto for_each_pair = [&](const auto& visit) {  // each once, by the rank that knows it
    for (int a = 0; a < own; ++a)
      for (size_t k = 0; k < columns[a].size(); ++k) {
        const PetscInt b = columns[a][k];
        const bool a_kept = border_[first_ + a] >= 0, b_kept = border_[b] >= 0;
        if (a_kept != b_kept ? b_kept : b <= first_ + a) visit(a, static_cast<int>(k), number(b), b_kept && !a_kept);
      }
  };
  for_each_pair([&](int a, int, int b, bool transposed) {
    transposed ? add_pair(b, local_[a], couplings) : add_pair(local_[a], b, couplings);
  });
  const int kept = static_cast<int>(kept_.size());
  const auto pattern = std::make_shared<BlockPattern>(2 * (inner + kept), std::move(couplings));
  for_each_pair([&](int a, int k, int b, bool transposed) {
    own_places_.push_back(
        {a, k, transposed, transposed ? Place(*pattern, b, local_[a]) : Place(*pattern, local_[a], b)});
  });
  matrix_ = std::make_unique<BlockMatrix>(pattern);
  if (inner + kept > 0) own_factor_ = make_partial_cholesky(pattern, 2 * kept);
  no_shift_ = vector_ = VectorXd::Zero(6 * static_cast<Index>(inner + kept));
}

void CoarseFactor::make_border() {
  std::vector<double> own, own_kept;
  for (size_t p = 0; p < kept_.size(); ++p) {
    own_kept.push_back(border_[kept_[p]]);
    for (size_t q = 0; q <= p; ++q)
      own.insert(own.end(), {static_cast<double>(border_[kept_[p]]), static_cast<double>(border_[kept_[q]])});
  }
  const std::vector<double> pairs = gathered(own, pair_counts_), all_kept = gathered(own_kept, kept_counts_);
  all_kept_.assign(all_kept.begin(), all_kept.end());
  own_.resize(18 * own.size());  // 36 for a pair
  for (int& count : pair_counts_) count *= 18;
  for (int& count : kept_counts_) count *= 6;
  all_.resize(std::max(18 * pairs.size(), 6 * all_kept_.size()));
  kept_numbers_.resize(6 * kept_.size());

  std::vector<std::pair<int, int>> couplings;
  for (size_t p = 0; p < pairs.size(); p += 2)
    add_pair(static_cast<int>(pairs[p]), static_cast<int>(pairs[p + 1]), couplings);
  const auto pattern = std::make_shared<BlockPattern>(2 * border_count_, std::move(couplings));
  for (size_t p = 0; p < pairs.size(); p += 2)
    border_places_.emplace_back(*pattern, static_cast<int>(pairs[p]), static_cast<int>(pairs[p + 1]));
  border_matrix_ = std::make_unique<BlockMatrix>(pattern);
  border_factor_ = make_cholesky(pattern);
  no_border_shift_ = border_vector_ = VectorXd::Zero(6 * static_cast<Index>(border_count_));
}

bool CoarseFactor::set(const std::vector<std::vector<double>>& rows) {
  matrix_->set_zero();
  for (const OwnPlace& own : own_places_) {
    const std::vector<double>& row = rows[own.row];
    own.place.add(row.data() + 6 * static_cast<size_t>(own.column), row.size() / 6, own.transposed, *matrix_);
  }
  double bad = !own_factor_ || own_factor_->factor(*matrix_, 1, no_shift_) == FactorStatus::ok ? 0 : 1;
  sum_over_ranks(&bad, 1);
  return bad == 0 && (border_count_ == 0 || factor_border());
}

/// What the ranks leave for the border, added up in their order.
bool CoarseFactor::factor_border() {
  collect_own();
  ranks().gather(own_.data(), pair_counts_, all_.data());
  border_matrix_->set_zero();
  const double* from = all_.data();
  for (const Place& place : border_places_) {
    place.add(from, 6, false, *border_matrix_);
    from += 36;
  }
  return border_factor_->factor(*border_matrix_, 1, no_border_shift_) == FactorStatus::ok;
}

void CoarseFactor::collect_own() {
  double* to = own_.data();
  for (size_t p = 0; p < kept_.size(); ++p)
    for (size_t q = 0; q <= p; ++q)
      for (Index r = 0; r < 6; ++r)
        for (Index c = 0; c < 6; ++c) {
          const Index row = 6 * static_cast<Index>(p) + r, column = 6 * static_cast<Index>(q) + c;
          *to++ = own_factor_->left_over(std::max(row, column), std::min(row, column));
        }
}

void CoarseFactor::solve(const std::vector<double>& forces, std::vector<double>& motions) {
  vector_.setZero();  // of those kept, each rank gives the forces on its own
  for (size_t a = 0; a < local_.size(); ++a) std::copy_n(forces.data() + 6 * a, 6, vector_.data() + 6 * local_[a]);
  if (own_factor_) own_factor_->forward_single_precision(vector_);
  if (border_count_ > 0) {
    const Index kept = 6 * static_cast<Index>(kept_.size());
    Eigen::Map<VectorXd>(kept_numbers_.data(), kept) = vector_.tail(kept);
    ranks().gather(kept_numbers_.data(), kept_counts_, all_.data());
    border_vector_.setZero();
    for (size_t k = 0; k < all_kept_.size(); ++k)
      border_vector_.segment<6>(6 * static_cast<Index>(all_kept_[k])) +=
          Eigen::Map<const Eigen::Matrix<double, 6, 1>>(all_.data() + 6 * k);
    border_factor_->solve_single_precision(border_vector_);
    for (size_t k = 0; k < kept_.size(); ++k)
      vector_.segment<6>(vector_.size() - kept + 6 * static_cast<Index>(k)) =
          border_vector_.segment<6>(6 * static_cast<Index>(border_[kept_[k]]));
  }
  if (own_factor_) own_factor_->backward_single_precision(vector_);
  for (size_t a = 0; a < local_.size(); ++a) std::copy_n(vector_.data() + 6 * local_[a], 6, motions.data() + 6 * a);
}

}  // namespace brio
