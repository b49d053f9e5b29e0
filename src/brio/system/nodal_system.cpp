#include "brio/system/nodal_system.hpp"

#include "brio/collide/collision_surface.hpp"
#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/core/spatial_order.hpp"
#include "brio/linalg/cholesky.hpp"
#include "brio/linalg/conjugate_gradients.hpp"
#include "brio/system/nodal_linearization.hpp"
#include "brio/system/nodal_projective_matrix.hpp"
#include "brio/system/without_obstacles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace brio {
namespace {

constexpr int kVerticesPerTask = 1024;

double& entry(Potentials& sum, Ledger ledger) {
  return ledger == Ledger::elastic ? sum.elastic : ledger == Ledger::gravity ? sum.gravity : sum.contact;
}

bool felt(const Energy& energy, Obstacles obstacles) {
  return obstacles == Obstacles::felt || !(energy.contact() || energy.surfaces());
}

}  // namespace

NodalSystem::NodalSystem(NodalParts parts) : parts_(std::move(parts)) {
  number_free_vertices();
  std::vector<std::pair<int, int>> couplings;
  for (const auto& [energy, body] : parts_.energies) {
    energy->add_couplings(couplings);
    bodies_ = std::max(bodies_, body + 1);
    if (const ObstacleContact* contact = energy->contact()) {
      if (body <= 0) first_place_.push_back(places_);  // each obstacle has one energy for each body
      places_ += contact->places();
      has_friction_ = has_friction_ || contact->friction() > 0;
    } else if (energy->surfaces()) {
      surfaces_ = energy->surfaces();
    }
  }
  find_pieces(couplings);
  std::erase_if(couplings, [&](const auto& pair) { return dof_[pair.first] < 0 || dof_[pair.second] < 0; });
  for (auto& [i, j] : couplings) i = dof_[i], j = dof_[j];
  pattern_ = std::make_shared<BlockPattern>(static_cast<int>(free_vertex_.size()), std::move(couplings));
  for (const auto& [energy, body] : parts_.energies) energy->attach({dof_, pattern_.get()});
  for (const Support& support : parts_.supports) supports_move_ = supports_move_ || support.motion->moves();
  if (places_ > 0 || surfaces_) without_obstacles_ = std::make_unique<WithoutObstacles>(*this);
  find_free_fall();
  find_energy_round_off();
}

int NodalSystem::obstacle_of(int place) const {
  return static_cast<int>(std::upper_bound(first_place_.begin(), first_place_.end(), place) - first_place_.begin()) - 1;
}

void NodalSystem::find_free_fall() {
  if (mass_.size() == 0) return;
  const auto room = borrow_room();
  scatter_positions(0, rest(), room->x);
  room->full.setZero();
  for (const auto& [energy, body] : parts_.energies)
    if (energy->ledger() == Ledger::gravity) energy->evaluate(0, room->x, {.gradient = &room->full});
  VectorXd weight;
  gather(room->full, weight);
  free_fall_ = std::sqrt((weight.array().square() / mass_.array()).sum() / mass_.sum());
}

/// By how much the energy at rest changes when positions are moved by their last digits, several times over.
void NodalSystem::find_energy_round_off() {
  constexpr int kShakes = 4;
  constexpr double kSeldom = 10;  // times what four shakes show is hardly ever seen in a run
  const VectorXd at_rest = rest();
  const double energy = potentials(0, at_rest).elastic;
  VectorXd shaken(at_rest.size());
  double largest = 0;
  uint64_t bits = 1;
  for (int shake = 0; shake < kShakes; ++shake) {
    for (Index i = 0; i < at_rest.size(); ++i) {
      bits = bits * 6364136223846793005u + 1442695040888963407u;  // as good as random, and the same in every run
      shaken[i] = at_rest[i] * (1 + (bits >> 63 ? 4 : -4) * std::numeric_limits<double>::epsilon());
    }
    largest = std::max(largest, std::fabs(potentials(0, shaken).elastic - energy));
  }
  energy_round_off_ = kSeldom * largest;
}

NodalSystem::~NodalSystem() = default;

bool NodalSystem::time_dependent() const {
  return supports_move_ || std::any_of(parts_.energies.begin(), parts_.energies.end(),
                                       [](const auto& part) { return part.energy->time_dependent(); });
}

bool NodalSystem::time_dependent_without_obstacles() const {
  return supports_move_ || std::any_of(parts_.energies.begin(), parts_.energies.end(), [](const auto& part) {
           const Energy& energy = *part.energy;
           return !energy.contact() && !energy.surfaces() && energy.time_dependent();
         });
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

ScratchPool<NodalSystem::Scratch>::Lease NodalSystem::borrow_room() const {
  auto room = scratch_.take();
  for (VectorXd* stacked : {&room->x, &room->u, &room->full}) stacked->resize(parts_.x0.size());
  return room;
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

Potentials NodalSystem::potentials(double t, const VectorXd& q, Obstacles obstacles) const {
  const auto room = borrow_room();
  scatter_positions(t, q, room->x);
  Potentials sum;
  for (const auto& [energy, body] : parts_.energies)
    if (felt(*energy, obstacles)) energy->evaluate(t, room->x, {.value = &entry(sum, energy->ledger())});
  return sum;
}

void NodalSystem::potentials_by_body(double t, const VectorXd& q, std::vector<Potentials>& per_body) const {
  const auto room = borrow_room();
  scatter_positions(t, q, room->x);
  per_body.assign(bodies_, {});
  for (const auto& [energy, body] : parts_.energies)
    if (body >= 0) energy->evaluate(t, room->x, {.value = &entry(per_body[body], energy->ledger())});
}

double NodalSystem::potential_change(double from, double known, double to, const VectorXd& q) const {
  if (supports_move_)
    return surfaces_ ? change_with_surfaces(from, to, q) : System::potential_change(from, known, to, q);
  const auto room = borrow_room();
  scatter_positions(to, q, room->x);
  double before = 0, after = 0;
  for (const auto& [energy, body] : parts_.energies) {
    if (!energy->time_dependent()) continue;
    if (energy->surfaces()) {
      after += energy->surfaces()->work(from, room->x, to, room->x);
      continue;
    }
    energy->evaluate(from, room->x, {.value = &before});
    energy->evaluate(to, room->x, {.value = &after});
  }
  return after - before;
}

double NodalSystem::change_with_surfaces(double from, double to, const VectorXd& q) const {
  const auto room = borrow_room();
  scatter_positions(from, q, room->x);
  scatter_positions(to, q, room->u);
  double before = 0, after = 0;
  for (const auto& [energy, body] : parts_.energies) {
    if (energy->surfaces()) {
      after += energy->surfaces()->work(from, room->x, to, room->u);
    } else {
      energy->evaluate(from, room->x, {.value = &before});
      energy->evaluate(to, room->u, {.value = &after});
    }
  }
  return after - before;
}

void NodalSystem::stack_positions(double t, const VectorXd& q, VectorXd& x) const {
  x.resize(surfaces_ ? surfaces_->surface().rest().size() : parts_.x0.size());
  scatter_positions(t, q, x);
  if (surfaces_) surfaces_->place_obstacles(t, x);
}

Potentials NodalSystem::potentials_and_gradient(double t, const VectorXd& q, VectorXd& g, Obstacles obstacles) const {
  const auto room = borrow_room();
  scatter_positions(t, q, room->x);
  room->full.setZero();
  Potentials sum;
  for (const auto& [energy, body] : parts_.energies)
    if (felt(*energy, obstacles))
      energy->evaluate(t, room->x, {.value = &entry(sum, energy->ledger()), .gradient = &room->full});
  gather(room->full, g);
  return sum;
}

void NodalSystem::gradient(double t, const VectorXd& q, VectorXd& g, Obstacles obstacles) const {
  const auto room = borrow_room();
  scatter_positions(t, q, room->x);
  room->full.setZero();
  for (const auto& [energy, body] : parts_.energies)
    if (felt(*energy, obstacles)) energy->evaluate(t, room->x, {.gradient = &room->full});
  gather(room->full, g);
}

void NodalSystem::derivatives(double t, const VectorXd& q, Psd psd, VectorXd& gradient, BlockMatrix& K,
                              OutsideForces* outside, Obstacles obstacles) const {
  const auto room = borrow_room();
  scatter_positions(t, q, room->x);
  room->full.setZero();
  K.set_zero();
  const auto add = [&](bool internal) {
    for (const auto& [energy, body] : parts_.energies) {
      if (energy->internal() != internal || !felt(*energy, obstacles)) continue;
      BlockMatrix* hessian = energy->has_hessian() ? &K : nullptr;
      energy->evaluate(t, room->x, {.gradient = &room->full, .hessian = hessian, .psd = psd});
    }
  };
  add(false);
  if (outside) {  // energies from outside couple no vertices, so that the diagonal blocks are all there is of them
    gather(room->full, outside->gradient);
    outside->stiffness.resize(free_vertex_.size());
    for (size_t i = 0; i < free_vertex_.size(); ++i)
      outside->stiffness[i] = Eigen::Map<const Mat3>(K.block(pattern_->column_begin[i]));
  }
  add(true);
  gather(room->full, gradient);
}

void NodalSystem::load(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const {
  f.resize(mass_.size());
  if (parts_.loads.empty()) {
    f.setZero();
    return;
  }
  const auto room = borrow_room();
  scatter_positions(t, q, room->x);
  scatter_velocities(t, v, room->u);
  room->full.setZero();
  for (const auto& load : parts_.loads) load->add(t, room->x, room->u, room->full);
  gather(room->full, f);
}

void NodalSystem::find_touches(double t0, const VectorXd& q0, double t1, const VectorXd& q1,
                               std::vector<Touch>& touches) const {
  touches.clear();
  const auto room = borrow_room();
  scatter_positions(t0, q0, room->u);
  scatter_positions(t1, q1, room->x);
  int first = 0;
  for (const auto& [energy, body] : parts_.energies) {
    const ObstacleContact* contact = energy->contact();
    if (!contact) continue;
    contact->add_touches(t0, room->u, t1, room->x, first, touches);
    first += contact->places();
  }
  std::erase_if(touches, [&](const Touch& touch) { return dof_[touch.point] < 0; });
  for (Touch& touch : touches) touch.point = dof_[touch.point];
}

std::unique_ptr<BlockSolver> NodalSystem::make_solver() const {
  if (!parts_.engine) return make_cholesky(pattern_);
  return parts_.engine->make_solver({pattern_, free_pieces_, 0, [this] { return projective_weights(); }});
}

std::unique_ptr<Linearization> NodalSystem::linearization() const {
  return std::make_unique<NodalLinearization>(*this);
}

std::unique_ptr<Linearization> NodalSystem::iterative_linearization(double tolerance, int iterations) const {
  return std::make_unique<NodalLinearization>(*this, make_conjugate_gradients(pattern_, tolerance, iterations));
}

std::unique_ptr<ProjectiveMatrix> NodalSystem::projective_matrix() const {
  return std::make_unique<NodalProjectiveMatrix>(*this);
}

ProjectiveFit NodalSystem::projective_fit() const {
  ProjectiveFit worst;
  for (const auto& [energy, body] : parts_.energies)
    if (const ProjectiveEnergy* projective = energy->projective()) worst += projective->projective_fit();
  return worst;
}

VectorXd NodalSystem::projective_weights() const {
  VectorXd weights = VectorXd::Zero(pattern_->slots());
  for (const auto& [energy, body] : parts_.energies)
    if (const ProjectiveEnergy* projective = energy->projective()) projective->add_projective_weights(weights);
  return weights;
}

void NodalSystem::positions(double t, const VectorXd& q, MatrixX3d& x) const {
  const auto room = borrow_room();
  scatter_positions(t, q, room->x);
  x = Eigen::Map<const MatrixX3d>(room->x.data(), vertices(), 3);
}

void NodalSystem::velocities(double t, const VectorXd& v, MatrixX3d& u) const {
  const auto room = borrow_room();
  scatter_velocities(t, v, room->u);
  u = Eigen::Map<const MatrixX3d>(room->u.data(), vertices(), 3);
}

VectorXd NodalSystem::free_part(const MatrixX3d& field) const {
  VectorXd free(mass_.size());
  for (size_t i = 0; i < free_vertex_.size(); ++i) free.segment<3>(3 * i) = field.row(free_vertex_[i]).transpose();
  return free;
}

}  // namespace brio
