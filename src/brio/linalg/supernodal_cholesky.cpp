// Multifrontal Cholesky over CHOLMOD's symbolic analysis: families of fronts run in parallel as soon as their
// children are done, every sum is formed in an order that the pattern alone decides.

#include "brio/core/error.hpp"
#include "brio/linalg/cholesky_backend.hpp"
#include "brio/linalg/supernodal_dense.hpp"
#include "brio/linalg/supernodal_memory.hpp"
#include "brio/linalg/supernodal_solve.hpp"
#include "brio/linalg/supernodal_symbolic.hpp"
#include "brio/linalg/supernodal_tree.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

namespace brio {
namespace {

class SupernodalCholesky final : public CholeskyBackend {
 public:
  explicit SupernodalCholesky(std::shared_ptr<const BlockPattern> pattern)
      : CholeskyBackend(std::move(pattern)),
        symbolic_(*pattern_),
        memory_(symbolic_.peak_memory),
        update_(symbolic_.fronts.size()),
        diagonal_(rows()),
        tree_(symbolic_),
        solver_(symbolic_) {
    try {
      values_.reset(new double[symbolic_.values]);
    } catch (const std::bad_alloc&) {
      throw Error("the factor of a matrix of {} block rows needs {:.0f} MB: use a coarser mesh",
                  pattern_->blocks_per_side, 8e-6 * static_cast<double>(symbolic_.values));
    }
  }

  CholeskyStats stats() const override {
    return {"supernodal", symbolic_.ordering, symbolic_.nonzeros, symbolic_.flops};
  }

 private:
  bool factor_values(const BlockMatrix& K, double scale, const VectorXd& shift) override {
    use_single_threaded_blas();
    memory_.give_back_all();
    std::atomic<bool> failed = false;
    tree_.upwards([&](int family) {
      if (!failed && !factor_family(symbolic_.families[family], K, scale, shift)) failed = true;
    });
    return !failed;
  }

  bool factor_family(const Family& family, const BlockMatrix& K, double scale, const VectorXd& shift) {
    double* stack = memory_.take(family.memory);
    for (int f = family.first_front; f <= family.top; ++f) {
      const Front& front = symbolic_.fronts[f];
      update_[f] = f == family.top ? memory_.take(front.update_size()) : stack + front.update;
      if (!factor_front(f, K, scale, shift)) return false;
      for (int k = front.children_begin; k < front.children_end; ++k) {
        const int child = symbolic_.children[k];
        if (child < family.first_front) memory_.give_back(update_[child], symbolic_.fronts[child].update_size());
      }
    }
    memory_.give_back(stack, family.memory);
    return true;
  }

  bool factor_front(int f, const BlockMatrix& K, double scale, const VectorXd& shift) {
    const Front& front = symbolic_.fronts[f];
    double* panel = values_.get() + front.values;
    load_values(front, K, scale, shift, panel);
    for (int k = front.children_begin; k < front.children_end; ++k)
      add_to_panel(child_update(symbolic_.children[k]), panel, front.rows, front.columns);
    if (!eliminate(panel, 3 * front.rows, 3 * front.columns) || !pivots_are_sound(front, panel)) return false;
    if (front.rows_below() == 0) return true;
    start_update(panel, 3 * front.rows, 3 * front.columns, update_[f]);
    for (int k = front.children_begin; k < front.children_end; ++k)
      add_to_update(child_update(symbolic_.children[k]), update_[f], front.rows, front.columns);
    return true;
  }

  ChildUpdate child_update(int child) const {
    const Front& front = symbolic_.fronts[child];
    return {update_[child], symbolic_.rows_in_parent.data() + front.below, front.rows_below()};
  }

  /// The front's columns of scale * K + diag(shift), zeros included.
  void load_values(const Front& front, const BlockMatrix& K, double scale, const VectorXd& shift, double* panel) {
    const size_t stride = 3 * static_cast<size_t>(front.rows);
    std::fill_n(panel, stride * 3 * front.columns, 0.0);
    for (int e = front.entries_begin; e < front.entries_end; ++e) {
      const Entry3x3& entry = symbolic_.entries[e];
      const double* block = K.block(entry.slot);
      double* target = panel + 3 * entry.row + 3 * entry.column * stride;
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) target[r + c * stride] = scale * block[entry.transposed ? 3 * c + r : 3 * r + c];
      if (entry.row != entry.column) continue;
      const int column = front.first_column + entry.column;
      for (int c = 0; c < 3; ++c)
        diagonal_[3 * column + c] = target[c + c * stride] += shift[3 * symbolic_.order[column] + c];
    }
  }

  bool pivots_are_sound(const Front& front, const double* panel) const {
    for (int j = 0; j < 3 * front.columns; ++j) {
      const double l = panel[j + static_cast<size_t>(j) * 3 * front.rows];
      if (!(l * l > kSmallestPivot * diagonal_[3 * front.first_column + j]) || !std::isfinite(l)) return false;
    }
    return true;
  }

  void solve_factored(Eigen::Ref<MatrixXd> B) override {
    use_single_threaded_blas();
    solver_.solve(values_.get(), B);
  }

  Symbolic symbolic_;
  std::unique_ptr<double[]> values_;
  UpdateMemory memory_;
  std::vector<double*> update_;
  VectorXd diagonal_;
  FamilyTree tree_;
  SupernodalSolver solver_;
};

}  // namespace

std::unique_ptr<Cholesky> make_supernodal_cholesky(std::shared_ptr<const BlockPattern> pattern) {
  return std::make_unique<SupernodalCholesky>(std::move(pattern));
}

}  // namespace brio
