#include "brio/integrate/parts/contact_solve.hpp"

#include "brio/integrate/parts/step_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

constexpr int kMostIterations = 40;                  // then shorter steps are cheaper
constexpr double kPrecision = 5e-3;                  // of the forces of contact: what may be left of the gradient
constexpr double kMissed = kPrecision * kPrecision;  // the same of the energy with which they strain the bodies
constexpr double kSolved = 0.5 * kMissed;            // and of that what the solution of an iteration may miss
constexpr double kNegligible = 1e-6;  // of the gradient at the start: the same where nothing touches in the end
constexpr double kNotFar = 0.3;       // of the forces: what is left when friction gets them for the first time
constexpr double kHeld = 0.02;        // of the range: how far friction lets a contact stretch before it slides
constexpr double kForceError = 0.02;  // of the normal forces of friction, as at obstacles
constexpr int kMostRenewals = 2;      // of these forces in a step

double shortest_range(const CollisionSurface& surface) {
  double shortest = surface.longest_reach();
  for (int b = 0; b < surface.bodies(); ++b) shortest = std::min(shortest, surface.body(b).range);
  return shortest;
}

}  // namespace

ContactSolve::ContactSolve(const ContactSystem& contacts, const System& system, bool moving)
    : contacts_of_(contacts),
      system_(system),
      moving_(moving),
      surface_(*contacts.surfaces()),
      joints_(system.dofs() - 3 * contacts.own_points()),
      step_(system, joints_),
      potential_(surface_),
      held_(kHeld * shortest_range(surface_)),
      range_(shortest_range(surface_)) {
  terms_.motion.own = contacts_of_.own_points();
  for (int p = contacts_of_.own_points(); p < contacts_of_.points(); ++p) carried_.push_back(contacts_of_.vertex_of(p));
  for (size_t i = 0; i < surface_.points().size(); ++i) {
    const int v = surface_.points()[i], p = contacts_of_.point_of(v);
    if (p < 0 || p >= contacts_of_.own_points()) continue;
    const double stiffness = surface_.body(surface_.body_of(v)).stiffness * surface_.point_area(static_cast<int>(i));
    nominal_ = std::max(nominal_, stiffness / system_.mass()[3 * p]);
  }
}

double ContactSolve::energy() const {
  double sum = 0;
  for (const ActiveContact& contact : contacts_) sum += contact.energy;
  return sum;
}

void ContactSolve::look_along(const VectorXd& x0, const VectorXd& x1) {
  const int before = potential_.near().searches();
  pairs_ = &potential_.near().along(x0, x1);
  if (potential_.near().searches() == before) return;
  potential_.find(x0, contacts_, distances_);
  pushed_ = contacts_.size();
}

void ContactSolve::find_contacts(double t0, const VectorXd& q0, double t1, const VectorXd& q) {
  potential_.find(x_, contacts_, distances_);
  pushed_ = contacts_.size();
  add_obstacles(t0, q0, t1, q);
}

void ContactSolve::add_obstacles(double t0, const VectorXd& q0, double t1, const VectorXd& q) {
  contacts_.resize(pushed_);
  if (contacts_of_.places() == 0) return;
  contacts_of_.find_touches(t0, q0, t1, q, touches_);
  for (const Touch& touch : touches_) {
    const int v = contacts_of_.vertex_of(touch.point);
    Vec3 way = Vec3::Zero();
    if (touch.point < contacts_of_.own_points())
      way = q.segment<3>(3 * touch.point) - q0.segment<3>(3 * touch.point);
    else if (t0 != t1)
      way = x_.segment<3>(3 * v) - x0_.segment<3>(3 * v);
    const double depth = -(touch.gap + touch.normal.dot(way));
    if (!(depth > 0)) continue;
    ActiveContact& contact = contacts_.emplace_back();
    contact.vertex = {v, -1, -1, -1};
    contact.key = {-1, contact.vertex[0], touch.place, 0, 0};
    contact.weight = {1, 0, 0, 0};
    contact.normal = touch.normal;
    contact.gap = -depth;
    contact.energy = 0.5 * touch.stiffness * depth * depth;
    contact.force = touch.stiffness * depth;
    contact.gradient[0] = -contact.force * touch.normal;
    contact.stiffness = touch.stiffness;
    contact.friction = contact.static_friction = touch.friction;
    contact.carried = touch.carried;
  }
}

void ContactSolve::find_rough(bool moved, std::vector<FrictionContact>& rough) const {
  constexpr double kSlides = 0.99;  // of the stretch that can be held: what slides keeps all of it
  rough.clear();
  for (const ActiveContact& contact : contacts_) {
    if (!(contact.static_friction > 0) || !(contact.force > 0)) continue;
    FrictionContact& added = rough.emplace_back(contact, grips_.stretch(contact.key));
    if (contact.static_friction == contact.friction) continue;
    const Vec3 stretch = moved ? Vec3(added.stretch + added.along(way_of(added))) : added.stretch;
    if (stretch.norm() < kSlides * held_) added.limit = contact.static_friction * contact.force;
  }
}

bool ContactSolve::renew_friction() {
  find_rough(true, renewed_);
  double off = 0, sum = 0;
  bool same = renewed_.size() == rough_.size();
  for (size_t i = 0; i < renewed_.size() && same; ++i) {
    same = renewed_[i].key == rough_[i].key;
    off += std::fabs(renewed_[i].limit - rough_[i].limit);
    sum += renewed_[i].limit;
  }
  if (same && off <= kForceError * sum) return false;
  std::swap(rough_, renewed_);
  return true;
}

Vec3 ContactSolve::way_of(const FrictionContact& contact) const {
  Vec3 way = Vec3::Zero();
  for (int i = 0; i < 4; ++i)
    if (const int v = contact.vertex[i]; v >= 0)
      way += contact.weight[i] * (x_.segment<3>(3 * v) - x0_.segment<3>(3 * v));
  return way;
}

void ContactSolve::add_term(const std::array<int, 4>& vertex, const std::array<double, 4>& weight,
                            const Mat3& stiffness) {
  ContactTerm& term = terms_.list.emplace_back();
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
    if (term.point[i] >= 0) terms_.motion.add_force(term.point[i], weight[i] * (stiffness * led), gradient_);
}

void ContactSolve::linearize(double h, const VectorXd& q, const VectorXd& felt) {
  terms_.list.clear();
  if (!carried_.empty()) contacts_of_.find_carried(q, terms_.motion.carried);
  gradient_ = pull_ + h * h * felt;
  for (const ActiveContact& contact : contacts_) {
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0)
          terms_.motion.add_force(p, h * h * contact.gradient[i], gradient_);
    add_term(contact.vertex, contact.weight, h * h * contact.stiffness * contact.normal * contact.normal.transpose());
  }
  for (const FrictionContact& contact : rough_) {
    const FrictionForce force(contact, way_of(contact), held_);
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0)
          terms_.motion.add_force(p, h * h * contact.weight[i] * force.gradient, gradient_);
    add_term(contact.vertex, contact.weight, h * h * force.stiffness);
  }
  force_ = gradient_ - pull_ - h * h * felt;
}

double ContactSolve::value(double h, const VectorXd& q, const VectorXd& target, const VectorXd& felt) {
  difference_ = q - target;
  double sum = energy();
  for (const FrictionContact& contact : rough_) sum += FrictionForce(contact, way_of(contact), held_).value;
  return 0.5 * difference_.dot(pull_) + h * h * (sum + felt.dot(difference_));
}

/// The forces of all contacts as one number [N].
double ContactSolve::contact_force() const {
  double sum = 0;
  for (const ActiveContact& contact : contacts_) sum += contact.force * contact.force;
  return std::sqrt(sum);
}

void ContactSolve::gather_free(const VectorXd& x, VectorXd& q) const {
  for (int p = 0; p < contacts_of_.own_points(); ++p) q.segment<3>(3 * p) = x.segment<3>(3 * contacts_of_.vertex_of(p));
  if (!carried_.empty()) q.tail(joints_) = ahead_q_.tail(joints_);
}

/// Puts what is led and has come to where it must be exactly there; whether all of it has.
bool ContactSolve::lead_to_goal() {
  constexpr double kRoundOff = 1e-13;
  bool all = true;
  for (Index v = 0; v < x_.size() / 3; ++v) {
    if (contacts_of_.point_of(static_cast<int>(v)) >= 0) continue;
    const Vec3 goal = goal_.segment<3>(3 * v);
    if ((x_.segment<3>(3 * v) - goal).norm() > kRoundOff * goal.norm())
      all = false;
    else
      x_.segment<3>(3 * v) = goal;
  }
  return all;
}

void ContactSolve::find_force(double t, const VectorXd& q, VectorXd& force) {
  const bool known = known_q_.size() == q.size() && known_q_ == q && (known_t_ == t || !moving_);
  if (!known) {
    contacts_of_.stack_positions(t, q, x_);
    pairs_ = &potential_.near().along(x_, x_);
    potential_.find(x_, contacts_, distances_);
    pushed_ = contacts_.size();
  }
  add_obstacles(t, q, t, q);  // those of the way here are rounded otherwise, and a run that is resumed knows no way
  force.setZero(q.size());
  if (!carried_.empty()) contacts_of_.find_carried(q, terms_.motion.carried);
  for (const ActiveContact& contact : contacts_)
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0) terms_.motion.add_force(p, -contact.gradient[i], force);
  find_rough(false, rough_);
  x0_ = x_;
  for (const FrictionContact& contact : rough_) {
    const Vec3 pull = FrictionForce(contact, Vec3::Zero(), held_).gradient;
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        if (const int p = contacts_of_.point_of(v); p >= 0)
          terms_.motion.add_force(p, -contact.weight[i] * pull, force);
  }
}

bool ContactSolve::meets(double t0, const VectorXd& q0, double h, const VectorXd& target,
                         std::vector<char>& concerned) {
  rough_.clear();
  contacts_of_.stack_positions(t0, q0, x0_);
  contacts_of_.stack_positions(t0 + h, target, goal_);
  pairs_ = &potential_.near().along(x0_, goal_);
  potential_.find(x0_, contacts_, distances_);
  pushed_ = contacts_.size();
  touches_.clear();
  if (contacts_of_.places() > 0) contacts_of_.find_touches(t0, q0, t0 + h, target, touches_);
  known_q_.resize(0);
  way_ = goal_ - x0_;
  const bool stopped = safe_.shorten(*pairs_, distances_, x0_, way_) > 0;
  potential_.find(goal_, ahead_, ahead_distances_);
  if (!stopped && contacts_.empty() && ahead_.empty() && touches_.empty()) {
    known_q_ = target;
    known_t_ = t0 + h;
    return false;
  }
  for (const Touch& touch : touches_) concerned[touch.point] = 1;
  const auto mark = [&](int vertex) {
    if (const int p = contacts_of_.point_of(vertex); p >= 0) concerned[p] = 1;
  };
  for (const std::vector<ActiveContact>* contacts : {&contacts_, &ahead_})
    for (const ActiveContact& contact : *contacts)
      for (int v : contact.vertex) mark(v);
  for (Index v = 0; v < safe_.share().size(); ++v)
    if (safe_.share()[v] < 1) mark(static_cast<int>(v));
  return true;
}

bool ContactSolve::factor(double t, const VectorXd& q, double h, StepReport& report, Stopwatch& watch) {
  if (!own_) own_ = system_.linearization();
  own_->assemble(t, q, Psd::clamp, gradient_);
  report.time.assembly += watch.lap();
  double shift = 0;
  while (++report.factorizations, own_->factor(1, h, h * h, shift) != FactorStatus::ok) {
    if (shift > 1e6) return false;
    shift = std::max(1e-6, 1e3 * shift);
  }
  report.time.factor += watch.lap();
  lin_ = own_.get();
  return true;
}

ContactSolve::Outcome ContactSolve::solve(double t0, const VectorXd& q0, double step, double weight,
                                          const VectorXd& target, const VectorXd& felt, const MatrixXd& recent,
                                          Linearization* lent, VectorXd& q, StepReport& report) {
  const double t1 = t0 + step, h = weight * step;
  end_ = t1;
  contacts_of_.stack_positions(t1, target, goal_);
  Stopwatch watch;
  lin_ = lent;
  if (!lent && !factor(t1, target, h, report, watch)) return Outcome::stuck;

  known_q_.resize(0);
  x_ = x0_;
  q = q0;
  bool arrived = lead_to_goal();  // whether all that is led is where it is at t1
  add_obstacles(t0, q0, t1, q);
  find_rough(true, rough_);
  int renewals = 0, held = 0;
  double first = 0;  // the gradient where it began
  Outcome outcome = Outcome::held_back;
  difference_ = q - target;
  multiply_step_matrix(system_, *lin_, h, difference_, pull_, damped_);
  step_.begin(q0, h, difference_, pull_, recent, *lin_);
  double before = value(h, q, target, felt);
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  double left = kUnknown;
  // Goes the way from trial_, and looks what is there.
  const auto go = [&](bool whole, double share) {
    x_ = trial_ + way_;
    gather_free(x_, q);
    if (whole) {
      pull_ = start_pull_ + share * step_.image();
    } else {
      difference_ = q - target;
      multiply_step_matrix(system_, *lin_, h, difference_, pull_, damped_);
    }
    find_contacts(t0, q0, t1, q);
    return value(h, q, target, felt);
  };
  for (int i = 0; i < kMostIterations; ++i) {
    linearize(h, q, felt);
    if (i == 0) first = gradient_.norm();
    const auto enough = [&] { return std::max(kPrecision * h * h * contact_force(), kNegligible * first); };
    if (i > 0 && held == 0 && arrived) {
      // What is left of the forces is measured by what it would strain, or by their size.
      bool near = gradient_.norm() <= enough() || left <= kMissed * step_.strain_energy(force_);
      if (renewals < kMostRenewals && (near || gradient_.norm() <= kNotFar / kPrecision * enough()) &&
          renew_friction()) {
        ++renewals;
        before = value(h, q, target, felt);
        linearize(h, q, felt);
        near = gradient_.norm() <= enough();
      }
      if (near) {
        outcome = Outcome::found;
        break;
      }
    }
    report.time.other += watch.lap();
    trial_ = x_;
    trial_q_ = q;
    start_pull_ = pull_;
    report.solves += step_.solve(terms_, gradient_, force_, enough(), kSolved);
    report.time.solve += watch.lap();
    ++report.iterations;
    held = find_safe_way();
    double after = go(held == 0, 1);
    // What is held back vertex by vertex may be worse than where it was; a share of the whole way is not, if it is
    // small.
    constexpr double kSame = 1e-9;
    if (arrived) {
      double share = held > 0 ? common_ : 0.5;
      for (int half = 0; half < 10 && after > before + kSame * std::fabs(before); ++half, share *= 0.5) {
        take_direction(share, share);
        if (is_safe()) after = go(true, share);
      }
    }
    // What the model was wrong by is more than what a model at the new place promises.
    left = held == 0 && arrived ? step_.left() + std::fabs(step_.decrease() - (before - after)) : kUnknown;
    before = after;
    if (!arrived && lead_to_goal()) {
      arrived = true;
      before = value(h, q, target, felt);
    }
    report.time.other += watch.lap();
  }
  if (!arrived) return Outcome::stuck;
  if (!carried_.empty()) contacts_of_.find_carried(q, terms_.motion.carried);
  known_q_ = q;
  known_t_ = t1;
  return outcome;
}

}  // namespace brio
