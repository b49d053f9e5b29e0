#include "brio/integrate/methods/ksiere.hpp"

#include "brio/integrate/parts/modal_step.hpp"
#include "brio/linalg/small_symmetric.hpp"
#include "brio/linalg/tall_products.hpp"

#include <Eigen/Cholesky>

#include <cmath>

namespace brio {
namespace {

// Where the depth is chosen; justified in docs/ksiere.md.
constexpr double kTolerance = 1e-2;      // of the residual
constexpr double kColdTolerance = 1e-5;  // in a step that has no other before it
constexpr int kMostChosen = 8;           // depth
constexpr double kWorthKeeping = 1e-3;   // of the motion: less is round-off before long, which grows when it is kept
constexpr double kLost = 1e-11;          // motion against positions, below which it is round-off

constexpr Extra kPlain{
    "plain_steps",
    "steps in which no motion was slow enough to be carried exactly: those of linearly implicit Euler",
    "",
    Extra::Over::sum,
    Extra::Value::count,
    {},
    {"with nothing slow enough to be carried", Remark::kNever, "smaller steps, or a larger \"cut\""}};

constexpr std::string_view kSlowMotions = "slow motions", kInUse = "slow motions in use";

double mass_norm(const VectorXd& mass, const Eigen::Ref<const VectorXd>& x) {
  return std::sqrt(x.dot(mass.cwiseProduct(x)));
}

}  // namespace

void Ksiere::start(const State& state, int columns) {
  const Index n = system().dofs();
  basis_.resize(n, columns);
  stiff_.resize(n, columns);
  if (system().has_damping()) damped_.resize(n, columns);
  start_.resize(n, 3);
  image_.resize(n, 2);
  ahead_.resize(n, 4);
  for (MatrixXd* square : {&K_, &D_, &Y_, &modal_D_, &small_}) square->resize(columns, columns);
  for (MatrixXd* narrow : {&step_, &narrow_, &other_}) narrow->resize(columns, 2);
  for (MatrixXd* three : {&motion_, &modal_}) three->resize(columns, 3);
  reserve_scratch(columns * columns, work_);
  lambda_.resize(columns);
  line_.resize(columns);
  start_.col(0) = system().mass().cwiseProduct(velocity_);
  start_.col(1) = force_;
  start_.col(2) = middle_force_;
  projected_ = size_ = 0;
  const Remembered* motions = find_remembered(state.memory, kSlowMotions);
  const Remembered* in_use = find_remembered(state.memory, kInUse);
  if (!motions || !in_use || motions->values.size() != n * kKept) return;
  // They are M-orthonormal as they were left.
  size_ = static_cast<int>(in_use->values[0]);
  basis_.leftCols(size_) = Eigen::Map<const MatrixXd>(motions->values.data(), n, size_);
}

void Ksiere::append(int columns) {
  constexpr double kDependent = 1e-10;  // what is left of a unit vector that lies in the space already
  constexpr double kCanceled = 0.7;     // less than this left: rounding has to be removed by a second pass
  const VectorXd& mass = system().mass();
  for (int j = 0; j < columns; ++j) {
    auto x = ahead_.col(j);
    double left = mass_norm(mass, x);
    if (!(left > 0)) continue;
    x /= left;
    left = 1;
    for (int pass = 0; pass < 2; ++pass) {
      const double before = left;
      auto along = line_.head(size_);
      image_.col(0) = mass.cwiseProduct(x);
      multiply_transposed(basis_.leftCols(size_), image_.col(0), along, work_);
      along = -along;
      add_tall(basis_.leftCols(size_), along, x);
      left = mass_norm(mass, x);
      if (left > kCanceled * before || !(left > kDependent)) break;
    }
    if (left > kDependent) basis_.col(size_++) = x / left;
  }
}

void Ksiere::project() {
  const int first = projected_, count = size_ - projected_;
  if (count == 0) return;
  const auto Q = basis_.leftCols(size_), fresh = basis_.middleCols(first, count);
  const auto into = [&](const MatrixXd& image, MatrixXd& small) {
    multiply_transposed(Q, image.middleCols(first, count), small.block(0, first, size_, count), work_);
    small.block(first, 0, count, first) = small.block(0, first, first, count).transpose();
  };
  linearization().multiply_stiffness_block(fresh, stiff_.middleCols(first, count));
  into(stiff_, K_);
  if (system().has_damping()) {
    linearization().multiply_damping_block(fresh, damped_.middleCols(first, count));
    into(damped_, D_);
  }
  multiply_transposed(fresh, start_, motion_.middleRows(first, count), work_);
  projected_ = size_;
}

void Ksiere::step_in_space(double h) {
  project();
  const int s = size_;
  auto A = small_.topLeftCorner(s, s), Y = Y_.topLeftCorner(s, s), D = modal_D_.topLeftCorner(s, s);
  auto a = modal_.col(0).head(s), b = modal_.col(1).head(s), dq = step_.col(0).head(s), dv = step_.col(1).head(s);
  auto lambda = lambda_.head(s);
  A = K_.topLeftCorner(s, s);
  symmetric_eigen(A, Y, lambda, line_.head(s));
  modal_.topRows(s) = Y.transpose().lazyProduct(motion_.topRows(s));
  // Linearly implicit Euler in the whole space: (I + h D + h^2 Lambda) dv = h (b - h Lambda a) ...
  dv = h * (b - h * lambda.cwiseProduct(a));
  if (system().has_damping()) {
    A = D_.topLeftCorner(s, s).lazyProduct(Y);
    D = Y.transpose().lazyProduct(A);
    A = h * D;
    A.diagonal().array() += 1 + h * h * lambda.array();
    Eigen::LLT<Eigen::Ref<MatrixXd>> factor(A);
    factor.solveInPlace(dv);
  } else {
    D.diagonal().setZero();
    dv.array() /= 1 + h * h * lambda.array();
  }
  dq = h * (a + dv);
  // ... except for the slow part. Frequencies come in increasing order, unstable ones first.
  const auto slow = [&](int i) { return h * h * std::fabs(lambda[i]) < cut_ * cut_; };
  for (slow_begin_ = 0; slow_begin_ < s && !slow(slow_begin_);) ++slow_begin_;
  auto implicit = line_.head(s);
  implicit = dv;
  for (slow_end_ = slow_begin_; slow_end_ < s && slow(slow_end_); ++slow_end_) {
    const int i = slow_end_;
    double force = modal_(i, 2);
    // What the others' change of speed does through the damping is taken at the end of the step, as they are: stiff
    // damping that couples them (Rayleigh's, by the stiffness at rest, in a bent body) is unstable otherwise.
    if (system().has_damping()) force -= D.row(i).dot(implicit) - D(i, i) * implicit[i];
    const ModeStep exact = exponential_step({lambda[i], D(i, i), a[i], force}, h);
    dq[i] = exact.dq;
    dv[i] = exact.dv;
  }
}

/// a^2, and b^2 as the velocity that it makes in the step or, when fast, in the mode's own time.
double Ksiere::share(int i, double h) const {
  return std::pow(modal_(i, 0), 2) + std::pow(modal_(i, 1), 2) / std::max(std::fabs(lambda_[i]), 1 / (h * h));
}

double Ksiere::motion(double h) const {
  double sum = 0;
  for (int i = 0; i < size_; ++i) sum += share(i, h);
  return sum;
}

double Ksiere::residual(const State& state, double h, int column) {
  const int slow = slow_end_ - slow_begin_;
  const VectorXd& mass = system().mass();
  // K Q y - M Q (Q^T K Q y), y the slow part of the step.
  auto y = narrow_.topRows(size_), Ky = other_.topRows(size_);
  y = Y_.block(0, slow_begin_, size_, slow).lazyProduct(step_.middleRows(slow_begin_, slow));
  Ky = K_.topLeftCorner(size_, size_).lazyProduct(y);
  auto pair = ahead_.middleCols(column, 2);
  multiply_tall(stiff_.leftCols(size_), y, pair);
  multiply_tall(basis_.leftCols(size_), Ky, image_);
  for (int j = 0; j < 2; ++j) pair.col(j) -= mass.cwiseProduct(image_.col(j));
  const double lost = kLost * mass_norm(mass, state.q) / h;
  return 0.5 * h * std::sqrt(pair.col(0).dot(pair.col(0).cwiseQuotient(mass)) / (motion(h) + lost * lost));
}

void Ksiere::solve_and_append(int columns, StepReport& report, Stopwatch& watch) {
  report.time.other += watch.lap();
  linearization().solve(ahead_.leftCols(columns));
  report.solves += columns;
  ++report.iterations;
  report.time.solve += watch.lap();
  append(columns);
}

/// A translation of a piece that nothing touches is left alone by K and, but for its mass-proportional part, by D:
/// taken out, it can be carried exactly, and what is left has no momentum to spoil. In a moving frame there is none.
void Ksiere::split_translations(double h) {
  const OutsideForces& outside = linearization().outside();
  const VectorXd& mass = system().mass();
  drifts_.clear();
  for (const std::vector<int>& points : system().free_pieces()) {
    drifts_.push_back({true, Vec3::Zero(), Vec3::Zero()});
    for (int i : points) drifts_.back().free &= outside.stiffness[i].isZero(0);
    if (!drifts_.back().free) continue;
    const double M = total_mass(points, mass);
    const Vec3 velocity = mean(points, mass, velocity_), acceleration = sum(points, force_) / M;
    for (int k = 0; k < 3; ++k) {
      const ModeStep step = exponential_step({0, outside.mass_damping, velocity[k], acceleration[k]}, h);
      drifts_.back().dq[k] = step.dq;
      drifts_.back().dv[k] = step.dv;
    }
    for (int i : points) {
      velocity_.segment<3>(3 * i) -= velocity;
      force_.segment<3>(3 * i) -= mass[3 * i] * acceleration;
    }
  }
}

void Ksiere::add_translations() {
  for (size_t p = 0; p < drifts_.size(); ++p) {
    if (!drifts_[p].free) continue;
    const std::vector<int>& points = system().free_pieces()[p];
    // The means are what rounding has left of translations in the space.
    const Vec3 dq = drifts_[p].dq - mean(points, system().mass(), dq_);
    const Vec3 dv = drifts_[p].dv - mean(points, system().mass(), dv_);
    for (int i : points) {
      dq_.segment<3>(3 * i) += dq;
      dv_.segment<3>(3 * i) += dv;
    }
  }
}

void Ksiere::update(const State& state, double h, StepReport& report, Stopwatch& watch) {
  split_translations(h);
  find_middle_force(state, middle_force_);
  const int most = depth_ > 0 ? depth_ : kMostChosen;
  start(state, kKept + 2 * most);
  const bool warm = size_ > 0;
  ahead_.col(0) = velocity_;
  ahead_.col(1) = force_.cwiseQuotient(system().mass());
  append(2);
  // What is known from the step before may be put right in the same block of solves, which is hardly dearer for it.
  int depth = 2;
  if (warm && depth_ != 2) {
    step_in_space(h);
    if (residual(state, h, 2) > 0) ++depth;
  }
  // A^-1 (f - h K v) and A^-1 f: with v and M^-1 f they hold what linearly implicit Euler does, whatever the damping.
  linearization().multiply_stiffness_block(velocity_, ahead_.col(0));
  ahead_.col(0) = force_ - h * ahead_.col(0);
  ahead_.col(1) = force_;
  solve_and_append(2 * (depth - 1), report, watch);
  step_in_space(h);
  const double tolerance = depth_ > 0 ? 0 : warm ? kTolerance : kColdTolerance;
  for (; depth < most && residual(state, h, 0) > tolerance; ++depth) {
    solve_and_append(2, report, watch);
    step_in_space(h);
  }
  const double lost = kLost * mass_norm(system().mass(), state.q) / h;
  if (slow_begin_ == slow_end_ && motion(h) > lost * lost) report.extras.set(kPlain, 1);
  auto y = narrow_.topRows(size_);
  y = Y_.topLeftCorner(size_, size_).lazyProduct(step_.topRows(size_));
  dq_.resize(system().dofs());
  dv_.resize(system().dofs());
  multiply_tall(basis_.leftCols(size_), y.col(0), dq_);
  multiply_tall(basis_.leftCols(size_), y.col(1), dv_);
  add_translations();
  keep_slow_motions(h);
}

void Ksiere::keep_slow_motions(double h) {
  const Index n = system().dofs();
  const double least = kWorthKeeping * kWorthKeeping * motion(h);
  int kept = 0;
  for (int i = slow_begin_; i < slow_end_ && kept < kKept; ++i)
    if (share(i, h) > least) small_.col(kept++).head(size_) = Y_.col(i).head(size_);
  Remembered &motions = next_.memory[0], &in_use = next_.memory[1];
  motions.name = kSlowMotions;
  motions.kind = Remembered::Kind::directions;
  motions.columns = kKept;  // as many in every step, so that there is room for them
  motions.values.resize(n * kKept);
  motions.follows_cut = false;
  in_use.name = kInUse;
  in_use.kind = Remembered::Kind::numbers;
  in_use.columns = 1;
  in_use.follows_cut = false;
  in_use.values.setConstant(1, kept);
  Eigen::Map<MatrixXd> U(motions.values.data(), n, kKept);
  multiply_tall(basis_.leftCols(size_), small_.block(0, 0, size_, kept), U.leftCols(kept));
  U.rightCols(kKept - kept).setZero();
}

IntegratorEntry Ksiere::entry() {
  return {
      {"ksiere",
       "linearly implicit Euler with the slow motion carried exactly: lively at the price of a few solves",
       {Option::number("cut", "", "motions with h omega up to this are carried exactly, faster ones are damped")
            .with_default(1.0)
            .at_least(0),
        Option::integer("depth", "depth - 1 pairs of solves a step open the space; chosen step by step when left out")
            .optional()
            .at_least(2)
            .at_most(20),
        linearize_option(), psd_option(), frame_option()}},
      [](const Options& o) {
        return std::make_unique<Ksiere>(o.number("cut"), o.has("depth") ? o.integer("depth") : 0, psd_policy(o),
                                        frame_policy(o), linearized_at(o));
      },
      [](const Options& o, double z) { return z <= o.number("cut") ? 1.0 : 1 / std::sqrt(1 + z * z); },
      true,
      {kPlain, kGained},
      psd_remedy,
      condensed_stepping};
}

}  // namespace brio
