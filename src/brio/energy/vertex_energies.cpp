#include "brio/energy/vertex_energies.hpp"

#include "brio/core/parallel.hpp"
#include "brio/energy/obstacle_path.hpp"

#include <numeric>

namespace brio {
namespace {

constexpr int kGrain = 512;

std::vector<int> all_vertices(Index n) {
  std::vector<int> vertices(n);
  std::iota(vertices.begin(), vertices.end(), 0);
  return vertices;
}

void add_block(BlockMatrix& K, int slot, const Mat3& H) {
  double* block = K.block(slot);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block[3 * i + j] += H(i, j);
}

}  // namespace

void VertexEnergy::attach(const BlockLayout& layout) {
  slot_.clear();
  for (int v : vertices_) slot_.push_back(layout.dof[v] < 0 ? -1 : layout.pattern->slot(layout.dof[v], layout.dof[v]));
}

GravityEnergy::GravityEnergy(const VectorXd& vertex_mass, const Vec3& gravity)
    : GravityEnergy(vertex_mass, gravity, all_vertices(vertex_mass.size())) {}

GravityEnergy::GravityEnergy(const VectorXd& vertex_mass, const Vec3& gravity, std::vector<int> vertices)
    : VertexEnergy(Ledger::gravity, std::move(vertices)), weight_(3 * vertices_.size()) {
  for (size_t i = 0; i < vertices_.size(); ++i) {
    weight_.segment<3>(3 * i) = vertex_mass[vertices_[i]] * gravity;
    if (i == 0 || vertices_[i] != vertices_[i - 1] + 1) runs_.push_back({vertices_[i], 0});
    ++runs_.back().count;
  }
}

void GravityEnergy::evaluate(double, const VectorXd& x, const EnergyWant& want) const {
  Index row = 0;
  for (const Run& run : runs_) {
    const auto weight = weight_.segment(row, 3 * run.count);
    if (want.value) *want.value -= weight.dot(x.segment(3 * run.first, 3 * run.count));
    if (want.gradient) want.gradient->segment(3 * run.first, 3 * run.count) -= weight;
    row += 3 * run.count;
  }
}

AttachmentEnergy::AttachmentEnergy(std::vector<int> vertices, const MatrixX3d& x0, double stiffness,
                                   std::shared_ptr<const Motion> motion)
    : VertexEnergy(Ledger::elastic, std::move(vertices)), stiffness_(stiffness), motion_(std::move(motion)) {
  target_.resize(vertices_.size(), 3);
  for (size_t i = 0; i < vertices_.size(); ++i) target_.row(i) = x0.row(vertices_[i]);
}

void AttachmentEnergy::evaluate(double t, const VectorXd& x, const EnergyWant& want) const {
  const Pose pose = motion_->pose(t);
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const Vec3 apart = x.segment<3>(3 * vertices_[i]) - pose.position(target_.row(i).transpose());
    if (want.value) *want.value += 0.5 * stiffness_ * apart.squaredNorm();
    if (want.gradient) want.gradient->segment<3>(3 * vertices_[i]) += stiffness_ * apart;
    if (want.hessian && slot_[i] >= 0) add_block(*want.hessian, slot_[i], stiffness_ * Mat3::Identity());
  }
}

void AttachmentEnergy::add_projective_weights(VectorXd& slot_values) const {
  for (int slot : slot_)
    if (slot >= 0) slot_values[slot] += stiffness_;
}

ContactEnergy::ContactEnergy(std::vector<int> vertices, VectorXd area, double stiffness,
                             std::shared_ptr<const ObstacleShape> shape, std::shared_ptr<const Motion> motion,
                             double friction, double tangential)
    : VertexEnergy(Ledger::contact, std::move(vertices)),
      area_(std::move(area)),
      stiffness_(stiffness),
      friction_(friction),
      tangential_(tangential),
      shape_(std::move(shape)),
      motion_(std::move(motion)) {}

void ContactEnergy::evaluate(double t, const VectorXd& x, const EnergyWant& want) const {
  const Pose pose = motion_->pose(t);
  const double energy = parallel_sum(static_cast<int>(vertices_.size()), kGrain, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      const Vec3 local = pose.R.transpose() * (x.segment<3>(3 * vertices_[i]) - pose.p);
      if (!shape_->contains(local)) continue;
      const Distance d = shape_->distance(local);
      const double k = stiffness_ * area_[i];
      sum += 0.5 * k * d.phi * d.phi;
      if (want.gradient) want.gradient->segment<3>(3 * vertices_[i]) += k * d.phi * (pose.R * d.normal);
      if (want.hessian && slot_[i] >= 0) {
        Mat3 H = k * ((1 - tangential_) * d.normal * d.normal.transpose() + tangential_ * Mat3::Identity());
        // phi < 0 and a convex shape make the second term negative; the projection drops it.
        if (want.psd == Psd::none) H += k * d.phi * d.curvature;
        add_block(*want.hessian, slot_[i], pose.R * H * pose.R.transpose());
      }
    }
    return sum;
  });
  if (want.value) *want.value += energy;
}

void ContactEnergy::add_touches(double t0, const VectorXd& x0, double t1, const VectorXd& x1, int first,
                                std::vector<Touch>& touches) const {
  const Pose from = motion_->pose(t0), to = motion_->pose(t1);
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const Vec3 x = x0.segment<3>(3 * vertices_[i]);
    const Vec3 begin = from.R.transpose() * (x - from.p);
    const Vec3 end = to.R.transpose() * (x1.segment<3>(3 * vertices_[i]) - to.p);
    const bool inside = shape_->contains(begin);
    const std::optional<TouchPlane> plane = plane_met(*shape_, begin, inside, end);
    if (!plane) continue;
    const double k = stiffness_ * area_[i];
    touches.push_back({.point = vertices_[i],
                       .place = first + static_cast<int>(i),
                       .normal = to.R * plane->normal,
                       .gap = plane->distance(to.R.transpose() * (x - to.p)),
                       .before = inside ? shape_->distance(begin).phi : 0,
                       .stiffness = k,
                       .lateral = tangential_ * k,
                       .friction = friction_,
                       .velocity = to.velocity(end),
                       .carried = to.position(begin) - x,
                       .axes = to.R});
  }
}

}  // namespace brio
