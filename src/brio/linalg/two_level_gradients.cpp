#include "brio/linalg/two_level_gradients.hpp"

#include "brio/core/memory.hpp"
#include "brio/core/parallel.hpp"
#include "brio/linalg/iterating_solver.hpp"
#include "brio/linalg/lobpcg.hpp"
#include "brio/linalg/rigid_coarse_space.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

/// Of the blocks, which count as couplings by their norm.
VectorXd couplings_of(const BlockMatrix& A) {
  VectorXd couplings(A.pattern().slots());
  for (int s = 0; s < A.pattern().slots(); ++s)
    couplings[s] = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(A.block(s)).norm();
  return couplings;
}

class TwoLevel final : public Preconditioner {
 public:
  explicit TwoLevel(TwoLevelOptions options) : options_(std::move(options)) {}

  FactorStatus factor(const BlockMatrix& A, const VectorXd& q) {
    const int n = A.pattern().blocks_per_side;
    if (!coarse_) {
      const bool given = options_.couplings.size() == A.pattern().slots();
      const int size = options_.aggregate > 0 ? options_.aggregate : usual_aggregate(n);
      coarse_ = std::make_unique<RigidCoarseSpace>(A.pattern(), given ? options_.couplings : couplings_of(A), size);
      options_.couplings.resize(0);
      inverse_.resize(n);
    }
    if (!invert_diagonal(A)) return FactorStatus::not_positive_definite;
    return coarse_->factor(A, q);
  }

  void apply(const Eigen::Ref<const MatrixXd>& R, Eigen::Ref<MatrixXd> Z) override {
    parallel_for(static_cast<int>(inverse_.size()), 512, [&](int begin, int end) {
      for (Index c = 0; c < R.cols(); ++c)
        for (Index i = begin; i < end; ++i)
          Z.col(c).segment<3>(3 * i) = inverse_[i].lazyProduct(R.col(c).segment<3>(3 * i));
    });
    coarse_->add_correction(R, Z);
  }

 private:
  /// False where a block is not positive definite.
  bool invert_diagonal(const BlockMatrix& A) {
    const BlockPattern& p = A.pattern();
    const double bad = parallel_sum(p.blocks_per_side, 1024, [&](int begin, int end) {
      double count = 0;
      for (int i = begin; i < end; ++i) {
        const Mat3 block = Eigen::Map<const Mat3>(A.block(p.column_begin[i]));
        const double minor = block(0, 0) * block(1, 1) - block(0, 1) * block(1, 0);
        inverse_[i] = block.inverse();
        count += !(block(0, 0) > 0 && minor > 0 && block.determinant() > 0 && inverse_[i].allFinite());
      }
      return count;
    });
    return bad == 0;
  }

  TwoLevelOptions options_;
  std::unique_ptr<RigidCoarseSpace> coarse_;
  std::vector<Mat3> inverse_;  ///< of the diagonal blocks
};

class TwoLevelGradients final : public IteratingSolver {
 public:
  TwoLevelGradients(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::vector<int>>& free_pieces,
                    const TwoLevelOptions& options)
      : IteratingSolver(std::move(pattern), free_pieces, options.tolerance), two_level_(options) {}

  FactorStatus factor(const BlockMatrix& K, double scale, const VectorXd& shift) override {
    set_matrix(K, scale, shift);
    if (pause_ > 0) {
      --pause_;
      return status_ = factor_whole();
    }
    return status_ = two_level_.factor(A_, q_);
  }

  std::optional<FoundModes> modes(const BlockMatrix& K, const VectorXd& mass, int count, double shift) override {
    set_matrix(K, 1, shift * mass);
    status_ = two_level_.factor(A_, q_);
    if (status_ != FactorStatus::ok)
      return FoundModes{{}, "the stiffness is not finite, or the shape is far from stable"};
    return lobpcg(K, mass, two_level_, count, work_.iterations);
  }

 private:
  Preconditioner& preconditioner() override { return two_level_; }
  /// What is left of an error is as rough as the mesh, which a residual feels more than a motion does.
  double rough_tolerance() const override { return std::pow(tolerance_, 0.6); }
  int most_iterations(Index) const override { return can_factor() ? 500 : 3000; }
  bool can_factor() const override {
    const double available = available_memory();
    return available <= 0 || factor_memory(*pattern_) < 0.5 * available;
  }

  /// Where iterations do not converge, the next matrices are factored at once, twice as many each time.
  void book(const GradientsReport& found) override {
    if (found.converged || found.indefinite) return;
    patience_ = std::min(2 * patience_, 64);
    pause_ = patience_;
  }

  TwoLevel two_level_;
  int patience_ = 1, pause_ = 0;  ///< in matrices
};

}  // namespace

int usual_aggregate(int points) { return points < 100000 ? 40 : 80; }

std::unique_ptr<BlockSolver> make_two_level_gradients(std::shared_ptr<const BlockPattern> pattern,
                                                      const std::vector<std::vector<int>>& free_pieces,
                                                      const TwoLevelOptions& options) {
  return std::make_unique<TwoLevelGradients>(std::move(pattern), free_pieces, options);
}

}  // namespace brio
