// What a step of contact leaves at its end: forces, impulses, stretches of friction.

#include "brio/integrate/parts/contact_solve.hpp"

#include <algorithm>
#include <cmath>

namespace brio {

bool ContactSolve::resolves(const VectorXd& q) const {
  constexpr double kFarthest = 1e9;  // ranges of contact: their round-off is a ten-millionth of it
  return q.allFinite() && !(q.lpNorm<Eigen::Infinity>() > kFarthest * range_);
}

double ContactSolve::fastest() const {
  double most = nominal_;
  for (const ActiveContact& contact : contacts_) {
    double mobility = 0;  // of the two sides against each other [1/kg]
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0)
          mobility += contact.weight[i] * contact.weight[i] *
                      (p < terms_.motion.own ? 1 / system_.mass()[3 * p] : terms_.motion.carried_mobility(p, contact.normal));
    most = std::max(most, contact.stiffness * mobility);
  }
  return most;
}

double ContactSolve::friction_energy() const {
  double sum = 0;
  for (const FrictionContact& contact : rough_) {
    const double s = FrictionForce(contact, way_of(contact), held_).stretch.norm() / held_;
    sum += contact.limit * held_ * s * s * (1 - s / 3);
  }
  return sum;
}

void ContactSolve::renew_grips() {
  grips_.clear();
  for (const FrictionContact& contact : rough_)
    grips_.add(contact.key, FrictionForce(contact, way_of(contact), held_).stretch);
  grips_.sort();
}

Vec3 ContactSolve::friction_force(const FrictionContact& contact) const {
  return -FrictionForce(contact, way_of(contact), held_).gradient;
}

Vec3 ContactSolve::friction_place(const FrictionContact& contact) const {
  Vec3 place = Vec3::Zero();
  double sides = 0;
  for (int i = 0; i < 4; ++i)
    if (const int v = contact.vertex[i]; v >= 0) {
      place += std::fabs(contact.weight[i]) * x_.segment<3>(3 * v);
      sides += std::fabs(contact.weight[i]);
    }
  return place / sides;
}

void ContactSolve::add_outside_impulses(double h, const VectorXd& displacement, VectorXd& impulses) const {
  const std::vector<Mat3>& stiffness = lin_->outside().stiffness;
  for (size_t p = 0; p < stiffness.size(); ++p)
    impulses.segment<3>(3 * p) -= h * (stiffness[p] * displacement.segment<3>(3 * p));
}

void ContactSolve::add_impulses(double h, VectorXd& impulses) const {
  const auto add = [&](int vertex, const Vec3& force) {
    if (vertex < 0) return;
    if (const int p = contacts_of_.point_of(vertex); p >= 0) terms_.motion.add_force(p, h * force, impulses);
  };
  for (const ActiveContact& contact : contacts_)
    for (int i = 0; i < 4; ++i)
      if (contact.vertex[i] >= 0) add(contact.vertex[i], -contact.gradient[i]);
  for (const FrictionContact& contact : rough_) {
    const Vec3 force = friction_force(contact);
    for (int i = 0; i < 4; ++i) add(contact.vertex[i], contact.weight[i] * force);
  }
}

}  // namespace brio
