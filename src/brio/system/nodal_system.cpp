#include "brio/system/nodal_system.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/spatial_order.hpp"
#include "brio/system/nodal_linearization.hpp"
#include "brio/system/nodal_projective_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace brio {
namespace {

constexpr int kVerticesPerTask = 1024;

double& entry(Potentials& sum, Ledger ledger) {
  return ledger == Ledger::elastic ? sum.elastic : ledger == Ledger::gravity ? sum.gravity : sum.contact;
}

}  // namespace

NodalSystem::NodalSystem(NodalParts parts) : parts_(std::move(parts)) {
  number_free_vertices();
  std::vector<std::pair<int, int>> couplings;
  for (const auto& [energy, body] : parts_.energies) {
    energy->add_couplings(couplings);
    bodies_ = std::max(bodies_, body + 1);
    time_dependent_ = time_dependent_ || energy->time_dependent();
  }
  find_pieces(couplings);
  std::erase_if(couplings, [&](const auto& pair) { return dof_[pair.first] < 0 || dof_[pair.second] < 0; });
  for (auto& [i, j] : couplings) i = dof_[i], j = dof_[j];
  pattern_ = std::make_shared<BlockPattern>(static_cast<int>(free_vertex_.size()), std::move(couplings));
  for (const auto& [energy, body] : parts_.energies) energy->attach({dof_, pattern_.get()});
  for (const Support& support : parts_.supports) supports_move_ = supports_move_ || support.motion->moves();
  time_dependent_ = time_dependent_ || supports_move_;
  x_.resize(parts_.x0.size());
  u_.resize(parts_.x0.size());
  full_.resize(parts_.x0.size());
}

void NodalSystem::number_free_vertices() {
  constexpr int kUnnumbered = -2;
  dof_.assign(vertices(), kUnnumbered);
  for (const Support& support : parts_.supports) {
    for (int v : support.vertices) {
      if (dof_[v] == -1) throw Error("vertex {} has two supports; let each vertex be in one constrained set only", v);
      dof_[v] = -1;
    }
  }
  for (int v : spatial_order(parts_.x0)) {
    if (dof_[v] == -1) continue;
    if (!(parts_.vertex_mass[v] > 0)) throw Error("vertex {} has mass {}: must be > 0", v, parts_.vertex_mass[v]);
    dof_[v] = static_cast<int>(free_vertex_.size());
    free_vertex_.push_back(v);
  }
  mass_.resize(3 * free_vertex_.size());
  for (size_t i = 0; i < free_vertex_.size(); ++i)
    mass_.segment<3>(3 * i).setConstant(parts_.vertex_mass[free_vertex_[i]]);
}

/// A piece is free when none of its vertices is supported, coupled to a supported one, or attached to a place.
void NodalSystem::find_pieces(const std::vector<std::pair<int, int>>& couplings) {
  std::vector<int> parent(vertices());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& [i, j] : couplings) parent[std::max(root(i), root(j))] = std::min(root(i), root(j));
  std::vector<int> held;
  for (const auto& [energy, body] : parts_.energies) energy->add_held(held);
  for (const Support& support : parts_.supports)
    held.insert(held.end(), support.vertices.begin(), support.vertices.end());
  std::vector<char> is_held(vertices(), 0);
  for (int v : held) is_held[root(v)] = 1;
  constexpr int kNone = -1;
  std::vector<int> piece(vertices(), kNone);
  for (size_t i = 0; i < free_vertex_.size(); ++i) {
    const int of = root(free_vertex_[i]);
    auto& pieces = is_held[of] ? held_pieces_ : free_pieces_;
    if (piece[of] == kNone) {
      piece[of] = static_cast<int>(pieces.size());
      pieces.emplace_back();
    }
    pieces[piece[of]].push_back(static_cast<int>(i));
  }
}

void NodalSystem::scatter(const VectorXd& free, VectorXd& full) const {
  parallel_for(static_cast<int>(free_vertex_.size()), kVerticesPerTask, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) full.segment<3>(3 * free_vertex_[i]) = free.segment<3>(3 * i);
  });
}

void NodalSystem::scatter_positions(double t, const VectorXd& q, VectorXd& x) const {
  scatter(q, x);
  for (const Support& support : parts_.supports) {
    const Pose pose = support.motion->pose(t);
    for (int v : support.vertices) x.segment<3>(3 * v) = pose.position(parts_.x0.row(v).transpose());
  }
}

void NodalSystem::scatter_velocities(double t, const VectorXd& v, VectorXd& u) const {
  scatter(v, u);
  for (const Support& support : parts_.supports) {
    const Pose pose = support.motion->pose(t);
    for (int vertex : support.vertices) u.segment<3>(3 * vertex) = pose.velocity(parts_.x0.row(vertex).transpose());
  }
}

void NodalSystem::gather(const VectorXd& full, VectorXd& free) const {
  free.resize(mass_.size());
  parallel_for(static_cast<int>(free_vertex_.size()), kVerticesPerTask, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) free.segment<3>(3 * i) = full.segment<3>(3 * free_vertex_[i]);
  });
}

Potentials NodalSystem::potentials(double t, const VectorXd& q) const {
  scatter_positions(t, q, x_);
  Potentials sum;
  for (const auto& [energy, body] : parts_.energies) energy->evaluate(t, x_, {.value = &entry(sum, energy->ledger())});
  return sum;
}

void NodalSystem::potentials_by_body(double t, const VectorXd& q, std::vector<Potentials>& per_body) const {
  scatter_positions(t, q, x_);
  per_body.assign(bodies_, {});
  for (const auto& [energy, body] : parts_.energies)
    if (body >= 0) energy->evaluate(t, x_, {.value = &entry(per_body[body], energy->ledger())});
}

double NodalSystem::potential_change(double from, double known, double to, const VectorXd& q) const {
  if (supports_move_) return System::potential_change(from, known, to, q);
  scatter_positions(to, q, x_);
  double before = 0, after = 0;
  for (const auto& [energy, body] : parts_.energies) {
    if (!energy->time_dependent()) continue;
    energy->evaluate(from, x_, {.value = &before});
    energy->evaluate(to, x_, {.value = &after});
  }
  return after - before;
}

Potentials NodalSystem::potentials_and_gradient(double t, const VectorXd& q, VectorXd& g) const {
  scatter_positions(t, q, x_);
  full_.setZero();
  Potentials sum;
  for (const auto& [energy, body] : parts_.energies)
    energy->evaluate(t, x_, {.value = &entry(sum, energy->ledger()), .gradient = &full_});
  gather(full_, g);
  return sum;
}

void NodalSystem::gradient(double t, const VectorXd& q, VectorXd& g) const {
  scatter_positions(t, q, x_);
  full_.setZero();
  for (const auto& [energy, body] : parts_.energies) energy->evaluate(t, x_, {.gradient = &full_});
  gather(full_, g);
}

void NodalSystem::derivatives(double t, const VectorXd& q, Psd psd, VectorXd& gradient, BlockMatrix& K,
                              OutsideForces* outside) const {
  scatter_positions(t, q, x_);
  full_.setZero();
  K.set_zero();
  const auto add = [&](bool internal) {
    for (const auto& [energy, body] : parts_.energies) {
      if (energy->internal() == internal) energy->evaluate(t, x_, {.gradient = &full_, .hessian = &K, .psd = psd});
    }
  };
  add(false);
  if (outside) {  // energies from outside couple no vertices, so that the diagonal blocks are all there is of them
    gather(full_, outside->gradient);
    outside->stiffness.resize(free_vertex_.size());
    for (size_t i = 0; i < free_vertex_.size(); ++i)
      outside->stiffness[i] = Eigen::Map<const Mat3>(K.block(pattern_->column_begin[i]));
  }
  add(true);
  gather(full_, gradient);
}

void NodalSystem::load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const {
  f.resize(mass_.size());
  if (parts_.loads.empty()) {
    f.setZero();
    return;
  }
  scatter_positions(t, q, x_);
  scatter_velocities(t, v, u_);
  full_.setZero();
  for (const auto& load : parts_.loads) load->add(t, x_, u_, full_);
  gather(full_, f);
}

void NodalSystem::touches(double t, const VectorXd& q, std::vector<Touch>& list) const {
  list.clear();
  scatter_positions(t, q, x_);
  for (const auto& [energy, body] : parts_.energies) energy->add_touches(t, x_, list);
  std::erase_if(list, [&](const Touch& touch) { return dof_[touch.point] < 0; });
  for (Touch& touch : list) touch.point = dof_[touch.point];
}

std::unique_ptr<Linearization> NodalSystem::linearization() const {
  return std::make_unique<NodalLinearization>(*this);
}

std::unique_ptr<ProjectiveMatrix> NodalSystem::projective_matrix() const {
  return std::make_unique<NodalProjectiveMatrix>(*this);
}

VectorXd NodalSystem::projective_weights() const {
  VectorXd weights = VectorXd::Zero(pattern_->slots());
  for (const auto& [energy, body] : parts_.energies) energy->add_projective_weights(weights);
  return weights;
}

void NodalSystem::positions(double t, const VectorXd& q, MatrixX3d& x) const {
  scatter_positions(t, q, x_);
  x = Eigen::Map<const MatrixX3d>(x_.data(), vertices(), 3);
}

void NodalSystem::velocities(double t, const VectorXd& v, MatrixX3d& u) const {
  scatter_velocities(t, v, u_);
  u = Eigen::Map<const MatrixX3d>(u_.data(), vertices(), 3);
}

VectorXd NodalSystem::free_part(const MatrixX3d& field) const {
  VectorXd free(mass_.size());
  for (size_t i = 0; i < free_vertex_.size(); ++i) free.segment<3>(3 * i) = field.row(free_vertex_[i]).transpose();
  return free;
}

}  // namespace brio
