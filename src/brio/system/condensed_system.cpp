#include "brio/system/condensed_system.hpp"

#include "brio/core/error.hpp"
#include "brio/core/stopwatch.hpp"
#include "brio/linalg/tall_products.hpp"
#include "brio/system/condensed_linearization.hpp"
#include "brio/system/rigid_acceleration.hpp"

namespace brio {
namespace {

constexpr double kMostBytes = 4e9;  // of J: beyond that condensing is no way to save anything

/// Calls body(neighbour, block of K, whether transposed) for every block in the row of a point, the diagonal included.
template <class Body>
void for_each_block(const BlockMatrix& K, int point, const Body& body) {
  const BlockPattern& pattern = K.pattern();
  for (int slot = pattern.column_begin[point]; slot < pattern.column_begin[point + 1]; ++slot)
    body(pattern.row[slot], K.block(slot), true);
  for (int e = pattern.row_begin[point]; e < pattern.row_begin[point + 1]; ++e)
    body(pattern.row_column[e], K.block(pattern.row_slot[e]), false);
}

using RowMajorBlock = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;

}  // namespace

Boundary Boundary::dynamic_nodes(std::vector<int> points) {
  const Index size = 3 * static_cast<Index>(points.size());
  return {std::move(points), MatrixXd::Identity(size, size)};
}

CondensedSystem::CondensedSystem(const NodalSystem& full, Boundary boundary) : full_(full), lin_(full) {
  set_boundary(std::move(boundary));
}

void CondensedSystem::set_boundary(Boundary boundary) {
  boundary_ = std::move(boundary);
  unit_mass_.setOnes(boundary_.G.cols());
  const double bytes = 8.0 * static_cast<double>(full_.dofs()) * static_cast<double>(dofs());
  if (bytes > kMostBytes)
    throw Error("condensation to {} generators needs {:.1f} GB for {} points; take fewer dynamic nodes", dofs(),
                bytes / 1e9, full_.dofs() / 3);
}

/// Assembles until K_qq can be factored.
bool CondensedSystem::factor(double t, const VectorXd& q, double h, bool clamp, CondensationReport& report) {
  Stopwatch watch;
  const auto attempt = [&](Psd psd, double shift) {
    if (shift == 0) lin_.assemble(t, q, psd, base_gradient_);
    report.assembly_s += watch.lap();
    ++report.factorizations;
    const bool ok = lin_.factor_pinned(boundary_.points, shift) == FactorStatus::ok;
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

/// [CONJAC] eq. 21: G at the boundary, -K_qb G and f_q elsewhere, so that one block solve gives J and the Newton step.
void CondensedSystem::form_right_hand_sides() {
  const Index r = dofs();
  solutions_.setZero(full_.dofs(), r + 1);
  solutions_.col(r) = force_;
  for (size_t b = 0; b < boundary_.points.size(); ++b) {
    for_each_block(lin_.stiffness(), boundary_.points[b], [&](int other, const double* block, bool transposed) {
      const RowMajorBlock row_to_other(block);  // transposed: the block (other, point); else (point, other)
      const auto rows = boundary_.G.middleRows<3>(3 * static_cast<Index>(b));
      if (transposed)
        solutions_.block(3 * other, 0, 3, r).noalias() -= row_to_other * rows;
      else
        solutions_.block(3 * other, 0, 3, r).noalias() -= row_to_other.transpose() * rows;
    });
  }
  for (size_t b = 0; b < boundary_.points.size(); ++b) {
    const Index row = 3 * boundary_.points[b];
    solutions_.block(row, 0, 3, r) = boundary_.G.middleRows<3>(3 * static_cast<Index>(b));
    solutions_.block<3, 1>(row, r).setZero();
  }
}

/// J^T K J = G^T (K_bb G + K_bq J_q), for K_qb G + K_qq J_q = 0: only the rows of the boundary are needed. Where K_qq
/// was shifted by sigma M_qq the rest is -sigma M_qq J_q.
void CondensedSystem::form_base_stiffness() {
  const Index r = dofs(), b3 = boundary_.G.rows();
  images_.setZero(b3, r);
  for (size_t b = 0; b < boundary_.points.size(); ++b) {
    auto rows = images_.middleRows<3>(3 * static_cast<Index>(b));
    for_each_block(lin_.stiffness(), boundary_.points[b], [&](int other, const double* block, bool transposed) {
      const RowMajorBlock row_to_other(block);
      if (transposed)
        rows.noalias() += row_to_other.transpose() * solutions_.block(3 * other, 0, 3, r);
      else
        rows.noalias() += row_to_other * solutions_.block(3 * other, 0, 3, r);
    });
  }
  base_K_.noalias() = boundary_.G.transpose() * images_;
  if (shift_ > 0) {
    base_K_ -= shift_ * inertia_;
    for (size_t b = 0; b < boundary_.points.size(); ++b) {
      const auto rows = boundary_.G.middleRows<3>(3 * static_cast<Index>(b));
      base_K_ += shift_ * full_.mass()[3 * boundary_.points[b]] * rows.transpose() * rows;
    }
  }
  to_unit_mass(base_K_);
}

CondensationReport CondensedSystem::rebase(double t, const VectorXd& q, const VectorXd& v, double h, bool clamp) {
  CondensationReport report;
  base_t_ = t;
  base_q_ = q;
  known_xi_.resize(0);
  base_potentials_.reset();
  rest_damping_.resize(0, 0);
  report.ok = q.allFinite() && v.allFinite() && factor(t, q, h, clamp, report);
  if (!report.ok) return report;
  Stopwatch watch;
  full_.load(t, q, v, force_);
  force_ -= base_gradient_;
  take_out_rigid_acceleration(full_, q, force_, rigid_force_);
  form_right_hand_sides();
  report.other_s += watch.lap();
  lin_.solve(solutions_);
  report.solves += static_cast<int>(solutions_.cols());
  report.solve_s += watch.lap();
  multiply_weighted(jacobian(), full_.mass(), inertia_, scratch_);
  inertia_factor_.compute(inertia_);
  report.ok = solutions_.allFinite() && (dofs() == 0 || inertia_factor_.info() == Eigen::Success);
  if (report.ok && dofs() > 0) {
    form_base_stiffness();
    restrict(base_gradient_, base_reduced_gradient_);
  }
  report.other_s += watch.lap();
  return report;
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
  restrict(field_, f);
}

void CondensedSystem::derivatives(double t, const VectorXd& xi, Psd psd, VectorXd& gradient, MatrixXd& K) const {
  if (psd == base_psd_ && (t == base_t_ || !time_dependent()) && xi.isZero(0)) {
    gradient = base_reduced_gradient_;
    K = base_K_;
    return;
  }
  lin_.assemble(t, place(xi), psd, field_);
  restrict(field_, gradient);
  block_.resize(full_.dofs(), dofs());
  lin_.multiply_stiffness_block(jacobian(), block_);
  multiply_transposed(jacobian(), block_, K, scratch_);
  to_unit_mass(K);
}

void CondensedSystem::damping(const MatrixXd& K, MatrixXd& D) const {
  const RayleighDamping& damping = full_.damping();
  if (damping.beta == 0 || !damping.rest_stiffness) {
    D = damping.beta * K;
    D.diagonal().array() += damping.alpha;
    return;
  }
  if (rest_damping_.size() == 0) {
    block_.resize(full_.dofs(), dofs());
    lin_.multiply_damping_block(jacobian(), block_);
    multiply_transposed(jacobian(), block_, rest_damping_, scratch_);
    to_unit_mass(rest_damping_);
  }
  D = rest_damping_;
}

std::unique_ptr<Linearization> CondensedSystem::linearization() const {
  return std::make_unique<CondensedLinearization>(*this);
}

std::unique_ptr<ProjectiveMatrix> CondensedSystem::projective_matrix() const {
  throw Error(
      "the solvers with a constant matrix cannot drive a condensed body, whose coordinates change with every step; "
      "take "
      "solver newton");
}

VectorXd CondensedSystem::rest() const {
  VectorXd xi;
  project(full_.rest() - base_q_, xi);
  return xi;
}

void CondensedSystem::positions(double t, const VectorXd& xi, MatrixX3d& x) const { full_.positions(t, place(xi), x); }

void CondensedSystem::velocities(double t, const VectorXd& xi_dot, MatrixX3d& u) const {
  lift(xi_dot, v_);
  full_.velocities(t, v_, u);
}

}  // namespace brio
