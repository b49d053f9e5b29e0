#include "brio/linalg/reused_factor.hpp"

#include "brio/core/parallel.hpp"
#include "brio/linalg/iterating_solver.hpp"
#include "brio/linalg/point_rotations.hpp"

#include <algorithm>

namespace brio {
namespace {

/// A factorization takes the time of one iteration for so many operations per number of the factor (measured on bars
/// of 5k to 98k tetrahedra, two cores).
constexpr double kOperationsPerNumber = 28;

/// A trial that was not worth it has cost up to a factorization: so many matrices are factored before the next one,
/// and twice as many each time, that trials stay below a tenth of the time of a run that is longer than that.
constexpr int kFirstPause = 16, kLongestPause = 64;

/// R A0^-1 R^T
class TurnedFactor final : public Preconditioner {
 public:
  void set(Cholesky& factor) { factor_ = &factor; }
  std::vector<Mat3>& rotations() { return rotations_; }

  void apply(const Eigen::Ref<const MatrixXd>& R, Eigen::Ref<MatrixXd> Z) override {
    for_each_point(R.cols(), [&](Index c, Index i) {
      Z.col(c).segment<3>(3 * i) = rotations_[i].transpose() * R.col(c).segment<3>(3 * i);
    });
    factor_->solve_single_precision(Z);
    for_each_point(R.cols(), [&](Index c, Index i) {
      const Vec3 z = Z.col(c).segment<3>(3 * i);
      Z.col(c).segment<3>(3 * i) = rotations_[i] * z;
    });
  }

 private:
  template <class Body>
  void for_each_point(Index columns, const Body& body) const {
    parallel_for(static_cast<int>(rotations_.size()), 512, [&](int begin, int end) {
      for (Index c = 0; c < columns; ++c)
        for (Index i = begin; i < end; ++i) body(c, i);
    });
  }

  Cholesky* factor_ = nullptr;
  std::vector<Mat3> rotations_;
};

class ReusedFactor final : public IteratingSolver {
 public:
  ReusedFactor(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::vector<int>>& free_pieces,
               const ReuseOptions& options)
      : IteratingSolver(pattern, free_pieces, options.tolerance), factored_(pattern), turned_(options.turned) {}

  FactorStatus factor(const BlockMatrix& K, double scale, const VectorXd& shift) override {
    end_matrix();
    set_matrix(K, scale, shift);
    // Another step length or another set of pinned points makes another matrix altogether. In one place nothing has
    // changed by motion: whoever asks again wants the matrix of other touches, the projected one, or an exact inverse.
    const bool moved = q_.size() == before_.size() && q_ != before_;
    const bool related = has_factor_ && moved && scale == scale_ && shift.size() == shift_.size() && shift == shift_;
    scale_ = scale;
    shift_ = shift;
    if (!related || due_) return status_ = renew();
    ++work_.reused;
    if (turned_ && q_.size() == shift.size())
      find_rotations(*pattern_, before_, q_, inverse_.rotations());
    else
      inverse_.rotations().assign(pattern_->blocks_per_side, Mat3::Identity());
    return FactorStatus::ok;
  }

  /// The factor itself is made again, with the same bits.
  void archive(Archive& archive) override {
    bool there = has_factor_;
    archive(there);
    if (!there) return;
    archive_recycled(archive);
    archive(factored_, before_, shift_, scale_, due_, factor_cost_, total_, spent_, age_, patience_, pause_);
    if (!archive.loading()) return;
    A_ = factored_;
    factor_whole();
    work_ = {};
    inverse_.set(*cholesky_);
  }

 private:
  /// Of applications to so many columns in all, in iterations for one column.
  static double cost(double applications, double columns) { return 0.75 * applications + 0.25 * columns; }

  Preconditioner& preconditioner() override { return inverse_; }

  /// What would cost more than half of a factorization is not worth going on with.
  int most_iterations(Index columns) const override {
    return std::max(3, static_cast<int>(0.5 * factor_cost_ / cost(1, static_cast<double>(columns))));
  }

  bool recycles() const override { return true; }

  void book(const GradientsReport& found) override {
    spent_ += cost(found.applications, found.columns);
    if (found.converged || found.indefinite) return;
    // Against a factorization for each of the matrices that it has served, what was wasted now included.
    const bool paid = total_ + spent_ < 0.8 * age_ * factor_cost_;
    start_over();  // with the factor that is to be made now
    if (!paid) pause();
  }

  FactorStatus renew() {
    const FactorStatus status = factor_whole();
    const CholeskyStats stats = cholesky_->stats();
    factor_cost_ = std::max(1.0, stats.factor_flops / (kOperationsPerNumber * stats.factor_nonzeros));
    inverse_.set(*cholesky_);
    factored_ = A_;
    start_over();
    return status;
  }

  void pause() {
    pause_ = patience_;
    patience_ = std::min(2 * patience_, kLongestPause);
  }

  void start_over() {
    before_ = q_;
    due_ = false;
    age_ = 0;
    total_ = factor_cost_;
    spent_ = 1;
  }

  /// The matrices since the factor was made cost least, each, when it is made anew as soon as one of them costs more
  /// than their mean. Where even the first one with an old factor was hardly worth it, the next ones are factored at
  /// once, twice as many each time. Only counts decide, never times, so that the bits are the same in every run.
  void end_matrix() {
    if (!has_factor_) return;
    ++age_;
    total_ += spent_;
    due_ = age_ > 1 && spent_ > total_ / age_;
    if (age_ == 2) {
      const bool worth = spent_ < 0.5 * factor_cost_;
      if (worth)
        patience_ = kFirstPause;
      else
        pause();
    }
    if (pause_ > 0) {
      --pause_;
      due_ = true;
    }
    spent_ = 0;
  }

  BlockMatrix factored_;
  bool turned_;
  TurnedFactor inverse_;
  VectorXd before_, shift_;  ///< positions when the factor was made [m]; the last diagonal
  double scale_ = 0;
  bool due_ = false;
  double factor_cost_ = 1, total_ = 0,
         spent_ = 0;  ///< of the factor, since it was made, for this matrix; in iterations
  int age_ = 0, patience_ = kFirstPause, pause_ = 0;  ///< in matrices
};

}  // namespace

std::unique_ptr<BlockSolver> make_reused_factor(std::shared_ptr<const BlockPattern> pattern,
                                                const std::vector<std::vector<int>>& free_pieces,
                                                const ReuseOptions& options) {
  return std::make_unique<ReusedFactor>(std::move(pattern), free_pieces, options);
}

}  // namespace brio
