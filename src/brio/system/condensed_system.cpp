#include "brio/system/condensed_system.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/linalg/tall_products.hpp"
#include "brio/system/condensed_linearization.hpp"
#include "brio/system/contact_system.hpp"
#include "brio/system/rigid_acceleration.hpp"

#include <cmath>

namespace brio {
namespace {

/// The pull of Coulomb's friction on what slides: the impulse that the step ends with, over its length. Points come to
/// rest under it, and without it its torque, which the floor's pressure balances, would look like an acceleration.
void add_friction(const System& system, double t, const VectorXd& q, const VectorXd& v, double h, VectorXd& force) {
  const ContactSystem* contacts = system.contacts();
  if (!contacts) return;
  std::vector<Touch> touches;
  contacts->find_touches(t, q, t, q, touches);
  for (const Touch& touch : touches) {
    const Vec3 apart = v.segment<3>(3 * touch.point) - touch.velocity;
    const Vec3 sliding = apart - touch.normal.dot(apart) * touch.normal;
    const double speed = sliding.norm(), impulse = system.mass()[3 * touch.point] * speed;
    if (speed > 0)
      force.segment<3>(3 * touch.point) -= std::min(impulse / h, touch.friction * touch.force()) / speed * sliding;
  }
}

constexpr double kMostBytes = 4e9;  // of J: beyond that condensing is no way to save anything

}  // namespace

CondensedSystem::CondensedSystem(const System& full, std::vector<int> points) : full_(full) {
  std::unique_ptr<Linearization> lin = full.linearization();
  if (!dynamic_cast<PinnableLinearization*>(lin.get()))
    throw Error("only a body of vertices, with or without bones, can be condensed");
  lin_.reset(static_cast<PinnableLinearization*>(lin.release()));
  set_boundary(std::move(points));
}

void CondensedSystem::set_boundary(std::vector<int> points) {
  const Index unknowns = 3 * static_cast<Index>(points.size()) + lin_->joint_dofs();
  const double bytes = 8.0 * static_cast<double>(full_.dofs()) * static_cast<double>(unknowns);
  if (bytes > kMostBytes)
    throw Error("condensation to {} unknowns needs {:.1f} GB for {} coordinates; take fewer dynamic nodes", unknowns,
                bytes / 1e9, full_.dofs());
  points_ = std::move(points);
  unit_mass_.setOnes(unknowns);
}

Index CondensedSystem::boundary_row(Index i) const {
  const Index of_points = 3 * static_cast<Index>(points_.size());
  return i < of_points ? 3 * points_[i / 3] + i % 3 : full_.dofs() - dofs() + i;
}

/// Assembles until K_qq can be factored.
bool CondensedSystem::factor(double t, const VectorXd& q, double h, bool clamp, CondensationReport& report) {
  Stopwatch watch;
  const auto attempt = [&](Psd psd, double shift) {
    if (shift == 0) lin_->assemble(t, q, psd, base_gradient_);
    report.assembly_s += watch.lap();
    ++report.factorizations;
    const bool ok = lin_->factor_pinned(points_, shift) == FactorStatus::ok;
    report.factor_s += watch.lap();
    base_psd_ = psd;
    shift_ = shift;
    return ok;
  };
  if (attempt(clamp ? Psd::clamp : Psd::none, 0)) return true;
  if (!clamp) {
    ++report.projections;
    if (attempt(Psd::clamp, 0)) return true;
  }
  double shift = 1 / (h * h);
  for (int tries = 0; tries < 3; ++tries, shift *= 1e3) {
    ++report.shifts;
    if (attempt(Psd::clamp, shift)) return true;
  }
  return false;
}

/// Supports, obstacles, muscles and loads move with time whatever the body does.
void CondensedSystem::find_moved_force(double t, const VectorXd& q, const VectorXd& v, double h) {
  full_.load(t, q, v, moved_force_);
  full_.load(t - h, q, v, field_);
  moved_force_ -= field_;
  if (full_.time_dependent()) {
    full_.gradient(t - h, q, field_);
    moved_force_ += field_ - base_gradient_;
  }
  if (moved_force_.isZero(0)) {
    moved_force_.resize(0);
    return;
  }
  take_out_rigid_acceleration(full_, q, moved_force_, field_);
}

/// [CONJAC] eq. 21: the identity at the boundary, -K_qb and f_q elsewhere, so that one block solve gives J and the
/// Newton step.
void CondensedSystem::form_right_hand_sides() {
  const Index r = dofs();
  solutions_.setZero(full_.dofs(), moved_force_.size() > 0 ? r + 2 : r + 1);
  solutions_.col(r) = force_;
  if (moved_force_.size() > 0) solutions_.col(r + 1) = moved_force_;
  lin_->subtract_columns(points_, solutions_.leftCols(r));
  for (Index i = 0; i < r; ++i) {
    solutions_.row(boundary_row(i)).setZero();
    solutions_(boundary_row(i), i) = 1;
  }
}

/// J^T K J = K_bb + K_bq J_q, for K_qb + K_qq J_q = 0: only the rows of the boundary are needed. Where K_qq was shifted
/// by sigma M_qq the rest is -sigma M_qq J_q.
void CondensedSystem::form_base_stiffness() {
  lin_->multiply_rows(points_, jacobian(), base_K_);
  if (shift_ > 0) {
    base_K_ -= shift_ * inertia_;
    for (Index i = 0; i < dofs(); ++i) base_K_(i, i) += shift_ * full_.mass()[boundary_row(i)];
  }
  to_unit_mass(base_K_);
}

CondensationReport CondensedSystem::rebase(double t, const VectorXd& q, const VectorXd& v, double h, bool clamp,
                                           const FrameForces& frames) {
  CondensationReport report;
  base_t_ = t;
  base_q_ = q;
  known_xi_.resize(0);
  base_potentials_.reset();
  report.ok = q.allFinite() && v.allFinite() && factor(t, q, h, clamp, report);
  if (!report.ok) return report;
  Stopwatch watch;
  full_.load(t, q, v, base_load_);
  force_ = base_load_ - base_gradient_;
  framed_ = frames && frames(lin_->outside(), base_load_, force_);
  if (!framed_) {
    add_friction(full_, t, q, v, h, force_);
    take_out_rigid_acceleration(full_, q, force_, rigid_force_);
  }
  rigid_force_ = base_load_ - base_gradient_ - force_;
  find_moved_force(t, q, v, h);
  form_right_hand_sides();
  report.other_s += watch.lap();
  lin_->solve(solutions_);
  report.solves += static_cast<int>(solutions_.cols());
  report.solve_s += watch.lap();
  multiply_weighted(jacobian(), full_.mass(), inertia_, scratch_);
  inertia_factor_.compute(inertia_);
  report.ok = solutions_.allFinite() && (dofs() == 0 || inertia_factor_.info() == Eigen::Success);
  if (report.ok && dofs() > 0) {
    form_base_stiffness();
    form_damping(base_K_, base_D_);
    restrict(base_gradient_, base_reduced_gradient_);
  }
  report.other_s += watch.lap();
  return report;
}

void CondensedSystem::settle(double gamma, SettlingStep& step) const {
  step.way = gamma * newton_step();
  step.curvature = gamma * step.way.dot(force_);
  if (moved_force_.size() > 0) {
    step.way += (1 - gamma) * solutions_.col(dofs() + 1);
    step.curvature = gamma * step.way.dot(force_) + (1 - gamma) * step.way.dot(moved_force_);
  }
  step.slope = -step.way.dot(force_);
  step.newton_gain = 0.5 * gamma * force_.dot(newton_step());
  step.rigid_work = rigid_force_.dot(step.way);
}

void CondensedSystem::to_unit_mass(MatrixXd& A) const {
  inertia_factor_.matrixL().solveInPlace(A);
  A.transposeInPlace();
  inertia_factor_.matrixL().solveInPlace(A);
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < i; ++j) A(i, j) = A(j, i) = 0.5 * (A(i, j) + A(j, i));
}

void CondensedSystem::restrict(const VectorXd& field, VectorXd& xi) const {
  xi.resize(dofs());
  multiply_transposed(jacobian(), field, Eigen::Ref<MatrixXd>(xi), scratch_);
  inertia_factor_.matrixL().solveInPlace(xi);
}

void CondensedSystem::project(const VectorXd& v, VectorXd& xi) const {
  field_ = full_.mass().cwiseProduct(v);
  restrict(field_, xi);
}

void CondensedSystem::project(const VectorXd& v, double s, VectorXd& xi) const {
  project(v, xi);
  const MatrixXd metric = MatrixXd::Identity(dofs(), dofs()) + s * base_K_;
  const Eigen::LLT<MatrixXd> norm(metric);
  if (norm.info() != Eigen::Success) return;
  // J^T K v = J^T K J v_b, for K J is zero but at the boundary.
  VectorXd at_boundary(dofs());
  for (Index i = 0; i < dofs(); ++i) at_boundary[i] = v[boundary_row(i)];
  xi += s * base_K_ * (inertia_factor_.matrixU() * at_boundary);
  norm.solveInPlace(xi);
}

void CondensedSystem::lift(const VectorXd& xi, VectorXd& field) const {
  small_ = xi;
  inertia_factor_.matrixU().solveInPlace(small_);
  field.resize(full_.dofs());
  multiply_tall(jacobian(), small_, Eigen::Ref<MatrixXd>(field));
}

const VectorXd& CondensedSystem::place(const VectorXd& xi) const {
  if (xi.isZero(0)) return base_q_;
  lift(xi, q_);
  q_ += base_q_;
  return q_;
}

Potentials CondensedSystem::potentials(double t, const VectorXd& xi) const {
  if (t == base_t_ && xi.isZero(0)) {
    if (!base_potentials_) base_potentials_ = full_.potentials(t, base_q_);
    return *base_potentials_;
  }
  if (known_xi_.size() != xi.size() || known_t_ != t || known_xi_ != xi) {
    known_ = full_.potentials(t, place(xi));
    known_t_ = t;
    known_xi_ = xi;
  }
  return known_;
}

void CondensedSystem::gradient(double t, const VectorXd& xi, VectorXd& g) const {
  full_.gradient(t, place(xi), field_);
  restrict(field_, g);
}

Potentials CondensedSystem::potentials_and_gradient(double t, const VectorXd& xi, VectorXd& g) const {
  const Potentials potentials = full_.potentials_and_gradient(t, place(xi), field_);
  restrict(field_, g);
  return potentials;
}

void CondensedSystem::load(double t, const VectorXd& xi, const VectorXd& xi_dot, VectorXd& f) const {
  lift(xi_dot, v_);
  full_.load(t, place(xi), v_, field_);
  if (framed_) field_ -= rigid_force_;
  restrict(field_, f);
}

void CondensedSystem::derivatives(double t, const VectorXd& xi, Psd psd, VectorXd& gradient, MatrixXd& K,
                                  MatrixXd& D) const {
  if (psd == base_psd_ && (t == base_t_ || !time_dependent()) && xi.isZero(0)) {
    gradient = base_reduced_gradient_;
    K = base_K_;
    D = base_D_;
    return;
  }
  lin_->assemble(t, place(xi), psd, field_);
  restrict(field_, gradient);
  block_.resize(full_.dofs(), dofs());
  lin_->multiply_stiffness_block(jacobian(), block_);
  multiply_transposed(jacobian(), block_, K, scratch_);
  to_unit_mass(K);
  form_damping(K, D);
}

void CondensedSystem::form_damping(const MatrixXd& K, MatrixXd& D) const {
  if (const auto damping = lin_->proportional_damping()) {
    D = damping->beta * K;
    D.diagonal().array() += damping->alpha;
    return;
  }
  block_.resize(full_.dofs(), dofs());
  lin_->multiply_damping_block(jacobian(), block_);
  multiply_transposed(jacobian(), block_, D, scratch_);
  to_unit_mass(D);
}

std::unique_ptr<Linearization> CondensedSystem::linearization() const {
  return std::make_unique<CondensedLinearization>(*this);
}

VectorXd CondensedSystem::rest() const {
  VectorXd xi;
  project(full_.rest() - base_q_, xi);
  return xi;
}

/// As large in these coordinates, whose masses are others.
double CondensedSystem::free_fall() const { return full_.free_fall() * std::sqrt(full_.mass().sum() / mass().sum()); }

void CondensedSystem::positions(double t, const VectorXd& xi, MatrixX3d& x) const { full_.positions(t, place(xi), x); }

void CondensedSystem::velocities(double t, const VectorXd& xi_dot, MatrixX3d& u) const {
  lift(xi_dot, v_);
  full_.velocities(t, v_, u);
}

}  // namespace brio
