#include "brio/integrate/parts/body_contact.hpp"

#include "brio/integrate/parts/contact_books.hpp"
#include "brio/integrate/parts/measure_contacts.hpp"
#include "brio/integrate/parts/outside_work.hpp"
#include "brio/integrate/parts/pushed_system.hpp"
#include "brio/integrate/parts/recent_ways.hpp"
#include "brio/integrate/parts/rigid_motion.hpp"
#include "brio/integrate/parts/step_matrix.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace brio {
namespace {

constexpr int kDeepest = 5;  // a step is taken in at most 2^this pieces

class BodyContact : public Integrator {
 public:
  BodyContact(std::unique_ptr<Integrator> method, bool keeps_energy)
      : method_(std::move(method)), keeps_energy_(keeps_energy) {}

  void prepare(const System& system) override {
    const ContactSystem& contacts = *system.contacts();
    system_ = &system;
    free_ = &contacts.without_obstacles();
    pushed_ = std::make_unique<PushedSystem>(*free_);
    method_->prepare(*pushed_);
    lender_ = dynamic_cast<MatrixLender*>(method_.get());
    solve_ = std::make_unique<ContactSolve>(contacts, *free_, system.time_dependent());
    rough_ = contacts.surfaces()->has_friction() || contacts.has_friction();
    piece_.assign(contacts.points(), -1);
    concerned_.assign(contacts.points(), 0);
    for (size_t k = 0; k < free_->free_pieces().size(); ++k)
      for (int point : free_->free_pieces()[k]) piece_[point] = static_cast<int>(k);
    change_.resize(free_->free_pieces().size());
    decay_ = free_->linearization()->outside().mass_damping;
  }

  StepReport step(State& state, double h) override {
    StepReport report;
    begin_ = state;
    if (advance(state, h, 0, report)) {
      report.contacts = static_cast<int>(solve_->contacts().size());
      for (const ActiveContact& contact : solve_->contacts()) {
        if (report.smallest_gap == 0 || contact.gap < report.smallest_gap) report.smallest_gap = contact.gap;
        report.largest_contact_force = std::max(report.largest_contact_force, contact.force);
      }
      report.extras.set(kMostContacts, report.contacts);
      measure_contacts(*solve_, *system_->contacts(), *forces_);
      report.contact_forces = forces_;
      return report;
    }
    std::swap(state, begin_);
    report.status = StepStatus::diverged;
    return report;
  }

  void on_velocity_impulse(State& state, const VectorXd& dv) override { method_->on_velocity_impulse(state, dv); }
  void on_displacement(State& state, const VectorXd& dq) override { method_->on_displacement(state, dq); }
  bool meets_obstacles() const override { return true; }

 private:
  /// One piece of a step, or its halves where it cannot be finished.
  bool advance(State& state, double h, int depth, StepReport& report) {
    State next = state;
    read_grips(next);
    books_.take(next);
    recent_.take(next);
    solve_->find_force(state.t, state.q, pushed_->push);
    first_force_ = pushed_->push;
    find_friction_couples(state.q);
    const double first_energy = solve_->energy();
    weight_ = end_weight(h);
    remove_rigid_part(state.q, pushed_->push);
    find_spins(state);
    const StepReport own = method_->step(next, h);
    static_cast<StepWork&>(report) += own;
    if (own.status != StepStatus::ok) {
      report.reason = own.reason;
      return false;
    }
    if (!solve_->resolves(next.q)) {
      report.reason = "bodies have got so far that round-off would let them pass through each other";
      return false;
    }
    std::fill(concerned_.begin(), concerned_.end(), 0);
    report.dissipated += own.dissipated;
    report.residual = own.residual;
    const bool meets = solve_->meets(state.t, state.q, h, next.q, concerned_);
    if (!meets && pushed_->push.isZero(0)) {  // what was felt and is gone at the end has to be taken back
      keep_memory(next);
      state = std::move(next);
      return true;
    }
    target_ = next.q;
    move_targets(state, h, next);
    const int before = report.iterations;
    Linearization* lent = lender_ && weight_ == 1 && turns_little(h) ? lender_->step_matrix(h) : nullptr;
    felt_ = (pushed_->push - (1 - weight_) * first_force_) / weight_;
    turn_by_couples(state.q, felt_);
    const ContactSolve::Outcome outcome =
        solve_->solve(state.t, state.q, h, weight_, target_, felt_, recent_.ways(), lent, q_, report);
    report.extras.add(kContactIterations, report.iterations - before);
    report.iterations = before;
    const auto take_halves = [&] {
      report.dissipated -= own.dissipated;
      report.extras.add(kContactPieces, 2);
      report.deepest_halving = std::max(report.deepest_halving, depth + 1);
      return advance(state, h / 2, depth + 1, report) && advance(state, h / 2, depth + 1, report);
    };
    const bool finished = outcome == ContactSolve::Outcome::found;
    if (!finished && depth < kDeepest) return take_halves();
    if (outcome == ContactSolve::Outcome::stuck) {
      report.reason =
          "a body has no room left between others that are led; let them come less near, or make the body smaller";
      return false;
    }
    find_turned(state.q);
    const double taken = taken_by_contact(state, first_energy, h, own.dissipated, next);
    // The work of friction at what is led is in no books.
    const bool dragged = rough_ && system_->time_dependent();
    const double stretched = rough_ ? solve_->friction_energy() : 0;
    const bool gained = !dragged && books_.too_much(-taken, moving_, stretched);
    if (gained && depth < kDeepest) return take_halves();
    if (!finished) report.extras.add(kHeldBack, 1);
    if (gained) report.extras.add(kContactGained, 1);
    if (!dragged) books_.add(-taken, moving_, stretched);
    report.dissipated += taken;
    keep_memory(next);
    displacement_ = q_ - target_;
    recent_.keep(displacement_, next);
    state = std::move(next);
    return true;
  }

  /// Finishes the step and returns what was there and what came from outside less what is left [J]; the method's own
  /// losses, on the way to where it led without contact, are not contact's. `damped`: what it has booked itself.
  double taken_by_contact(const State& state, double first_energy, double h, double damped, State& next) {
    const auto kinetic = [&](const State& at) { return free_->kinetic_energy(at.q, at.v); };
    const double potential = free_->potentials(next.t, next.q).total();
    double taken = kinetic(next) + potential - pushed_->push.dot(next.q - state.q) + first_energy;
    const bool led = system_->time_dependent();
    if (led) {
      const double first_potential = free_->potentials(state.t, state.q).total();
      outside_.begin(*free_, state, first_potential, next.t);
      taken -= outside_.until(next, potential);
      outside_.begin(*system_, state, first_potential + first_energy, next.t);
    }
    finish(h, next);
    const Potentials end = free_->potentials(next.t, next.q);
    const double last = end.total() + solve_->energy();
    moving_ = kinetic(next) + end.elastic + solve_->energy();
    if (led) taken += outside_.until(next, last);
    taken -= kinetic(next) + last;
    if (taken >= 0) return taken;
    // The method lost what it was pushed with, and contact seems to have given it back: then both together count.
    const double before = kinetic(state) + free_->potentials(state.t, state.q).total() + first_energy;
    if (!led) outside_.begin(*system_, state, before, next.t);
    const double all = before + outside_.until(next, last) - kinetic(next) - last - damped;
    return std::max(taken, all);
  }

  /// Contact pushes with this weight times the force of the end of the step, and with that of its beginning for the
  /// rest: 1 takes energy as backward Euler does, 1/2 takes none. Below 1 only where the step resolves how contact
  /// vibrates.
  double end_weight(double h) const {
    if (!keeps_energy_ || rough_) return 1;
    return std::min(1.0, 0.5 + 0.5 * h * h * solve_->fastest());
  }

  /// The method feels the contact forces of the step's beginning so far as they strain the bodies, and is calm where
  /// these lie on each other. What moves a free piece as a whole is left to the end of the step.
  void remove_rigid_part(const VectorXd& q, VectorXd& force) const {
    const VectorXd& mass = free_->mass();
    for (const Points& points : free_->free_pieces()) {
      if (std::all_of(points.begin(), points.end(), [&](int p) { return force.segment<3>(3 * p).isZero(0); })) continue;
      const Vec3 center = mean(points, mass, q);
      const Vec3 acceleration = sum(points, force) / total_mass(points, mass);
      const Vec3 spin = inverse_inertia(inertia(points, mass, q, center)) * moment(points, q, center, force);
      for (int p : points)
        force.segment<3>(3 * p) -= mass[3 * p] * (acceleration + spin.cross(q.segment<3>(3 * p) - center));
    }
  }

  /// Angular momentum of the free pieces about their centers, which weight and what strains them leave as it is.
  void find_spins(const State& state) {
    const VectorXd& mass = free_->mass();
    free_->load(state.t, state.q, state.v, load_);
    for (size_t k = 0; k < change_.size(); ++k) {
      const Points& points = free_->free_pieces()[k];
      PieceMomentum& piece = change_[k];
      const Vec3 center = mean(points, mass, state.q);
      piece.keeps_spin = decay_ == 0 && std::all_of(points.begin(), points.end(),
                                                    [&](int p) { return load_.segment<3>(3 * p).isZero(0); });
      piece.spin.setZero();
      for (int p : points)
        piece.spin += mass[3 * p] * (state.q.segment<3>(3 * p) - center).cross(state.v.segment<3>(3 * p));
      piece.angular_velocity = (inverse_inertia(inertia(points, mass, state.q, center)) * piece.spin).norm();
    }
  }

  /// An energy that acts from outside (a hand, a tether) does not, and is seen by its moment.
  void find_turned(const VectorXd& q) {
    constexpr double kRoundOff = 1e-9;
    const VectorXd &mass = free_->mass(), &gradient = solve_->outside().gradient;
    for (size_t k = 0; k < change_.size(); ++k) {
      const Points& points = free_->free_pieces()[k];
      const Vec3 center = mean(points, mass, q);
      Vec3 turning = Vec3::Zero();
      double size = 0;
      for (int p : points) {
        const Vec3 arm = q.segment<3>(3 * p) - center, force = gradient.segment<3>(3 * p);
        turning += arm.cross(force);
        size += arm.norm() * force.norm();
      }
      if (turning.norm() > kRoundOff * size) change_[k].keeps_spin = false;
    }
  }

  /// Whether the matrix of the step's beginning is that of its end but for a small rotation.
  bool turns_little(double h) const {
    constexpr double kSmall = 0.1;
    return std::all_of(change_.begin(), change_.end(),
                       [&](const PieceMomentum& piece) { return h * piece.angular_velocity < kSmall; });
  }

  /// Contact answers with q += weight h dv. A method may move a body that its weight accelerates by h times the mean of
  /// its velocities instead, and a body at rest would keep half of the velocity of a step. So free pieces that may
  /// touch are sent h times their last velocity.
  void move_targets(const State& state, double h, const State& next) {
    const VectorXd& mass = free_->mass();
    for (const Points& points : free_->free_pieces()) {
      if (std::none_of(points.begin(), points.end(), [&](int p) { return concerned_[p]; })) continue;
      const Vec3 shift = mean(points, mass, state.q) + h * mean(points, mass, next.v) - mean(points, mass, next.q);
      for (int p : points) target_.segment<3>(3 * p) += (2 * weight_ - 1) * shift;
    }
  }

  static constexpr std::string_view kGrips = "contact stretches";

  /// Takes them out of the state: the method knows what is its own by its place.
  void read_grips(State& state) {
    solve_->grips().clear();
    if (const Remembered* stored = find_remembered(state.memory, kGrips)) solve_->grips().read(stored->values);
    std::erase_if(state.memory, [](const Remembered& remembered) { return remembered.name == kGrips; });
  }

  void keep_memory(State& state) {
    books_.keep(state);
    if (!rough_) return;
    solve_->renew_grips();
    Remembered& stored = state.memory.emplace_back();
    stored.name = kGrips;
    solve_->grips().write(stored.values);
  }

  /// Puts the bodies where they were found to be, with velocities that belong to it and momentum that is exact.
  void finish(double h, State& next) {
    jump_ = (q_ - target_) / (weight_ * h);
    find_momentum(h, next);
    displacement_ = q_ - next.q;
    next.q = q_;
    next.v += jump_;
    restore_momentum(next);
    jump_ += correction_;
    method_->on_displacement(next, displacement_);
    method_->on_velocity_impulse(next, jump_);
  }

  /// Momentum of a free piece about a place that stays.
  struct PieceMomentum {
    Vec3 place = Vec3::Zero(), linear = Vec3::Zero(), angular = Vec3::Zero();
    bool touched = false;
    Vec3 spin = Vec3::Zero();     ///< about its center, at the beginning of the step
    bool keeps_spin = false;      ///< whether nothing but contact changes it
    double angular_velocity = 0;  ///< [rad/s]
  };

  /// What the free pieces must have at the end: what the method gave them, the impulses of contact, and those of what
  /// holds against contact from outside, which the displacement has stretched. The matrix of
  /// the step turns some angular momentum into strain; forces between bodies have none to give.
  void find_momentum(double h, const State& next) {
    impulse_ = (1 - weight_) * h * first_force_;  // what the method has felt of them gives a piece no momentum
    solve_->add_impulses(weight_ * h, impulse_);
    displacement_ = q_ - target_;
    solve_->add_outside_impulses(weight_ * h, displacement_, impulse_);
    const VectorXd& mass = free_->mass();
    const auto& pieces = free_->free_pieces();
    const double lasting = 1 / (1 + h * decay_);
    for (size_t k = 0; k < pieces.size(); ++k) {
      PieceMomentum& now = change_[k];
      now.linear.setZero();
      now.angular.setZero();
      now.touched = false;
      now.place = mean(pieces[k], mass, next.q);
      for (int p : pieces[k]) {
        const Vec3 push = lasting * impulse_.segment<3>(3 * p);
        const Vec3 own = mass[3 * p] * next.v.segment<3>(3 * p);
        now.linear += own + push;
        if (!now.keeps_spin) now.angular += (next.q.segment<3>(3 * p) - now.place).cross(own);
        now.angular += (q_.segment<3>(3 * p) - now.place).cross(push);
      }
      if (now.keeps_spin) now.angular += now.spin;
    }
    for (size_t p = 0; p < piece_.size(); ++p)
      if (piece_[p] >= 0 && !(impulse_.segment<3>(3 * p).isZero(0) && pushed_->push.segment<3>(3 * p).isZero(0)))
        change_[piece_[p]].touched = true;
    find_friction_couples(q_);
    for (size_t k = 0; k < change_.size(); ++k) change_[k].angular += lasting * h * couple_[k];  // a weight of 1
  }

  /// Takes from what the method has felt the couples of friction as forces that turn each piece as a whole. The end of
  /// the step is found with them, so that what comes to rest with these couples has no velocity that they would give
  /// it.
  void turn_by_couples(const VectorXd& q, VectorXd& felt) const {
    const VectorXd& mass = free_->mass();
    for (size_t k = 0; k < couple_.size(); ++k) {
      if (couple_[k].isZero(0)) continue;
      const Points& points = free_->free_pieces()[k];
      const Vec3 center = mean(points, mass, q);
      const Vec3 spin = inverse_inertia(inertia(points, mass, q, center)) * couple_[k];
      for (int p : points) felt.segment<3>(3 * p) -= mass[3 * p] * spin.cross(q.segment<3>(3 * p) - center);
    }
  }

  /// Friction acts on both sides at one place, in the middle between them, so that it turns both by as much: what that
  /// is more than the forces at the vertices of q turn them by, for each free piece [N m].
  void find_friction_couples(const VectorXd& q) {
    couple_.assign(change_.size(), Vec3::Zero());
    for (const FrictionContact& contact : solve_->rough()) {
      const Vec3 force = solve_->friction_force(contact), place = solve_->friction_place(contact);
      for (int i = 0; i < 4; ++i) {
        if (contact.vertex[i] < 0) continue;
        const int point = solve_->point_of(contact.vertex[i]);
        if (point < 0 || piece_[point] < 0) continue;
        couple_[piece_[point]] += contact.weight[i] * (place - q.segment<3>(3 * point)).cross(force);
      }
    }
  }

  void restore_momentum(State& next) {
    const VectorXd& mass = free_->mass();
    const auto& pieces = free_->free_pieces();
    correction_.setZero(next.v.size());
    for (size_t k = 0; k < pieces.size(); ++k) {
      const PieceMomentum& wanted = change_[k];
      if (!wanted.touched) continue;
      const double m = total_mass(pieces[k], mass);
      const Vec3 center = mean(pieces[k], mass, next.q), velocity = mean(pieces[k], mass, next.v);
      Vec3 angular = Vec3::Zero();
      for (int p : pieces[k])
        angular += mass[3 * p] * (next.q.segment<3>(3 * p) - wanted.place).cross(next.v.segment<3>(3 * p));
      const Vec3 shift = wanted.linear / m - velocity;
      const Vec3 missing = wanted.angular - angular - m * (center - wanted.place).cross(shift);
      const Vec3 spin = inverse_inertia(inertia(pieces[k], mass, next.q, center)) * missing;
      for (int p : pieces[k]) correction_.segment<3>(3 * p) = shift + spin.cross(next.q.segment<3>(3 * p) - center);
    }
    next.v += correction_;
  }

  std::unique_ptr<Integrator> method_;
  MatrixLender* lender_ = nullptr;  ///< the method, where it lends its matrix
  bool keeps_energy_;
  double weight_ = 1;  ///< of the end's force
  const System* system_ = nullptr;
  const System* free_ = nullptr;  ///< the bodies without contact
  std::unique_ptr<PushedSystem> pushed_;
  VectorXd load_;  ///< [N]
  std::unique_ptr<ContactSolve> solve_;
  bool rough_ = false;
  OutsideWork outside_;
  ContactBooks books_;
  RecentWays recent_;
  double moving_ = 0;  ///< energy in motion, strain and contact at the end of the piece [J]
  std::shared_ptr<ContactForces> forces_ = std::make_shared<ContactForces>();
  double decay_ = 0;        ///< of momentum by damping [1/s]
  std::vector<int> piece_;  ///< the free piece of each point, or -1
  std::vector<PieceMomentum> change_;
  std::vector<Vec3> couple_;  ///< of friction, on each free piece [N m]
  State begin_;
  std::vector<char> concerned_;  ///< of each point: whether it may touch
  VectorXd first_force_;         ///< of contact at the beginning of the step [N]
  VectorXd felt_;
  VectorXd q_, target_, displacement_, jump_, impulse_, correction_;
};

}  // namespace

std::unique_ptr<Integrator> with_body_contact(std::unique_ptr<Integrator> method, bool keeps_energy) {
  return std::make_unique<BodyContact>(std::move(method), keeps_energy);
}

}  // namespace brio
