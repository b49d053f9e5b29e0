#include "brio/linalg/lobpcg.hpp"

#include "brio/core/parallel.hpp"
#include "brio/linalg/dense.hpp"
#include "brio/linalg/scattered_vectors.hpp"
#include "brio/linalg/tall_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr int kMost = 400;            // iterations
constexpr int kPatience = 50;         // iterations that do not halve what is left
constexpr double kConverged = 1e-7;   // |K u - lambda M u| over the largest lambda and |M u|; its square is off in lambda
constexpr double kRounding = 1e-5;    // the same, where round-off lets it get no nearer
constexpr double kDependent = 1e-13;  // eigenvalue of the Gram matrix of unit vectors: what others have already

/// The space of a step is [X W P]: the modes so far, the preconditioned residuals, and the last changes of the modes.
class Lobpcg {
 public:
  Lobpcg(const BlockMatrix& K, const VectorXd& mass, Preconditioner& preconditioner, int count)
      : K_(K), mass_(mass), preconditioner_(preconditioner), count_(count),
        // A few more than asked for, so that the last of them converge as well as the first.
        width_(std::min<Index>(mass.size(), count + std::max(4, count / 4))),
        S_(mass.size(), 3 * width_), KS_(mass.size(), 3 * width_), R_(mass.size(), width_) {}

  FoundModes search(int& iterations) {
    FoundModes found;
    begin();
    double last_better = std::numeric_limits<double>::infinity();
    int taken = 0, since_better = 0;
    for (bool ok = take_best(width_);; ok = take_best(used_)) {
      const double residual = ok ? find_residuals() : std::numeric_limits<double>::quiet_NaN();
      ++since_better;
      if (residual < last_better / 2) {
        last_better = residual;
        since_better = 0;
      }
      const bool stalled = since_better >= kPatience || taken == kMost;
      if (residual < kConverged || (stalled && residual < kRounding)) break;
      if (!std::isfinite(residual) || stalled) {
        found.trouble = fmt::format(
            "the {} slowest modes did not converge without a factor; ask for fewer, or take an engine that factors",
            count_);
        return found;
      }
      ++taken;
      ++iterations;
      add_residuals();
    }
    found.modes = {S_.leftCols(count_), lambda_.head(count_)};
    return found;
  }

 private:
  /// Vectors in which short waves are damped already.
  void begin() {
    R_ = scattered_vectors(mass_.size(), width_);
    preconditioner_.apply(mass_.asDiagonal() * R_, S_.leftCols(width_));
    K_.multiply(S_.leftCols(width_), KS_.leftCols(width_), work_);
  }

  /// Rayleigh-Ritz in the first `used` columns of S: X becomes the slowest modes there, P what was added to the last X.
  bool take_best(Index used) {
    const auto S = S_.leftCols(used), KS = KS_.leftCols(used);
    multiply_weighted(S, mass_, gram_, scratch_);
    const VectorXd scale = gram_.diagonal().cwiseSqrt().cwiseInverse();
    multiply_transposed(S, KS, stiffness_, scratch_);
    gram_ = scale.asDiagonal() * gram_ * scale.asDiagonal();
    stiffness_ = 0.5 * scale.asDiagonal() * (stiffness_ + stiffness_.transpose()).eval() * scale.asDiagonal();
    if (!gram_.allFinite() || !stiffness_.allFinite()) return false;
    // Directions that others have already are left out.
    if (!eigen_.compute(gram_, values_, vectors_)) return false;
    const Index dependent = (values_.array() < kDependent * values_.maxCoeff()).count(), rank = used - dependent;
    if (rank < width_) return false;
    const MatrixXd T = vectors_.rightCols(rank) * values_.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
    MatrixXd reduced = congruence(T, stiffness_);
    if (!eigen_.compute(reduced, values_, vectors_)) return false;
    lambda_ = values_.head(width_);
    MatrixXd C = scale.asDiagonal() * (T * vectors_.leftCols(width_)), change = C;
    change.topRows(width_).setZero();
    const bool first = used == width_;
    for (MatrixXd* block : {&S_, &KS_}) {
      next_.resize(mass_.size(), first ? width_ : 2 * width_);
      multiply_tall(block->leftCols(used), C, next_.leftCols(width_));
      if (!first) multiply_tall(block->leftCols(used), change, next_.rightCols(width_));
      block->leftCols(width_) = next_.leftCols(width_);
      if (!first) block->middleCols(2 * width_, width_) = next_.rightCols(width_);
    }
    has_changes_ = !first;
    return true;
  }

  /// R = K X - M X Lambda; the largest of those that are asked for.
  double find_residuals() {
    VectorXd size(width_), whole(width_);
    parallel_for(static_cast<int>(width_), 1, [&](int begin, int end) {
      for (Index j = begin; j < end; ++j) {
        R_.col(j) = KS_.col(j) - lambda_[j] * mass_.cwiseProduct(S_.col(j));
        size[j] = R_.col(j).norm();
        whole[j] = mass_.cwiseProduct(S_.col(j)).norm();
      }
    });
    const double reference = lambda_.head(count_).cwiseAbs().maxCoeff();
    return (size.array() / ((lambda_.array().abs() + reference) * whole.array())).head(count_).maxCoeff();
  }

  /// W and P without what X has of them, which would hide the rest behind round-off.
  void add_residuals() {
    auto X = S_.leftCols(width_), W = S_.middleCols(width_, width_), P = S_.rightCols(width_);
    preconditioner_.apply(R_, W);
    R_ = mass_.asDiagonal() * X;
    multiply_transposed(R_, W, shares_, scratch_);
    add_tall(X, -shares_, W);
    K_.multiply(W, KS_.middleCols(width_, width_), work_);
    used_ = 2 * width_;
    if (!has_changes_) return;
    multiply_transposed(R_, P, shares_, scratch_);
    add_tall(X, -shares_, P);
    add_tall(KS_.leftCols(width_), -shares_, KS_.rightCols(width_));
    used_ = 3 * width_;
  }

  const BlockMatrix& K_;
  const VectorXd& mass_;
  Preconditioner& preconditioner_;
  Index count_, width_, used_ = 0;
  MatrixXd S_, KS_, R_, next_;  ///< tall
  bool has_changes_ = false;
  MatrixXd gram_, stiffness_, vectors_, shares_;
  VectorXd lambda_, values_;
  SymmetricEigen eigen_;
  std::vector<double> scratch_, work_;
};

}  // namespace

FoundModes lobpcg(const BlockMatrix& K, const VectorXd& mass, Preconditioner& preconditioner, int count,
                  int& iterations) {
  return Lobpcg(K, mass, preconditioner, count).search(iterations);
}

}  // namespace brio
