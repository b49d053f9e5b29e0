// Multifrontal Cholesky over CHOLMOD's symbolic analysis: families of fronts run in parallel as soon as their
// children are done, every sum is formed in an order that the pattern alone decides.

#include "brio/core/parallel.hpp"
#include "brio/linalg/blas_setup.hpp"
#include "brio/linalg/partial_cholesky.hpp"
#include "brio/linalg/supernodal_dense.hpp"
#include "brio/linalg/supernodal_kernels.hpp"
#include "brio/linalg/supernodal_memory.hpp"
#include "brio/linalg/supernodal_solve.hpp"
#include "brio/linalg/supernodal_symbolic.hpp"
#include "brio/linalg/supernodal_tree.hpp"

#include <algorithm>
#include <atomic>

namespace brio {
namespace {

template <int Block>
class SupernodalCholesky final : public PartialCholesky {
 public:
  explicit SupernodalCholesky(std::shared_ptr<const BlockPattern> pattern, int kept = 0)
      : PartialCholesky(std::move(pattern), Block),
        symbolic_(*pattern_, Block, kept),
        values_(allocate<double>(symbolic_.values)),
        memory_(symbolic_.peak_memory, 2 * symbolic_.families.size() + 2),
        update_(symbolic_.fronts.size()),
        smallest_pivot_(rows()),
        tree_(symbolic_),
        solver_(symbolic_) {}

  CholeskyStats stats() const override {
    return {"supernodal", symbolic_.ordering, symbolic_.nonzeros, symbolic_.flops};
  }

  /// The last front has its rows in their own order.
  double left_over(Index row, Index column) const override {
    const PanelOf<const double> panel = symbolic_.fronts.back().panel<const double>(values_.get());
    return panel.L11[row + column * static_cast<Index>(panel.L11_stride)];
  }
  void forward_single_precision(Eigen::Ref<MatrixXd> b) override {
    if (!is_rounded_) round_factor();
    solver_.forward<float>(rounded_.get(), b);
  }
  void backward_single_precision(Eigen::Ref<MatrixXd> x) override { solver_.backward<float>(rounded_.get(), x); }

 private:
  bool factor_values(const double* K, double scale, const VectorXd& shift) override {
    use_single_threaded_blas();
    memory_.release_all();
    is_rounded_ = false;
    std::atomic<bool> failed = false;
    tree_.upwards([&](int family) {
      if (!failed && !factor_family(symbolic_.families[family], K, scale, shift)) failed = true;
    });
    return !failed;
  }

  bool factor_family(const Family& family, const double* K, double scale, const VectorXd& shift) {
    // First what stays, so that what is given back soon leaves no hole before it.
    update_[family.top] = memory_.acquire(symbolic_.fronts[family.top].update_size());
    double* stack = memory_.acquire(family.memory);
    for (int f = family.first_front; f <= family.top; ++f) {
      const Front& front = symbolic_.fronts[f];
      if (f < family.top) update_[f] = stack + front.update;
      if (!factor_front(front, K, scale, shift, update_[f])) return false;
      for (int child : symbolic_.children_of(front))
        if (child < family.first_front) memory_.release(update_[child], symbolic_.fronts[child].update_size());
    }
    memory_.release(stack, family.memory);
    return true;
  }

  bool factor_front(const Front& front, const double* K, double scale, const VectorXd& shift, double* update) {
    const Panel panel = front.panel(values_.get());
    load_values(front, panel, K, scale, shift);
    for (int child : symbolic_.children_of(front)) add_to_panel(child_update(child), panel);
    if (front.kept) return true;
    if (!eliminate(panel, smallest_pivot_.data() + front.first_column)) return false;
    if (front.below == 0) return true;
    start_update(panel, update);
    for (int child : symbolic_.children_of(front)) add_to_update(child_update(child), panel, update);
    return true;
  }

  ChildUpdate child_update(int child) const {
    const Front& front = symbolic_.fronts[child];
    return {update_[child], static_cast<size_t>(padded(front.below)), symbolic_.runs_in_parent(front),
            front.runs_in_panel};
  }

  /// The front's columns of scale * K + diag(shift), zeros included.
  void load_values(const Front& front, const Panel& panel, const double* K, double scale, const VectorXd& shift) {
    std::fill_n(panel.L11, front.panel_size(), 0.0);
    for (int e = front.entries_begin; e < front.entries_end; ++e) {
      const MatrixEntry& entry = symbolic_.entries[e];
      const double* block = K + Block * Block * static_cast<size_t>(entry.slot);
      const bool in_L11 = entry.row < front.columns;
      const size_t stride = in_L11 ? panel.L11_stride : panel.L21_stride;
      double* target =
          (in_L11 ? panel.L11 + entry.row : panel.L21 + (entry.row - front.columns)) + entry.column * stride;
      for (int c = 0; c < Block; ++c)
        for (int r = 0; r < Block; ++r)
          target[r + c * stride] = scale * block[entry.transposed ? Block * c + r : Block * r + c];
      if (entry.row != entry.column) continue;
      const int column = front.first_column + entry.column;
      for (int c = 0; c < Block; ++c) {
        target[c + c * stride] += shift[symbolic_.order[column + c]];
        smallest_pivot_[column + c] = kSmallestPivot * target[c + c * stride];
      }
    }
  }

  void solve_factored(Eigen::Ref<MatrixXd> B) override { solver_.solve<double>(values_.get(), B); }

  void solve_factored_single_precision(Eigen::Ref<MatrixXd> B) override {
    if (!is_rounded_) round_factor();
    solver_.solve<float>(rounded_.get(), B);
  }

  void round_factor() {
    if (!rounded_) rounded_ = allocate<float>(symbolic_.values);
    tree_.upwards([&](int family) {
      const Family& of = symbolic_.families[family];
      for (int f = of.first_front; f <= of.top; ++f) {
        const double* from = values_.get() + symbolic_.fronts[f].values;
        std::copy_n(from, symbolic_.fronts[f].panel_size(), rounded_.get() + symbolic_.fronts[f].values);
      }
    });
    is_rounded_ = true;
  }

  Symbolic symbolic_;
  Aligned<double> values_;
  Aligned<float> rounded_;   ///< the same numbers in single precision, once they are asked for
  bool is_rounded_ = false;  ///< rounded_ belongs to the present values_
  UpdateMemory memory_;
  std::vector<double*> update_;
  VectorXd smallest_pivot_;
  FamilyTree tree_;
  SupernodalSolver solver_;
};

}  // namespace

std::unique_ptr<PartialCholesky> make_partial_cholesky(std::shared_ptr<const BlockPattern> pattern, int kept) {
  warn_about_slow_blas();
  reserve_blas_buffers(thread_count());
  return std::make_unique<SupernodalCholesky<3>>(std::move(pattern), kept);
}

std::unique_ptr<Cholesky> make_supernodal_cholesky(std::shared_ptr<const BlockPattern> pattern, int block) {
  warn_about_slow_blas();
  reserve_blas_buffers(thread_count());
  if (block == 1) return std::make_unique<SupernodalCholesky<1>>(std::move(pattern));
  return std::make_unique<SupernodalCholesky<3>>(std::move(pattern));
}

}  // namespace brio
