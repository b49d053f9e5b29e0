#include "brio/integrate/parts/linearly_implicit.hpp"

#include <cmath>

namespace brio {

Option frame_option() {
  return Option::choice("frame", {"auto", "off"},
                        "a moving frame and exact momentum for each piece of the body that nothing holds")
      .with_default("auto");
}

FramePolicy frame_policy(const Options& options) {
  return options.text("frame") == "off" ? FramePolicy::off : FramePolicy::automatic;
}

Option linearize_option() {
  return Option::choice("linearize", {"start", "middle"},
                        "where the stiffness is taken: at the beginning of the step, as published, or where the "
                        "velocity leads in half of it, which keeps far more energy of what the steps resolve")
      .with_default("start");
}

LinearizedAt linearized_at(const Options& options) {
  return options.text("linearize") == "middle" ? LinearizedAt::ahead : LinearizedAt::start;
}

CondensedStepping condensed_stepping(const Options& options) {
  return {psd_policy(options) == PsdPolicy::clamp, frame_policy(options) == FramePolicy::automatic};
}

std::string psd_remedy(const Options&) { return "\"psd\": \"clamp\""; }

void LinearlyImplicit::prepare(const System& system) {
  contacts_ = ContactSet::of(system);
  system_ = contacts_ ? &system : nullptr;
  const System& driven = contacts_ ? contacts_->without_obstacles() : system;
  matrix_ = std::make_unique<ImplicitMatrix>(driven, policy_);
  const bool framed = frame_policy_ == FramePolicy::automatic && !system.free_pieces().empty();
  frames_ = framed ? std::make_unique<MovingFrames>(system) : nullptr;
  energy_round_off_ = system.energy_round_off();
}

StepReport LinearlyImplicit::step(State& state, double h) {
  StepReport report;
  Stopwatch watch;
  where_ = usual_;
  bool done = try_step(state, h, false, report, watch);
  // Iterations may find out in a solve what a factorization would have found out before.
  const bool indefinite = linearization().status() != FactorStatus::ok;
  if (!matrix_->projected() &&
      (indefinite || (policy_ == PsdPolicy::automatic && (!done || gained_energy(state, h))))) {
    ++report.projections;
    report.status = StepStatus::ok;
    done = try_step(state, h, true, report, watch);
  }
  if (policy_ != PsdPolicy::none && (!done || gained_energy(state, h))) {
    if (fall_back()) {
      report.status = StepStatus::ok;
      done = try_step(state, h, true, report, watch);
    }
    if (done && moves(h) && gained_energy(state, h)) report.extras.set(kGained, 1);
  }
  if (done && !(next_.q.allFinite() && next_.v.allFinite())) {
    report.status = StepStatus::diverged;
    report.reason = "positions or velocities are no longer finite";
  }
  if (report.status == StepStatus::ok) {
    if (system().has_damping()) report.dissipated = dissipated(state, h);
    report.dissipated += end_contacts(state, h);
    next_.t = state.t + h;
    std::swap(state, next_);
  }
  report.time.other += watch.lap();
  return report;
}

/// Whether the body ends the step with more motion than the round-off of its positions makes.
bool LinearlyImplicit::moves(double h) const {
  constexpr double kRoundOff = 1e-11;
  const VectorXd& mass = system().mass();
  return h * h * next_.v.dot(mass.cwiseProduct(next_.v)) >
         kRoundOff * kRoundOff * next_.q.dot(mass.cwiseProduct(next_.q));
}

bool LinearlyImplicit::fall_back() {
  if (where_ != LinearizedAt::ahead) return false;
  where_ = LinearizedAt::start;
  return true;
}

double LinearlyImplicit::end_contacts(const State& state, double h) {
  if (!contacts_) return 0;
  const double taken = contacts_->end(state.v, h, ContactForce::end, next_);
  contacts_->keep_memory(next_);
  return taken;
}

bool LinearlyImplicit::try_step(const State& state, double h, bool project, StepReport& report, Stopwatch& watch) {
  plain_ = true;
  if (contacts_) {
    contacts_->read_memory(state);
    contacts_->begin(state, h);
    plain_ = is_plain() || project || contacts_->slides();
    // What touches is felt from the beginning of the step to its end.
    if (where_ == LinearizedAt::ahead && !contacts_->touches().empty()) where_ = LinearizedAt::start;
    const std::vector<Touch>& felt = plain_ ? contacts_->touches() : contacts_->carried_touches();
    in_contact_ = !felt.empty();
    matrix_->set_touches(felt, weights_.touch);
  }
  if (frames_) frames_->find(state, h);
  ahead_ = state.q;
  if (where_ != LinearizedAt::start) {
    ahead_ += h / 2 * state.v;
    if (frames_) frames_->look_ahead(state, h / 2, ahead_);
  }
  if (!matrix_->prepare(force_time(state, h), ahead_, 1, weights_.damping * h, weights_.stiffness * h * h, project,
                        gradient_, report, watch))
    return false;
  if (!contacts_) return try_end(state, h, report, watch);
  if (!plain_) {
    if (try_end(state, h, report, watch) && keeps_contact(state, h)) return true;
    where_ = usual_ == LinearizedAt::ahead ? LinearizedAt::start : where_;
    // A motion that is carried exactly does not know that an obstacle only pushes: linearly implicit Euler does.
    report.status = StepStatus::ok;
    plain_ = true;
    contacts_->begin(state, h);
    if (!matrix_->renew_touches(contacts_->touches(), gradient_, report, watch)) return false;
  }
  while (true) {
    if (!try_end(state, h, report, watch)) return false;
    if (!contacts_->revise(next_.q)) return true;
    if (where_ == LinearizedAt::ahead) {
      where_ = LinearizedAt::start;
      return try_step(state, h, project, report, watch);
    }
    if (!matrix_->renew_touches(contacts_->touches(), gradient_, report, watch)) return false;
  }
}

/// Whether a step with a motion that was carried exactly may stand: obstacles have made no energy, and friction holds.
bool LinearlyImplicit::keeps_contact(const State& state, double h) {
  contacts_->evaluate(next_.q, ContactForce::end, nullptr, 0);
  if (contacts_->touches().empty()) return true;
  return !gained_energy(state, h) && !(contacts_->has_friction() && contacts_->revise_friction(next_.q));
}

bool LinearlyImplicit::try_end(const State& state, double h, StepReport& report, Stopwatch& watch) {
  const double implicit = where_ == LinearizedAt::middle ? h / 2 : weights_.stiffness * h;
  system().load(force_time(state, h), ahead_, state.v, load_);
  force_ = load_ - gradient_;
  velocity_ = state.v;
  if (frames_) {
    frames_->set_framed(framed_pieces());
    frames_->see(state, linearization().outside(), velocity_);
  }
  if (where_ == LinearizedAt::ahead) {
    linearization().multiply_stiffness(velocity_, product_);
    force_ += h / 2 * product_;
  }
  // A piece without a frame has its velocity with the spin in it, and was looked at ahead without it.
  if (frames_ && where_ != LinearizedAt::start && frames_->some_unused()) {
    offset_ = ahead_ - state.q - h / 2 * velocity_;
    linearization().multiply_stiffness(offset_, product_);
    force_ += product_;
    if (contacts_)  // what touches is felt from the beginning
      for (const Touch& touch : contacts_->touches())
        force_.segment<3>(3 * touch.point) -=
            weights_.touch * (touch_stiffness(touch) * offset_.segment<3>(3 * touch.point));
  }
  if (frames_) frames_->add_forces(state, linearization().outside(), load_, implicit, force_);
  if (system().has_damping()) {
    linearization().multiply_damping(velocity_, product_);
    force_ -= product_;
  }
  if (contacts_ && plain_ && !is_plain()) {
    next_.memory = state.memory;
    solve_increment(velocity_, force_, h, dv_, report, watch);
    dq_ = h * (velocity_ + dv_);
  } else {
    next_.memory.resize(memory_ + (contacts_ && contacts_->has_friction() ? 1 : 0));
    update(state, h, report, watch);
  }
  if (linearization().status() != FactorStatus::ok) {
    report.status = StepStatus::diverged;
    report.reason = "the step's matrix is not positive definite, and its projection cannot be solved with";
  }
  if (report.status != StepStatus::ok) return false;
  next_.q = state.q + dq_;
  next_.v = state.v + dv_;
  if (!frames_) return true;
  frames_->leave(state, linearization(), h, implicit, dq_, dv_, next_);
  for (Remembered& remembered : next_.memory)
    if (remembered.kind == Remembered::Kind::directions) frames_->turn(remembered.values);
  return true;
}

/// The torque that a frame takes from a spring is that of linearly implicit Euler. A method that carries the motion
/// exactly moves the center by another force of the same spring, and the two together feed a spin: a body in somebody's
/// hand is stepped as one that is attached, without a frame.
MovingFrames::Pieces LinearlyImplicit::framed_pieces() const {
  const bool carries = !is_plain() && !(contacts_ && plain_);
  // From the middle of the step, a piece in contact is stepped as it is: its frame would turn against the obstacle.
  const bool all = usual_ == LinearizedAt::start && (!carries || in_contact_);
  return all ? MovingFrames::Pieces::all : MovingFrames::Pieces::untouched;
}

void LinearlyImplicit::solve_increment(const VectorXd& v, const VectorXd& f, double h, VectorXd& dv, StepReport& report,
                                       Stopwatch& watch) {
  linearization().multiply_stiffness(v, product_);
  dv = h * (f - weights_.stiffness * h * product_);
  report.time.other += watch.lap();
  linearization().solve(dv);
  ++report.solves;
  report.time.solve += watch.lap();
}

double LinearlyImplicit::linearization_error(const State& state, double h, double theta) {
  const VectorXd& mass = system().mass();
  offset_ = theta * dq_ - h / 2 * velocity_;
  product_ = ahead_ + offset_;
  system().gradient(force_time(state, h), product_, correction_);
  linearization().multiply_stiffness(offset_, product_);
  correction_ -= gradient_ + product_;
  if (contacts_)
    for (const Touch& touch : contacts_->touches())
      correction_.segment<3>(3 * touch.point) +=
          touch_gradient(touch) + weights_.touch * (touch_stiffness(touch) * offset_.segment<3>(3 * touch.point));
  correction_ *= h;
  linearization().solve(correction_);
  const double way = dq_.dot(mass.cwiseProduct(dq_));
  return way > 0 ? theta * h * std::sqrt(correction_.dot(mass.cwiseProduct(correction_)) / way) : 0;
}

void LinearlyImplicit::find_middle_force(const State& state, VectorXd& f) {
  f = force_;
  if (!system().time_dependent() || frames_) return;
  system().potentials_and_gradient(state.t, ahead_, product_);
  f += 0.5 * (gradient_ - product_);
}

/// D times the displacement, times the mean velocity. The stiffness' part of D does not see the motion of the frames.
double LinearlyImplicit::dissipated(const State& state, double h) {
  if (!frames_) dq_ = next_.q - state.q;
  linearization().multiply_damping(dq_, product_);
  double work = dq_.dot(product_);
  if (frames_) work += frames_->damping_work(linearization().outside(), h, dq_);
  return work / h;
}

/// Whether the step made energy from nothing, as an indefinite stiffness does. What friction took counts as energy.
bool LinearlyImplicit::gained_energy(const State& state, double h) const {
  // Of the energy in motion and strain: truncation error stays well below. An obstacle must not make any.
  const double kTolerated = contacts_ && !contacts_->touches().empty() ? 1e-3 : 0.05;
  const double t = state.t + h;
  const auto kinetic = [&](const VectorXd& v) { return 0.5 * v.dot(system().mass().cwiseProduct(v)); };
  const Potentials before = whole().potentials(t, state.q), after = whole().potentials(t, next_.q);
  double work = load_.dot(next_.q - state.q);
  if (contacts_) work -= contacts_->friction_work(next_.q);
  const double moving = kinetic(next_.v) + after.elastic;
  double gain = moving + after.gravity - kinetic(state.v) - before.elastic - before.gravity - work;
  if (contacts_) gain += after.contact - before.contact;
  // What is left of a body at rest is round-off, of its weight and of its strain.
  const double round_off =
      energy_round_off_ + 1e-13 * (std::fabs(before.gravity) + std::fabs(before.elastic) + std::fabs(work));
  return !(gain <= kTolerated * moving + round_off);
}

}  // namespace brio
