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
constexpr double kColdTolerance = 1e-6;  // in a step that has no other before it
constexpr int kMostChosen = 8;           // depth
constexpr double kWorthJoining = 1e-2;   // of the motion: what velocity and force bring, and is less, is not kept
constexpr double kWorthKeeping = 1e-3;   // of the motion
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
  pair_.resize(n, 2);
  for (MatrixXd* block : {&ahead_, &forces_}) block->resize(n, 2 + kKept);
  for (MatrixXd* block : {&once_, &twice_}) block->resize(n, kKept);
  for (MatrixXd* square : {&K_, &D_, &Y_, &modal_D_, &small_}) square->resize(columns, columns);
  for (MatrixXd* narrow : {&step_, &carried_, &narrow_, &other_}) narrow->resize(columns, 2);
  for (MatrixXd* three : {&motion_, &modal_}) three->resize(columns, 3);
  reserve_scratch(columns * columns, work_);
  lambda_.resize(columns);
  line_.resize(columns);
  start_.col(0) = system().mass().cwiseProduct(velocity_);
  start_.col(1) = force_;
  start_.col(2) = middle_force_;
  speed_ = std::sqrt(velocity_.dot(start_.col(0)));
  projected_ = size_ = frequencies_ = kept_ = renewed_ = 0;
  slow_begin_ = slow_end_ = 0;
  fresh_ = false;
  const Remembered* motions = find_remembered(state.memory, kSlowMotions);
  const Remembered* in_use = find_remembered(state.memory, kInUse);
  if (!motions || !in_use || motions->values.size() != n * kKept) return;
  const Eigen::Map<const MatrixXd> kept(motions->values.data(), n, kKept);
  for (int j = 0; j < static_cast<int>(in_use->values[0]); ++j) append(kept.col(j));
}

double Ksiere::append(const Eigen::Ref<const VectorXd>& x) {
  constexpr double kDependent = 1e-7;  // what is left of a unit vector that lies in the space already
  constexpr double kCanceled = 0.7;    // less than this left: rounding has to be removed by a second pass
  const VectorXd& mass = system().mass();
  const double size = mass_norm(mass, x);
  if (!(size > 0)) return 0;
  auto column = basis_.col(size_);
  column = x / size;
  double left = 1;
  for (int pass = 0; pass < 2 && left > kDependent; ++pass) {
    const double before = left;
    auto along = line_.head(size_);
    image_.col(0) = mass.cwiseProduct(column);
    multiply_transposed(basis_.leftCols(size_), image_.col(0), along, work_);
    along = -along;
    add_tall(basis_.leftCols(size_), along, column);
    left = mass_norm(mass, column);
    if (left > kCanceled * before) break;
  }
  if (!(left > kDependent)) return 0;
  column /= left;
  ++size_;
  return size * left;
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
  const int s = frequencies_ = size_;
  if (s == 0) return;
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
    carried_(i, 0) = exact.dq - dq[i];
    carried_(i, 1) = exact.dv - dv[i];
    dq[i] = exact.dq;
    dv[i] = exact.dv;
  }
}

double Ksiere::impulse(int i, double h) const {
  return std::pow(modal_(i, 1), 2) / std::max(std::fabs(lambda_[i]), 1 / (h * h));
}

double Ksiere::share(int i, double h) const { return std::pow(modal_(i, 0), 2) + impulse(i, h); }

double Ksiere::motion(double h) const {
  double sum = speed_ * speed_;
  for (int i = 0; i < frequencies_; ++i) sum += impulse(i, h);
  return sum;
}

double Ksiere::residual(const State& state, double h) {
  const int slow = slow_end_ - slow_begin_;
  if (slow == 0) return 0;
  const VectorXd& mass = system().mass();
  // K Q y - M Q (Q^T K Q y), y the slow part of the step.
  auto y = narrow_.topRows(size_), Ky = other_.topRows(size_);
  y = Y_.block(0, slow_begin_, size_, slow).lazyProduct(step_.middleRows(slow_begin_, slow));
  Ky = K_.topLeftCorner(size_, size_).lazyProduct(y);
  multiply_tall(stiff_.leftCols(size_), y, pair_);
  multiply_tall(basis_.leftCols(size_), Ky, image_);
  for (int j = 0; j < 2; ++j) pair_.col(j) -= mass.cwiseProduct(image_.col(j));
  const double lost = kLost * mass_norm(mass, state.q) / h;
  return 0.5 * h * std::sqrt(pair_.col(0).dot(pair_.col(0).cwiseQuotient(mass)) / (motion(h) + lost * lost));
}

void Ksiere::solve(Eigen::Ref<MatrixXd> block, Index exact, StepReport& report, Stopwatch& watch) {
  report.time.other += watch.lap();
  linearization().improve(forces_.leftCols(block.cols()), block, exact);
  report.solves += static_cast<int>(block.cols());
  ++report.iterations;
  report.time.solve += watch.lap();
}

void Ksiere::turn_to_frequencies(double h) {
  const double least = kWorthKeeping * kWorthKeeping * motion(h);
  kept_ = 0;
  for (int i = slow_begin_; i < slow_end_; ++i) {
    if (!(share(i, h) > least)) continue;
    small_.col(kept_).head(size_) = Y_.col(i).head(size_);
    which_[kept_++] = i;
  }
  const auto turn = [&](MatrixXd& block) {
    multiply_tall(block.leftCols(size_), small_.topLeftCorner(size_, kept_), once_.leftCols(kept_));
    block.leftCols(kept_) = once_.leftCols(kept_);
  };
  turn(basis_);
  turn(stiff_);
  if (system().has_damping()) turn(damped_);
  for (int j = 0; j < kept_; ++j) {
    motion_.row(j) = modal_.row(which_[j]);
    step_.row(j) = step_.row(which_[j]);
    for (int i = 0; i < kept_; ++i) {
      K_(i, j) = i == j ? lambda_[which_[j]] : 0;
      D_(i, j) = modal_D_(which_[i], which_[j]);
    }
  }
  projected_ = size_ = kept_;
}

void Ksiere::choose_renewed(double h) {
  const VectorXd& mass = system().mass();
  auto off = line_.head(kept_);  // squared velocities
  for (int i = 0; i < kept_; ++i) {
    image_.col(0) = stiff_.col(i) - K_(i, i) * mass.cwiseProduct(basis_.col(i));
    off[i] = std::pow(0.5 * h * step_(i, 0), 2) * image_.col(0).dot(image_.col(0).cwiseQuotient(mass));
  }
  for (const double most = std::pow(0.5 * kTolerance, 2) * motion(h); off.sum() > most; ++renewed_) {
    off.maxCoeff(&which_[renewed_]);
    off[which_[renewed_]] = 0;
    ahead_.col(2 + renewed_) = basis_.col(which_[renewed_]);
    forces_.col(2 + renewed_) = mass.cwiseProduct(basis_.col(which_[renewed_]));
  }
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
  const VectorXd& mass = system().mass();
  split_translations(h);
  find_middle_force(state, middle_force_);
  const int most = depth_ > 0 ? depth_ : kMostChosen;
  start(state, 3 * kKept + 2 * most);
  const bool warm = size_ > 0;
  ahead_.leftCols(4).setZero();
  int depth = 2, more = 0;  // columns that are solved for beside those of linearly implicit Euler
  if (warm) {
    step_in_space(h);
    const double off = residual(state, h);
    if (renews()) {
      turn_to_frequencies(h);
      if (off > kTolerance) choose_renewed(h);
      more = renewed_;
    } else if (off > 0 && depth_ != 2) {
      forces_.middleCols(2, more = 2) = pair_;
      ++depth;
    }
  }
  linearization().multiply_stiffness_block(velocity_, forces_.col(0));
  forces_.col(0) = force_ - h * forces_.col(0);
  forces_.col(1) = force_;
  solve(ahead_.leftCols(2 + more), 1, report, watch);
  dv_ = h * ahead_.col(0);
  dq_ = h * (velocity_ + dv_);
  // A^-1 (M + h D) v and h A^-1 f: velocity and force, smoothed.
  ahead_.col(1) *= h;
  ahead_.col(0) = velocity_ + dv_ - ahead_.col(1);
  for (int j = 0; j < more; ++j) append(ahead_.col(2 + j));
  if (renewed_ > 0) smooth_again(report, watch);
  const double known = renews() ? kWorthJoining * std::sqrt(motion(h)) : 0;
  for (int j = 0; j < 2; ++j) fresh_ |= append(ahead_.col(j)) > known;
  append(velocity_);
  image_.col(1) = force_.cwiseQuotient(mass);
  append(image_.col(1));
  step_in_space(h);
  const double tolerance = depth_ > 0 ? 0 : warm ? kTolerance : kColdTolerance;
  for (; depth < most && residual(state, h) > tolerance; ++depth) {
    forces_.leftCols(2) = pair_;
    pair_.setZero();
    solve(pair_, 0, report, watch);
    for (int j = 0; j < 2; ++j) append(pair_.col(j));
    fresh_ = true;
    step_in_space(h);
  }
  const double lost = kLost * mass_norm(mass, state.q) / h;
  if (slow_begin_ == slow_end_ && motion(h) > lost * lost) report.extras.set(kPlain, 1);
  add_slow_part();
  add_translations();
  keep_slow_motions(h);
}

void Ksiere::smooth_again(StepReport& report, Stopwatch& watch) {
  once_.leftCols(renewed_) = ahead_.middleCols(2, renewed_);
  for (int j = 0; j < renewed_; ++j) forces_.col(j) = system().mass().cwiseProduct(once_.col(j));
  twice_.leftCols(renewed_) = once_.leftCols(renewed_);
  solve(twice_.leftCols(renewed_), 0, report, watch);
  for (int j = 0; j < renewed_; ++j) append(twice_.col(j));
}

void Ksiere::add_slow_part() {
  const int slow = slow_end_ - slow_begin_;
  if (slow == 0) return;
  auto y = narrow_.topRows(size_);
  y = Y_.block(0, slow_begin_, size_, slow).lazyProduct(carried_.middleRows(slow_begin_, slow));
  multiply_tall(basis_.leftCols(size_), y, image_);
  dq_ += image_.col(0);
  dv_ += image_.col(1);
}

void Ksiere::renew() {
  for (int j = 0; j < renewed_; ++j) {
    auto x = basis_.col(which_[j]);
    const double beta = x.dot(system().mass().cwiseProduct(once_.col(j))), s = 1 / std::max(beta, 1 - beta);
    x -= s * s * (beta * beta * x - 2 * beta * once_.col(j) + twice_.col(j));
  }
}

void Ksiere::keep_slow_motions(double h) {
  const Index n = system().dofs();
  Remembered &motions = next_.memory[0], &in_use = next_.memory[1];
  motions.name = kSlowMotions;
  motions.kind = Remembered::Kind::directions;
  motions.columns = kKept;  // as many in every step, so that there is room for them
  motions.follows_cut = false;
  motions.values.resize(n * kKept);
  Eigen::Map<MatrixXd> U(motions.values.data(), n, kKept);
  int kept = kept_;
  if (fresh_) {
    const double least = kWorthKeeping * kWorthKeeping * motion(h);
    kept = 0;
    for (int i = slow_begin_; i < slow_end_ && kept < kKept; ++i)
      if (share(i, h) > least) small_.col(kept++).head(size_) = Y_.col(i).head(size_);
    multiply_tall(basis_.leftCols(size_), small_.topLeftCorner(size_, kept), U.leftCols(kept));
  } else {
    renew();
    U.leftCols(kept) = basis_.leftCols(kept);
  }
  in_use.name = kInUse;
  in_use.kind = Remembered::Kind::numbers;
  in_use.columns = 1;
  in_use.follows_cut = false;
  in_use.values.setConstant(1, kept);
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
