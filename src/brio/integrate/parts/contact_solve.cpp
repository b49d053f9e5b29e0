#include "brio/integrate/parts/contact_solve.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr int kMostIterations = 80;
constexpr int kUnsearched = 10;  // iterations without a look at what is minimized
constexpr int kMostSolves = 300;
constexpr double kRoughly = 0.03;    // of the residual of a Newton step, in the norm of A^-1, far from the minimum
constexpr double kSolved = 1e-3;     // and near it
constexpr double kPrecision = 1e-4;  // of positions: of the range of contact, and of the longest way of the step
constexpr double kHeld = 0.02;       // of that range: how far friction lets a contact stretch before it slides

double shortest_range(const CollisionSurface& surface) {
  double shortest = surface.longest_reach();
  for (int b = 0; b < surface.bodies(); ++b) shortest = std::min(shortest, surface.body(b).range);
  return shortest;
}

}  // namespace

ContactSolve::ContactSolve(const ContactSystem& contacts, const System& system)
    : contacts_of_(contacts),
      system_(system),
      surface_(*contacts.surfaces()),
      lin_(system.linearization()),
      potential_(surface_),
      safe_(surface_),
      held_(kHeld * shortest_range(surface_)),
      range_(shortest_range(surface_)) {}

void ContactSolve::find_contacts(double t0, const VectorXd& q0, double t1, const VectorXd& q) {
  potential_.find(pairs_, x_, contacts_);
  if (contacts_of_.places() == 0) return;
  contacts_of_.find_touches(t0, q0, t1, q, touches_);
  for (const Touch& touch : touches_) {
    const Vec3 way = q.segment<3>(3 * touch.point) - q0.segment<3>(3 * touch.point);
    const double depth = -(touch.gap + touch.normal.dot(way));
    if (!(depth > 0)) continue;
    ActiveContact& contact = contacts_.emplace_back();
    contact.vertex = {contacts_of_.vertex_of(touch.point), -1, -1, -1};
    contact.key = {-1, contact.vertex[0], touch.place, 0, 0};
    contact.weight = {1, 0, 0, 0};
    contact.normal = touch.normal;
    contact.gap = -depth;
    contact.energy = 0.5 * touch.stiffness * depth * depth;
    contact.force = touch.stiffness * depth;
    contact.gradient[0] = -contact.force * touch.normal;
    contact.stiffness = touch.stiffness;
    contact.friction = touch.friction;
    contact.carried = touch.carried;
  }
}

void ContactSolve::find_rough(std::vector<FrictionContact>& rough) const {
  rough.clear();
  for (const ActiveContact& contact : contacts_)
    if (contact.friction > 0 && contact.force > 0) rough.emplace_back(contact, grips_.stretch(contact.key));
}

void ContactSolve::renew_grips() {
  grips_.clear();
  for (const FrictionContact& contact : rough_)
    grips_.add(contact.key, FrictionForce(contact, way_of(contact), held_).stretch);
  grips_.sort();
}

Vec3 ContactSolve::way_of(const FrictionContact& contact) const {
  Vec3 way = Vec3::Zero();
  for (int i = 0; i < 4; ++i)
    if (const int v = contact.vertex[i]; v >= 0) way += contact.weight[i] * (x_.segment<3>(3 * v) - x0_.segment<3>(3 * v));
  return way;
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

void ContactSolve::add_term(const std::array<int, 4>& vertex, const std::array<double, 4>& weight,
                            const Mat3& stiffness) {
  Term& term = terms_.emplace_back();
  for (int i = 0; i < 4; ++i) term.point[i] = vertex[i] < 0 ? -1 : contacts_of_.point_of(vertex[i]);
  term.weight = weight;
  term.stiffness = stiffness;
  // What is led still has some way to go, and takes along what it touches.
  Vec3 led = Vec3::Zero();
  for (int i = 0; i < 4; ++i)
    if (vertex[i] >= 0 && term.point[i] < 0)
      led += weight[i] * (goal_.segment<3>(3 * vertex[i]) - x_.segment<3>(3 * vertex[i]));
  if (led.isZero(0)) return;
  for (int i = 0; i < 4; ++i)
    if (term.point[i] >= 0) gradient_.segment<3>(3 * term.point[i]) += weight[i] * (stiffness * led);
}

void ContactSolve::multiply_matrix(double h, const VectorXd& x, VectorXd& y) {
  lin_->multiply_stiffness(x, y);
  y = h * h * y + system_.mass().cwiseProduct(x);
  if (!system_.has_damping()) return;
  lin_->multiply_damping(x, damped_);
  y += h * damped_;
}

void ContactSolve::linearize(double h, const VectorXd& q, const VectorXd& target, const VectorXd& felt) {
  terms_.clear();
  difference_ = q - target;
  multiply_matrix(h, difference_, gradient_);
  gradient_ += h * h * felt;
  for (const ActiveContact& contact : contacts_) {
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0)
          gradient_.segment<3>(3 * p) += h * h * contact.gradient[i];
    add_term(contact.vertex, contact.weight, h * h * contact.stiffness * contact.normal * contact.normal.transpose());
  }
  for (const FrictionContact& contact : rough_) {
    const FrictionForce force(contact, way_of(contact), held_);
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0)
          gradient_.segment<3>(3 * p) += h * h * contact.weight[i] * force.gradient;
    add_term(contact.vertex, contact.weight, h * h * force.stiffness);
  }
}

double ContactSolve::value(double t0, const VectorXd& q0, double h, const VectorXd& q, const VectorXd& target,
                           const VectorXd& felt) {
  find_contacts(t0, q0, t0 + h, q);
  difference_ = q - target;
  multiply_matrix(h, difference_, product_);
  double sum = 0;
  for (const ActiveContact& contact : contacts_) sum += contact.energy;
  for (const FrictionContact& contact : rough_) sum += FrictionForce(contact, way_of(contact), held_).value;
  return 0.5 * difference_.dot(product_) + h * h * (sum + felt.dot(difference_));
}

/// Conjugate gradients on (A + C) d = -g with A^-1 in front. A p is carried along, so that A is never multiplied.
void ContactSolve::solve_direction(double tolerance, StepReport& report) {
  direction_.setZero(gradient_.size());
  residual_ = -gradient_;
  preconditioned_ = residual_;
  lin_->solve(preconditioned_);
  search_ = preconditioned_;
  search_matrix_ = residual_;
  double rho = residual_.dot(preconditioned_);
  const double enough = tolerance * tolerance * rho;
  int iterations = 1;
  for (; iterations < kMostSolves && rho > enough && rho > 0; ++iterations) {
    search_full_ = search_matrix_;
    for (const Term& term : terms_) {
      Vec3 apart = Vec3::Zero();
      for (int i = 0; i < 4; ++i)
        if (term.point[i] >= 0) apart += term.weight[i] * search_.segment<3>(3 * term.point[i]);
      const Vec3 force = term.stiffness * apart;
      for (int i = 0; i < 4; ++i)
        if (term.point[i] >= 0) search_full_.segment<3>(3 * term.point[i]) += term.weight[i] * force;
    }
    const double step = rho / search_.dot(search_full_);
    direction_ += step * search_;
    residual_ -= step * search_full_;
    preconditioned_ = residual_;
    lin_->solve(preconditioned_);
    const double next = residual_.dot(preconditioned_);
    search_ = preconditioned_ + (next / rho) * search_;
    search_matrix_ = residual_ + (next / rho) * search_matrix_;
    rho = next;
  }
  report.solves += iterations;
}

void ContactSolve::gather_free(const VectorXd& x, VectorXd& q) const {
  for (Index p = 0; p < q.size() / 3; ++p) q.segment<3>(3 * p) = x.segment<3>(3 * contacts_of_.vertex_of(static_cast<int>(p)));
}

/// Puts what is led and has come to where it must be exactly there; whether all of it has.
bool ContactSolve::lead_to_goal() {
  constexpr double kRoundOff = 1e-13;
  bool all = true;
  for (Index v = 0; v < x_.size() / 3; ++v) {
    if (contacts_of_.point_of(static_cast<int>(v)) >= 0) continue;
    const Vec3 goal = goal_.segment<3>(3 * v);
    if ((x_.segment<3>(3 * v) - goal).norm() > kRoundOff * goal.norm()) all = false;
    else x_.segment<3>(3 * v) = goal;
  }
  return all;
}

void ContactSolve::find_force(double t, const VectorXd& q, VectorXd& force) {
  const bool known = known_q_.size() == q.size() && known_q_ == q && (known_t_ == t || !system_.time_dependent());
  if (!known) {
    contacts_of_.stack_positions(t, q, x_);
    potential_.search().find(x_, x_, surface_.longest_reach(), pairs_);
    find_contacts(t, q, t, q);
  }
  force.setZero(q.size());
  for (const ActiveContact& contact : contacts_)
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0) force.segment<3>(3 * p) -= contact.gradient[i];
  find_rough(rough_);
  for (const FrictionContact& contact : rough_) {
    const Vec3 pull = FrictionForce(contact, Vec3::Zero(), held_).gradient;
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0) force.segment<3>(3 * p) -= contact.weight[i] * pull;
  }
}

bool ContactSolve::meets(double t0, const VectorXd& q0, double h, const VectorXd& target,
                         std::vector<char>& concerned) {
  contacts_.clear();
  rough_.clear();
  friction_work_ = 0;
  contacts_of_.stack_positions(t0, q0, x0_);
  contacts_of_.stack_positions(t0 + h, target, goal_);
  potential_.search().find(x0_, goal_, surface_.longest_reach(), pairs_);
  touches_.clear();
  if (contacts_of_.places() > 0) contacts_of_.find_touches(t0, q0, t0 + h, target, touches_);
  known_q_ = target;
  known_t_ = t0 + h;
  if (pairs_.empty() && touches_.empty()) return false;
  way_ = goal_ - x0_;
  const bool stopped = safe_.shorten(pairs_, x0_, way_) > 0;
  x_ = goal_;
  potential_.find(pairs_, x_, contacts_);
  if (!stopped && contacts_.empty() && touches_.empty()) return false;
  for (const Touch& touch : touches_) concerned[touch.point] = 1;
  for (const ContactPair& pair : pairs_)
    for (int v : pair.vertex)
      if (const int p = contacts_of_.point_of(v); p >= 0) concerned[p] = 1;
  return true;
}

ContactSolve::Outcome ContactSolve::solve(double t0, const VectorXd& q0, double h, const VectorXd& target,
                                          const VectorXd& felt, VectorXd& q, StepReport& report) {
  const double t1 = t0 + h;
  contacts_of_.stack_positions(t1, target, goal_);
  Stopwatch watch;
  lin_->assemble(t1, target, Psd::clamp, gradient_);
  report.time.assembly += watch.lap();
  ++report.factorizations;
  double shift = 0;
  while (lin_->factor(1, h, h * h, shift) != FactorStatus::ok) {
    if (shift > 1e6) return Outcome::stuck;
    shift = std::max(1e-6, 1e3 * shift);
  }
  report.time.factor += watch.lap();

  known_q_.resize(0);
  x_ = x0_;
  q = q0;
  bool arrived = false;  // whether all that is led is where it is at t1
  bool friction_renewed = false;
  int held = 1;  // vertices that were held back on the last way
  find_contacts(t0, q0, t1, q);
  find_rough(rough_);
  const double way = (goal_ - x0_).cwiseAbs().maxCoeff();
  constexpr double kRoundOff = 1e-11;
  const double precision = std::max(kPrecision * std::min(range_, way), kRoundOff * x0_.cwiseAbs().maxCoeff());
  Outcome outcome = Outcome::held_back;
  for (int i = 0; i < kMostIterations; ++i) {
    linearize(h, q, target, felt);
    const bool search = arrived && i >= kUnsearched;
    const double before = search ? value(t0, q0, h, q, target, felt) : 0;
    report.time.other += watch.lap();
    const bool roughly = held > 0;
    solve_direction(roughly ? kRoughly : kSolved, report);
    ++report.iterations;
    report.time.solve += watch.lap();
    way_ = goal_ - x_;  // of what is led
    double longest = 0;
    for (Index p = 0; p < q.size() / 3; ++p) {
      const auto d = direction_.segment<3>(3 * p);
      way_.segment<3>(3 * contacts_of_.vertex_of(static_cast<int>(p))) = d;
      longest = std::max(longest, d.cwiseAbs().maxCoeff());
    }
    potential_.search().find(x_, trial_ = x_ + way_, surface_.longest_reach(), pairs_);
    held = safe_.shorten(pairs_, x_, way_);
    trial_ = x_;
    x_ = trial_ + way_;
    gather_free(x_, q);
    // Newton's method ends where it goes in circles: half the way is as safe.
    if (search) {
      constexpr double kSame = 1e-12;
      for (int half = 0; half < 8 && value(t0, q0, h, q, target, felt) > before * (1 + kSame); ++half) {
        way_ *= 0.5;
        x_ = trial_ + way_;
        gather_free(x_, q);
      }
    }
    arrived = lead_to_goal();
    find_contacts(t0, q0, t1, q);
    report.time.other += watch.lap();
    if (longest > precision || held > 0 || roughly || !arrived) continue;
    if (!friction_renewed) {  // with the normal forces that were found
      friction_renewed = true;
      const size_t had = rough_.size();
      find_rough(rough_);
      if (had + rough_.size() > 0) continue;
    }
    outcome = Outcome::found;
    break;
  }
  if (!arrived) return Outcome::stuck;
  known_q_ = q;
  known_t_ = t1;
  for (const FrictionContact& contact : rough_)
    friction_work_ += FrictionForce(contact, way_of(contact), held_).gradient.dot(way_of(contact));
  return outcome;
}

void ContactSolve::add_impulses(double h, VectorXd& impulses) const {
  const auto add = [&](int vertex, const Vec3& force) {
    if (vertex < 0) return;
    if (const int p = contacts_of_.point_of(vertex); p >= 0) impulses.segment<3>(3 * p) += h * force;
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
