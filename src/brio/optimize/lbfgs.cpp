#include "brio/optimize/lbfgs.hpp"

#include "brio/core/load_vector.hpp"
#include "brio/core/parallel.hpp"
#include "brio/linalg/tall_products.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace brio {
namespace {

constexpr int kRowsPerTask = 2048;
constexpr int kTogether = 4;  // columns that are worked on at a time

/// out[c] = a_c . b with columns a_c of `count` rows, `stride` apart.
template <int Columns>
void multiply(const float* a, Index stride, int count, const double* b, double* out) {
  Pack sum[Columns] = {};
  int r = 0;
  for (; r + kLanes <= count; r += kLanes) {
    const Pack v = load_vector<Pack>(b + r);
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) sum[c] += load_vector<Pack>(a + c * stride + r) * v;
  }
  for (int c = 0; c < Columns; ++c) {
    out[c] = 0;
    for (int lane = 0; lane < kLanes; ++lane) out[c] += sum[c][lane];
    for (int rest = r; rest < count; ++rest) out[c] += a[c * stride + rest] * b[rest];
  }
}

/// to = sum of weight_c a_c, or to += that sum.
template <int Columns>
void combine_columns(const float* a, Index stride, int count, const double* weight, bool add, double* to) {
  int r = 0;
  for (; r + kLanes <= count; r += kLanes) {
    Pack sum = add ? load_vector<Pack>(to + r) : Pack{};
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) sum += weight[c] * load_vector<Pack>(a + c * stride + r);
    std::memcpy(to + r, &sum, sizeof sum);
  }
  for (; r < count; ++r) {
    double sum = add ? to[r] : 0;
    for (int c = 0; c < Columns; ++c) sum += weight[c] * a[c * stride + r];
    to[r] = sum;
  }
}

/// body.operator()<Columns>(first) for columns [0, count), several at a time and the rest one by one.
template <class Body>
void for_each_few(int count, const Body& body) {
  int first = 0;
  for (; first + kTogether <= count; first += kTogether) body.template operator()<kTogether>(first);
  for (; first < count; ++first) body.template operator()<1>(first);
}

}  // namespace

Lbfgs::Lbfgs(int window, bool scaled)
    : window_(window),
      capacity_(3 * window + 1),
      scaled_(scaled),
      products_(capacity_, window + 1),
      solution_(window + 1),
      weights_(capacity_, window + 1),
      length_(window + 1),
      of_gradients_(window + 1),
      curvature_(window + 1),
      zeta_(window + 1),
      along_q_(capacity_) {}

void Lbfgs::clear() {
  iteration_ = used_ = 0;
  pending_ = false;
}

void Lbfgs::took(double length) {
  pending_ = false;
  length_[slot(iteration_)] = length;
  ++iteration_;
}

double Lbfgs::find_direction(const VectorXd& g, const VectorXd& p, VectorXd& d) {
  if (window_ == 0) {
    d = -p;
    return parallel_dot(g, d);
  }
  if (columns_.rows() != g.size()) {
    clear();
    columns_.resize(g.size(), capacity_);
  }
  if (pending_) --used_;
  add_solution(g, p);
  if (used_ == capacity_) make_room();
  find_weights();
  combine(d);
  pending_ = true;
  const int now = slot(iteration_);
  return weights_.col(now).head(used_).dot(products_.col(now).head(used_));
}

/// What remains are the directions of the window, now as columns of their own, and its solutions.
void Lbfgs::make_room() {
  const int first = oldest(), pairs = iteration_ - first;
  spare_columns_.resize(columns_.rows(), capacity_);
  spare_products_.resize(capacity_, window_ + 1);
  parallel_for(static_cast<int>(columns_.rows()), kRowsPerTask, [&](int begin, int end) {
    for (int k = 0; k < pairs; ++k) {
      const auto weights = weights_.col(slot(first + k)).head(used_);
      for (int r = begin; r < end; ++r)
        spare_columns_(r, k) = static_cast<float>(columns_.row(r).head(used_).transpose().cast<double>().dot(weights));
    }
    for (int k = 0; k <= pairs; ++k)
      spare_columns_.col(pairs + k).segment(begin, end - begin) =
          columns_.col(solution_[slot(first + k)]).segment(begin, end - begin);
  });
  for (int k = 0; k < pairs; ++k)
    spare_products_.row(k).noalias() = weights_.col(slot(first + k)).head(used_).transpose() * products_.topRows(used_);
  for (int k = 0; k <= pairs; ++k) {
    int& solution = solution_[slot(first + k)];
    spare_products_.row(pairs + k) = products_.row(solution);
    solution = pairs + k;
  }
  weights_.setZero();
  for (int k = 0; k < pairs; ++k) weights_(k, slot(first + k)) = 1;
  columns_.swap(spare_columns_);
  products_.swap(spare_products_);
  used_ = 2 * pairs + 1;
}

void Lbfgs::add_solution(const VectorXd& g, const VectorXd& p) {
  const int n = static_cast<int>(g.size()), now = slot(iteration_), before = used_;
  const detail::Chunks chunks(n, kRowsPerTask);
  partial_.resize(capacity_, chunks.count);
  parallel_for(n, kRowsPerTask, [&](int begin, int end) {
    const int count = end - begin;
    columns_.col(before).segment(begin, count) = p.segment(begin, count).cast<float>();
    double* sum = partial_.col(begin / chunks.length).data();
    for_each_few(before + 1, [&]<int Columns>(int c) {
      multiply<Columns>(columns_.col(c).data() + begin, n, count, g.data() + begin, sum + c);
    });
  });
  ++used_;
  for (int c = 1; c < chunks.count; ++c) partial_.col(0).head(used_) += partial_.col(c).head(used_);
  products_.col(now).head(used_) = partial_.col(0).head(used_);
  for (int i = oldest(); i < iteration_; ++i)  // B is symmetric
    products_(before, slot(i)) = products_(solution_[slot(i)], now);
  solution_[now] = before;
}

void Lbfgs::find_weights() {
  const int first = oldest(), now = slot(iteration_);
  const auto products = products_.topRows(used_);
  const auto change = [&](int i) { return products.col(slot(i + 1)) - products.col(slot(i)); };
  const auto direction = [&](int i) { return weights_.col(slot(i)).head(used_); };
  auto r = weights_.col(now).head(used_);
  auto along_q = along_q_.head(used_);
  weights_.col(now).setZero();
  of_gradients_.setZero();  // q of the first loop, at first -g
  of_gradients_[now] = -1;
  along_q = -products.col(now);
  double scale = 1;
  bool scale_found = !scaled_;
  for (int i = iteration_ - 1; i >= first; --i) {
    const double before = direction(i).dot(products.col(slot(i))), after = direction(i).dot(products.col(slot(i + 1)));
    const bool curved = after - before > 1e-12 * (std::fabs(after) + std::fabs(before));
    curvature_[slot(i)] = curved ? after - before : 0;
    if (!curved) continue;
    const double zeta = direction(i).dot(along_q) / (after - before);
    along_q -= zeta * change(i);
    zeta_[slot(i)] = zeta;
    of_gradients_[slot(i + 1)] -= zeta;
    of_gradients_[slot(i)] += zeta;
    const double change_of_solution = change(i)[solution_[slot(i + 1)]] - change(i)[solution_[slot(i)]];
    if (!scale_found && change_of_solution > 0) {
      scale = length_[slot(i)] * (after - before) / change_of_solution;
      scale_found = true;
    }
  }
  for (int j = first; j <= iteration_; ++j) r[solution_[slot(j)]] = scale * of_gradients_[slot(j)];
  for (int i = first; i < iteration_; ++i) {
    if (curvature_[slot(i)] == 0) continue;
    r += (length_[slot(i)] * zeta_[slot(i)] - change(i).dot(r) / curvature_[slot(i)]) * direction(i);
  }
}

void Lbfgs::combine(VectorXd& d) {
  const int n = static_cast<int>(columns_.rows());
  const double* weight = weights_.col(slot(iteration_)).data();
  d.resize(n);
  parallel_for(n, kRowsPerTask, [&](int begin, int end) {
    for_each_few(used_, [&]<int Columns>(int c) {
      combine_columns<Columns>(columns_.col(c).data() + begin, n, end - begin, weight + c, c > 0, d.data() + begin);
    });
  });
}

}  // namespace brio
