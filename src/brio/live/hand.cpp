#include "brio/live/hand.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brio {
namespace {

constexpr double kFingerWidth = 0.08;    // radius, in parts of the piece's extent
constexpr double kEarth = 9.81;          // [m/s^2]
constexpr double kStretchByWeight = 10;  // weights that the spring pulls with when stretched by the extent
constexpr double kMostWeights = 10;
constexpr double kSecondSpring = 4;  // in parts of the first

/// The vertices of the connected piece that a vertex belongs to; of its body, where it is connected to none.
std::vector<int> piece_with(const NodalSystem& system, const std::vector<int>& body_of_vertex, int vertex) {
  std::vector<int> vertices;
  const int point = system.point_of(vertex);
  for (const auto* pieces : {&system.free_pieces(), &system.held_pieces()})
    for (const std::vector<int>& piece : *pieces)
      if (piece.size() > 1 && std::find(piece.begin(), piece.end(), point) != piece.end())
        for (int p : piece) vertices.push_back(system.vertex_of(p));
  if (!vertices.empty()) return vertices;
  for (int v = 0; v < system.vertices(); ++v)
    if (body_of_vertex[v] == body_of_vertex[vertex] && !system.supported(v)) vertices.push_back(v);
  return vertices;
}

std::vector<int> first_numbers(int count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

void VertexWeights::add(int vertex, double weight) {
  vertices.push_back(vertex);
  weights.push_back(weight);
}

Vec3 VertexWeights::mean(const MatrixX3d& field) const {
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < vertices.size(); ++i) sum += weights[i] * field.row(vertices[i]).transpose();
  return sum;
}

Grip make_grip(const NodalSystem& system, const std::vector<int>& body_of_vertex, VertexWeights point) {
  Grip grip;
  grip.point = std::move(point);
  const MatrixX3d& X = system.rest_positions();
  const VectorXd& mass = system.vertex_mass();
  std::vector<int> piece;
  for (int v : grip.point.vertices)
    if (piece.empty() && !system.supported(v)) piece = piece_with(system, body_of_vertex, v);
  if (piece.empty()) return grip;
  Vec3 low = X.row(piece.front()), high = low;
  for (int v : piece) {
    const Vec3 at = X.row(v);
    low = low.cwiseMin(at), high = high.cwiseMax(at);
    grip.mass += mass[v];
  }
  grip.extent = (high - low).norm();
  if (!(grip.extent > 0)) return grip;
  // By mass, so that the vertices of a finger would all be accelerated alike.
  const Vec3 middle = grip.point.mean(X);
  const double radius = kFingerWidth * grip.extent;
  std::vector<double> weight(X.rows(), 0);
  for (int v : piece) {
    const double near = 1 - (X.row(v).transpose() - middle).squaredNorm() / (radius * radius);
    if (near > 0) weight[v] = near * near * mass[v];
  }
  // A mesh that is coarser than the finger is held at the corners of the triangle.
  double sum = 0;
  for (double w : weight) sum += w;
  for (size_t i = 0; i < grip.point.vertices.size() && !(sum > 0); ++i) {
    const int v = grip.point.vertices[i];
    if (!system.supported(v)) weight[v] += std::max(grip.point.weights[i], 1e-3) * mass[v];
  }
  sum = 0;
  for (double w : weight) sum += w;
  for (size_t v = 0; v < weight.size(); ++v)
    if (weight[v] > 0) grip.finger.add(static_cast<int>(v), weight[v] / sum);
  return grip;
}

HandSpring suitable_spring(const Grip& grip, double gravity, double strength) {
  const double weight = strength * grip.mass * std::max(gravity, kEarth);
  HandSpring spring;
  spring.stiffness = kStretchByWeight * weight / grip.extent;
  spring.second = kSecondSpring * spring.stiffness;
  spring.time = 2 * std::sqrt(spring.stiffness * grip.mass) / spring.second;
  spring.most = kMostWeights * weight;
  return spring;
}

void Hand::grab(Hold hold) {
  release(hold.owner);
  holds_.push_back(std::move(hold));
}

void Hand::move(int owner, const Vec3& target) {
  for (Hold& hold : holds_)
    if (hold.owner == owner && hold.active) hold.target = target;
}

void Hand::release(int owner) {
  std::erase_if(holds_, [&](const Hold& hold) { return hold.owner == owner && !hold.begun; });
  for (Hold& hold : holds_)
    if (hold.owner == owner) hold.active = false;
}

void Hand::begin_step(double t, double h, const MatrixX3d& x) {
  begin_ = t;
  h_ = h;
  for (Hold& hold : holds_) {
    const auto& [k, second, time, most] = hold.spring;
    const Vec3 point = hold.grip.point.mean(x);
    if (!hold.begun) hold.follower = point;
    hold.follower += (1 - std::exp(-h / time)) * (point - hold.follower);
    Vec3 pull = (k * hold.target + second * hold.follower) / (k + second) - point;
    const double force = (k + second) * pull.norm();
    if (force > most) pull *= most / force;
    hold.stiffness_before = hold.stiffness_after;
    hold.stiffness_after = hold.active ? k + second : 0;
    hold.anchor_after.swap(hold.anchor_before);
    hold.anchor_after.resize(static_cast<Index>(hold.grip.finger.vertices.size()), 3);
    // Each vertex is pulled along with the point, and not held back in turning about it.
    for (Index i = 0; i < hold.anchor_after.rows(); ++i)
      hold.anchor_after.row(i) = x.row(hold.grip.finger.vertices[i]) + pull.transpose();
    if (!hold.begun) hold.anchor_before = hold.anchor_after;
    hold.begun = true;
  }
}

void Hand::end_step(const MatrixX3d& x) {
  for (Hold& hold : holds_) {
    hold.force.setZero();
    for (Index i = 0; i < hold.anchor_after.rows(); ++i)
      hold.force += hold.stiffness_after * hold.grip.finger.weights[i] *
                    (hold.anchor_after.row(i) - x.row(hold.grip.finger.vertices[i])).transpose();
    hold.left -= h_;
    if (!(hold.left > 0)) hold.active = false;
  }
  std::erase_if(holds_, [](const Hold& hold) { return hold.stiffness_after == 0; });
}

void Hand::evaluate(double t, const VectorXd& x, const EnergyWant& want, const std::vector<int>& slots) const {
  const double part = std::clamp((t - begin_) / h_, 0.0, 1.0);
  for (const Hold& hold : holds_) {
    const double k = hold.stiffness_before + part * (hold.stiffness_after - hold.stiffness_before);
    if (!(k > 0)) continue;
    for (Index i = 0; i < hold.anchor_after.rows(); ++i) {
      const int v = hold.grip.finger.vertices[i];
      const double share = k * hold.grip.finger.weights[i];
      const Vec3 anchor = hold.anchor_before.row(i) + part * (hold.anchor_after.row(i) - hold.anchor_before.row(i));
      const Vec3 apart = x.segment<3>(3 * v) - anchor;
      if (want.value) *want.value += 0.5 * share * apart.squaredNorm();
      if (want.gradient) want.gradient->segment<3>(3 * v) += share * apart;
      if (!want.hessian || slots[v] < 0) continue;
      double* block = want.hessian->block(slots[v]);
      for (int d = 0; d < 3; ++d) block[4 * d] += share;
    }
  }
}

HandEnergy::HandEnergy(std::shared_ptr<const Hand> hand, int vertices)
    : VertexEnergy(Ledger::elastic, first_numbers(vertices)), hand_(std::move(hand)) {}

}  // namespace brio
