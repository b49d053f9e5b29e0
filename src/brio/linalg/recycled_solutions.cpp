#include "brio/linalg/recycled_solutions.hpp"

#include "brio/linalg/tall_products.hpp"

namespace brio {

void RecycledSolutions::guess(const BlockMatrix& A, const Eigen::Ref<const VectorXd>& b, Eigen::Ref<VectorXd> x) {
  constexpr double kDependent = 1e-12;  // of unit vectors; outweighs what round-off makes of those that are parallel
  x.setZero();
  if (known_ == 0) return;
  const auto V = solutions_.leftCols(known_);
  images_.resize(x.size(), kKept);
  A.multiply(V, images_.leftCols(known_), work_);
  multiply_transposed(V, images_.leftCols(known_), small_, scratch_);
  multiply_transposed(V, b, shares_, scratch_);
  scale_ = small_.diagonal().cwiseSqrt().cwiseInverse();
  small_ = scale_.asDiagonal() * small_ * scale_.asDiagonal();
  small_.diagonal().array() += kDependent;
  cholesky_.compute(small_);
  if (!cholesky_.ok()) return;
  shares_.col(0).array() *= scale_.array();
  cholesky_.solve_in_place(shares_);
  shares_.col(0).array() *= scale_.array();
  if (shares_.allFinite()) multiply_tall(V, shares_, x);
}

void RecycledSolutions::keep(const Eigen::Ref<const VectorXd>& x) {
  if (!x.allFinite() || x.isZero(0)) return;
  if (solutions_.rows() != x.size()) {
    solutions_.setZero(x.size(), kKept);
    known_ = next_ = 0;
  }
  solutions_.col(next_) = x;
  next_ = (next_ + 1) % kKept;
  known_ = std::min(known_ + 1, kKept);
}

void RecycledSolutions::archive(Archive& archive) {
  VectorXd stacked = solutions_.reshaped();
  archive(stacked, known_, next_);
  if (archive.loading()) solutions_ = stacked.reshaped(stacked.size() / kKept, kKept);
}

}  // namespace brio
