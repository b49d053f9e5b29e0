#include "brio/integrate/methods/siere.hpp"

#include "brio/linalg/mass_orthonormal.hpp"
#include "brio/linalg/scattered_vectors.hpp"
#include "brio/linalg/tall_products.hpp"
#include "brio/system/modes.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kGuards = 3;          // modes followed beyond those that are used, so that the last ones converge as well
constexpr int kMostUpdates = 4;  // with which the modes are brought up to date in one step
/// What the modes may feel of the rest in a step, against their own motion. Its square is what deflation neglects.
constexpr double kMixing = 0.05;
/// What deflation may neglect before Woodbury's formula takes over, as a share of the speed.
constexpr double kNeglected = 1e-3;
constexpr Index kWidest = 64;  // fields of a space to start in; finding modes cold is cheaper than more
constexpr std::string_view kShapes = "mode shapes", kRigidModes = "rigid modes";

constexpr Extra kModes{"modes", "modes carried exactly in the last step, rigid motions included", "",
                       Extra::Over::last};
constexpr Extra kModeIterations{"mode_iterations", "block iterations that brought the modes up to date", ""};
constexpr Extra kWoodburyUpdates{"woodbury_updates",
                                 "steps whose modes were too closely coupled to the rest to be deflated", ""};

/// The six rigid motions of a piece at q.
void add_rigid_motions(const std::vector<int>& piece, const VectorXd& mass, const VectorXd& q, MatrixXd& Q,
                       Index& size) {
  Vec3 center = Vec3::Zero();
  for (int point : piece) center += q.segment<3>(3 * point) / static_cast<double>(piece.size());
  for (int k = 0; k < 6; ++k) {
    VectorXd motion = VectorXd::Zero(q.size());
    const Vec3 axis = Vec3::Unit(k % 3);
    for (int point : piece)
      motion.segment<3>(3 * point) = k < 3 ? axis : Vec3(axis.cross(q.segment<3>(3 * point) - center));
    if (append_orthonormal(mass, Q, size, motion)) ++size;
  }
}

}  // namespace

bool Siere::take_modes() {
  const VectorXd& mass = system().mass();
  if (!ritz_.solve(linearization(), mass, block_)) return false;
  if (!rigid_) rigid_ = rigid_in_space();
  const Index kept = std::min<Index>(block_.cols(), count_ + *rigid_ + kGuards);
  Remembered &shapes = next_.memory[0], &rigid = next_.memory[1];
  shapes.name = kShapes;
  shapes.kind = Remembered::Kind::directions;
  shapes.columns = static_cast<int>(kept);
  shapes.follows_cut = true;
  shapes.values.resize(block_.rows() * kept);
  Eigen::Map<MatrixXd> U(shapes.values.data(), block_.rows(), kept);
  multiply_tall(block_, ritz_.coefficients().leftCols(kept), U);
  rigid.name = kRigidModes;
  rigid.kind = Remembered::Kind::numbers;
  rigid.columns = 1;
  rigid.follows_cut = false;
  rigid.values.setConstant(1, *rigid_);
  used_ = std::min<Index>(count_ + *rigid_, block_.cols());
  return true;
}

/// One block iteration A^-1 M U with the factor that is there, then the best modes in that space.
bool Siere::refine_modes(Eigen::Ref<const MatrixXd> from, StepReport& report, Stopwatch& watch) {
  const VectorXd& mass = system().mass();
  block_ = from;
  forces_.resize(from.rows(), from.cols());
  for (Index j = 0; j < from.cols(); ++j) forces_.col(j) = mass.cwiseProduct(from.col(j));
  report.time.other += watch.lap();
  linearization().improve(forces_, block_, 0);
  report.time.solve += watch.lap();
  report.solves += static_cast<int>(from.cols());
  report.extras.add(kModeIterations, 1);
  return take_modes();
}

/// As find_elastic_modes counts them: against the fastest of those that it would find.
int Siere::rigid_in_space() {
  const VectorXd& lambda = ritz_.lambda();
  for (int room = 6, rigid;; room = 2 * rigid + 6) {
    const Index seen = std::min<Index>(lambda.size(), count_ + kGuards + room);
    rigid = count_rigid(linearization(), system().mass(), lambda.head(seen));
    if (rigid <= room || seen == lambda.size()) return rigid;
  }
}

/// After a cut: the best modes that one block iteration makes of the old ones, piece by piece, and of the rigid motions
/// of pieces that nothing holds. Not exact, but any space may be carried exactly, and later steps make it better.
bool Siere::start_in_space(const State& state, const Remembered& space, StepReport& report, Stopwatch& watch) {
  const VectorXd& mass = system().mass();
  const Eigen::Map<const MatrixXd> fields(space.values.data(), mass.size(), space.columns);
  const auto& pieces = system().free_pieces();
  const Index most = fields.cols() + 6 * static_cast<Index>(pieces.size());
  if (most > std::min(kWidest, mass.size())) return false;
  MatrixXd Q(mass.size(), most);
  Index size = 0;
  for (const std::vector<int>& piece : pieces) add_rigid_motions(piece, mass, state.q, Q, size);
  VectorXd column;
  for (Index j = 0; j < fields.cols(); ++j) {
    column = fields.col(j);
    if (append_orthonormal(mass, Q, size, column)) ++size;
  }
  rigid_.reset();
  return size >= count_ + kGuards && refine_modes(Q.leftCols(size), report, watch) && used_ == count_ + *rigid_;
}

/// Cold. Where the search gives up, modes that a few block iterations make of arbitrary vectors are good enough to go
/// on with: any space may be carried exactly, and later steps make it better.
bool Siere::start_modes(double h, StepReport& report, Stopwatch& watch) {
  constexpr int kRounds = 3;
  const VectorXd& mass = system().mass();
  const std::optional<double> shift = least_shift(linearization(), mass);
  const ElasticModes cold = shift ? find_elastic_modes(linearization(), mass, count_, kGuards, *shift) : ElasticModes{};
  const bool found = shift && cold.trouble.empty();
  if (found) {
    rigid_ = cold.rigid;
    block_ = cold.modes.U;
  } else {
    ++report.unconverged;
    rigid_ = 0;
    block_ = scattered_vectors(mass.size(), std::min<Index>(mass.size(), count_ + kGuards));
  }
  report.factorizations += 3;
  report.time.other += watch.lap();
  // The search has put its own factor in place of the step's.
  if (linearization().factor(1, h, weights_.stiffness * h * h) != FactorStatus::ok) return false;
  report.time.factor += watch.lap();
  if (!take_modes()) return false;
  for (int round = 0; round < kRounds && !found; ++round)
    if (!refine_modes(modes(followed()), report, watch)) return false;
  return true;
}

void Siere::multiply_residual(const VectorXd& y, VectorXd& result) {
  in_block_.noalias() = ritz_.coefficients().leftCols(used_) * y;
  result.resize(y.size() > 0 ? system().dofs() : 0);
  work_.resize(result.size());
  multiply_tall(ritz_.images(), in_block_, result);
  coefficients_ = ritz_.lambda().head(used_).cwiseProduct(y);
  multiply_tall(modes(used_), coefficients_, work_);
  result -= system().mass().cwiseProduct(work_);
}

void Siere::add_damping_residual(const VectorXd& y, double factor, VectorXd& result) {
  work_.resize(result.size());
  multiply_tall(DU_, y, work_);
  result += factor * work_;
  coefficients_.noalias() = C_ * y;
  multiply_tall(modes(used_), coefficients_, work_);
  result -= factor * system().mass().cwiseProduct(work_);
}

double Siere::mass_norm(const VectorXd& force) const {
  return std::sqrt((force.array().square() / system().mass().array()).sum());
}

void Siere::step_modes(double h) {
  const VectorXd& mass = system().mass();
  const auto U = modes(used_);
  pair_.resize(mass.size(), 2);
  pair_.col(0) = mass.cwiseProduct(velocity_);
  pair_.col(1) = force_;
  multiply_transposed(U, pair_, shares_, scratch_);
  a_ = shares_.col(0);
  b_ = shares_.col(1);
  if (system().has_damping()) {
    DU_.resize(mass.size(), used_);
    linearization().multiply_damping_block(U, DU_);
    multiply_transposed(U, DU_, C_, scratch_);
  }
  coupled_.step(ritz_.lambda().head(used_), C_, a_, b_, h);
  multiply_residual(coupled_.dq(), residual_);
}

bool Siere::carry_modes(const State& state, double h, StepReport& report, Stopwatch& watch) {
  const Index n = system().dofs();
  const Remembered* shapes = find_remembered(state.memory, kShapes);
  const Remembered* rigid = find_remembered(state.memory, kRigidModes);
  bool ready = false;
  if (shapes && shapes->values.size() == n * shapes->columns) {
    if (rigid) {
      rigid_ = static_cast<int>(rigid->values[0]);
      if (shapes->columns == std::min<Index>(n, count_ + *rigid_ + kGuards))
        ready = refine_modes(Eigen::Map<const MatrixXd>(shapes->values.data(), n, shapes->columns), report, watch);
    } else {  // what a cut has left: shapes that are no modes yet
      ready = start_in_space(state, *shapes, report, watch);
    }
  }
  if (!ready) ready = start_modes(h, report, watch);
  while (ready) {
    step_modes(h);
    const double motion = coupled_.dq().norm() / h;
    mixed_ = h * mass_norm(residual_) > kMixing * motion;
    if (!mixed_ || report.extras[kModeIterations] >= kMostUpdates) break;
    ready = refine_modes(modes(followed()), report, watch);
  }
  return ready;
}

/// (A - Y (M U)^T)^-1 = A^-1 + B (I - U^T M B)^-1 U^T M A^-1 with B = A^-1 Y ([SIERE] eq. 14, once).
void Siere::add_woodbury(double h, StepReport& report, Stopwatch& watch) {
  const VectorXd& mass = system().mass();
  const auto U = modes(used_);
  update_columns_.resize(mass.size(), used_);
  linearization().multiply_stiffness_block(U, update_columns_);
  update_columns_ *= h * h;
  if (C_.size() > 0) {
    product_block_.resize(mass.size(), used_);
    multiply_tall(U, C_, product_block_);
    for (Index j = 0; j < used_; ++j) update_columns_.col(j) += h * mass.cwiseProduct(product_block_.col(j));
  }
  report.time.other += watch.lap();
  linearization().solve(update_columns_);
  report.solves += static_cast<int>(used_);
  report.time.solve += watch.lap();
  product_block_.resize(mass.size(), used_);
  for (Index j = 0; j < used_; ++j) product_block_.col(j) = mass.cwiseProduct(update_columns_.col(j));
  multiply_transposed(U, product_block_, small_, scratch_);
  small_ *= -1;
  small_.diagonal().array() += 1;
  small_lu_.compute(small_);
  corrected_ = small_lu_.solve(p_);
  p_ = corrected_;
  work_.resize(mass.size());
  multiply_tall(update_columns_, p_, work_);
  dv_ += work_;
  report.extras.add(kWoodburyUpdates, 1);
}

void Siere::update(const State& state, double h, StepReport& report, Stopwatch& watch) {
  const VectorXd& mass = system().mass();
  if (count_ == 0 || mass.size() == 0) {
    solve_increment(velocity_, force_, h, dv_, report, watch);
    dq_ = h * (velocity_ + dv_);
    return;
  }
  if (!std::isfinite(1 / (h * h)) || !carry_modes(state, h, report, watch)) {
    report.status = StepStatus::diverged;
    report.reason = "no modes to carry: the step is 0, or the state or the stiffness is not finite";
    return;
  }
  report.extras.set(kModes, static_cast<double>(used_));
  const auto U = modes(used_);
  const bool damped = C_.size() > 0;
  multiply_tall(U, shares_, pair_);
  v_rest_ = velocity_ - pair_.col(0);
  f_rest_ = force_ - mass.cwiseProduct(pair_.col(1)) - residual_;
  if (damped) add_damping_residual(coupled_.dv(), -1, f_rest_);
  solve_increment(v_rest_, f_rest_, h, dv_, report, watch);

  work_ = mass.cwiseProduct(dv_);
  multiply_transposed(U, work_, column_, scratch_);
  p_ = column_.col(0);
  Gp_ = h * h * ritz_.lambda().head(used_).cwiseProduct(p_);
  if (damped) Gp_.noalias() += h * C_ * p_;
  bool woodbury = update_ == ModalUpdate::woodbury;
  if (update_ == ModalUpdate::automatic && (damped || mixed_)) {
    const double speed = coupled_.dq().norm() / h + std::sqrt(dv_.dot(work_));
    multiply_residual(p_, residual_);
    residual_ *= h * h;
    if (damped) add_damping_residual(Gp_, -h, residual_);
    woodbury = mass_norm(residual_) > kNeglected * speed;
  }
  shares_.col(0) = coupled_.dq();
  shares_.col(1) = coupled_.dv();
  if (woodbury) {
    add_woodbury(h, report, watch);
  } else {
    shares_.col(1) += Gp_;
  }
  dq_ = h * (v_rest_ + dv_);
  shares_.col(0) -= h * p_;
  multiply_tall(U, shares_, pair_);
  dq_ += pair_.col(0);
  dv_ += pair_.col(1);
}

IntegratorEntry Siere::entry() {
  return {{"siere",
           "linearly implicit Euler with the slowest modes carried exactly",
           {Option::integer("modes", "how many modes are carried exactly; 0 is si")
                .with_default(5.0)
                .at_least(0)
                .at_most(1000),
            Option::choice("update", {"auto", "deflated", "woodbury"},
                           "how the modes are taken out of the implicit solve: without further solves, with one for "
                           "each mode, or the latter where damping couples them to the rest")
                .with_default("auto"),
            linearize_option(), psd_option(), frame_option()}},
          [](const Options& o) {
            const std::string& update = o.text("update");
            return std::make_unique<Siere>(o.integer("modes"), psd_policy(o),
                                           update == "deflated"   ? ModalUpdate::deflated
                                           : update == "woodbury" ? ModalUpdate::woodbury
                                                                  : ModalUpdate::automatic,
                                           frame_policy(o), linearized_at(o));
          },
          [](const Options& o, double z) { return o.integer("modes") > 0 ? 1.0 : 1 / std::sqrt(1 + z * z); },
          true,
          {kModes, kModeIterations, kWoodburyUpdates, kGained},
          psd_remedy,
          condensed_stepping,
          true};
}

}  // namespace brio
