#include "brio/integrate/parts/contact_set.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr std::string_view kStretches = "friction springs";
constexpr double kUnknown = -1;
// Depths and forces that are so small beside the largest are not worth another solve: an energy of 1e-6.
constexpr double kNegligible = 1e-3;
// What friction may miss of Coulomb's law in a step; the spring that is kept has the right stretch again.
constexpr double kFrictionMiss = 0.02;
constexpr int kMostRounds = 10;
constexpr int kLastDrop = 4;  // later rounds only add touches, so that they come to an end

}  // namespace

std::unique_ptr<ContactSet> ContactSet::of(const System& system) {
  return system.contacts() ? std::make_unique<ContactSet>(*system.contacts()) : nullptr;
}

ContactSet::ContactSet(const ContactSystem& system) : system_(system), index_(system.places(), -1) {
  if (!system.has_friction()) return;
  grip_.assign(system.places(), kUnknown);
  stretch_.setZero(3 * static_cast<Index>(system.places()));
}

Vec3 ContactSet::moved(const Touch& touch, const VectorXd& q1) const {
  return q1.segment<3>(3 * touch.point) - q0_.segment<3>(3 * touch.point);
}

double ContactSet::end_gap(const Touch& touch, const VectorXd& q1) const {
  return touch.gap + touch.normal.dot(moved(touch, q1));
}

void ContactSet::read_memory(const State& state) {
  if (!has_friction()) return;
  const Remembered* springs = find_remembered(state.memory, kStretches);
  if (springs && springs->values.size() == stretch_.size())
    stretch_ = springs->values;
  else
    stretch_.setZero();
  std::fill(grip_.begin(), grip_.end(), kUnknown);
}

void ContactSet::begin(const State& state, double h) {
  t0_ = state.t;
  t1_ = state.t + h;
  q0_ = state.q;
  rounds_ = 0;
  read_memory(state);
  predicted_ = state.q + h * state.v;
  system_.find_touches(t0_, q0_, t1_, predicted_, touches_);
  // What is about to leave is left alone, unless it turns out that it stays.
  std::erase_if(touches_, [&](const Touch& touch) { return end_gap(touch, predicted_) > 0; });
  for (Touch& touch : touches_) {
    if (touch.friction > 0) {
      grip(touch);
      // The force of the beginning says whether a spring will slide; where there is none yet, it holds.
      if (touch.before < 0) {
        const double pull = touch.stiffness * (touch.stretch + touch.tangential(moved(touch, predicted_))).norm();
        const double most = touch.friction * touch.force();
        if (pull > most) touch.grip = grip_[touch.place] = touch.stiffness * most / pull;
      }
    }
  }
}

bool ContactSet::meets() const {
  return std::any_of(touches_.begin(), touches_.end(), [](const Touch& touch) { return touch.before >= 0; });
}

/// The spring of a touch as the beginning of the step has it, with the obstacle's own motion in it.
void ContactSet::grip(Touch& touch) {
  if (touch.friction == 0) return;
  double& known = grip_[touch.place];
  if (known < 0) known = touch.stiffness;
  touch.grip = known;
  const Vec3 held = touch.axes * stretch_.segment<3>(3 * touch.place);
  touch.stretch = touch.tangential(held - touch.carried);
}

void ContactSet::add_gradient(VectorXd& gradient) const {
  for (const Touch& touch : touches_) gradient.segment<3>(3 * touch.point) += touch_gradient(touch);
}

/// The stiffness with which a spring pulls as Coulomb's law lets it: its own, or less where it slides.
double ContactSet::wanted_grip(const Touch& touch, const VectorXd& q1, double* most) const {
  const double stretch = (touch.stretch + touch.tangential(moved(touch, q1))).norm();
  const double limit = touch.friction * touch.stiffness * std::max(0.0, -end_gap(touch, q1));
  if (most) *most = limit;
  return touch.stiffness * stretch > limit ? limit / stretch : touch.stiffness;
}

bool ContactSet::revise(const VectorXd& q1) {
  if (!q1.allFinite() || rounds_ == kMostRounds) return false;
  system_.find_touches(t0_, q0_, t1_, q1, found_);
  double deepest = 0, strongest = 0;
  for (const Touch& touch : found_) deepest = std::max(deepest, -end_gap(touch, q1));
  for (const Touch& touch : touches_) {
    index_[touch.place] = static_cast<int>(&touch - touches_.data());
    double most = 0;
    if (touch.friction > 0) wanted_grip(touch, q1, &most);
    strongest = std::max(strongest, most);
  }
  bool changed = false;
  next_.clear();
  for (Touch& touch : found_) {
    int& index = index_[touch.place];
    const double gap = end_gap(touch, q1);
    if (index < 0) {  // unfelt so far
      if (!(gap < -kNegligible * deepest)) continue;
      changed = true;
    } else {
      const Touch& felt = touches_[index];
      index = -1;
      const double felt_gap = end_gap(felt, q1);
      if (felt_gap > kNegligible * deepest && rounds_ < kLastDrop) {  // it was pulled
        changed = true;
        continue;
      }
      if (felt.friction > 0) {
        const double wanted = wanted_grip(felt, q1);
        const double stretch = (felt.stretch + felt.tangential(moved(felt, q1))).norm();
        if (std::fabs(wanted - felt.grip) * stretch > kFrictionMiss * strongest) {
          grip_[felt.place] = wanted;
          changed = true;
        }
      }
    }
    grip(touch);
    next_.push_back(touch);
  }
  // What was felt and is nowhere near at the end.
  for (const Touch& touch : touches_) {
    int& index = index_[touch.place];
    if (index < 0) continue;
    index = -1;
    if (rounds_ >= kLastDrop)
      next_.push_back(touch);
    else
      changed = changed || end_gap(touch, q1) > kNegligible * deepest;
  }
  if (!changed) return false;
  ++rounds_;
  touches_.swap(next_);
  return true;
}

double ContactSet::evaluate(const VectorXd& q1, VectorXd* gradient, double weight) {
  system_.find_touches(t0_, q0_, t1_, q1, touches_);
  std::erase_if(touches_, [&](const Touch& touch) { return !(end_gap(touch, q1) < 0); });
  double energy = 0;
  for (Touch& touch : touches_) {
    grip(touch);
    const double gap = end_gap(touch, q1);
    const Vec3 stretch = touch.stretch + touch.tangential(moved(touch, q1));
    energy += 0.5 * (touch.stiffness * gap * gap + touch.grip * stretch.squaredNorm());
    if (gradient)
      gradient->segment<3>(3 * touch.point) +=
          weight * (touch.stiffness * gap * touch.normal + touch.grip * stretch);
  }
  return energy;
}

bool ContactSet::revise_friction(const VectorXd& q1) {
  if (!has_friction() || !q1.allFinite() || rounds_ == kMostRounds) return false;
  double strongest = 0;
  for (const Touch& touch : touches_) {
    double most = 0;
    if (touch.friction > 0) wanted_grip(touch, q1, &most);
    strongest = std::max(strongest, most);
  }
  bool changed = false;
  for (const Touch& touch : touches_) {
    if (touch.friction == 0) continue;
    const double wanted = wanted_grip(touch, q1);
    const double stretch = (touch.stretch + touch.tangential(moved(touch, q1))).norm();
    if (!(std::fabs(wanted - touch.grip) * stretch > kFrictionMiss * strongest)) continue;
    grip_[touch.place] = wanted;
    changed = true;
  }
  if (changed) ++rounds_;
  return changed;
}

double ContactSet::end(const State& before, double h, State& next) {
  if (has_friction()) stretch_.setZero();
  double taken = 0;
  for (const Touch& touch : touches_) {
    const Vec3 way = moved(touch, next.q);
    const double gap = end_gap(touch, next.q);
    if (touch.friction > 0) {
      const Vec3 pull = touch.grip * (touch.stretch + touch.tangential(way));
      const double most = touch.friction * touch.stiffness * std::max(0.0, -gap), size = pull.norm();
      taken += pull.dot(way);
      const Vec3 kept = (size > most ? most / size : 1) / touch.stiffness * pull;
      stretch_.segment<3>(3 * touch.place) = touch.axes.transpose() * kept;
    }
    if (!(touch.before < 0 && gap < 0)) continue;
    auto v = next.v.segment<3>(3 * touch.point);
    const double from = touch.normal.dot(before.v.segment<3>(3 * touch.point) - touch.velocity);
    const double to = touch.normal.dot(v - touch.velocity);
    const double mean = touch.normal.dot(way - touch.carried) / h;
    if (from * to < 0 && std::fabs(mean) < std::fabs(to)) v += (mean - to) * touch.normal;
  }
  if (has_friction()) keep_memory(next);
  return taken;
}

void ContactSet::take_memory(State& state) const {
  std::erase_if(state.memory, [](const Remembered& remembered) { return remembered.name == kStretches; });
}

void ContactSet::keep_memory(State& state) const {
  if (!has_friction()) return;
  auto springs = std::find_if(state.memory.begin(), state.memory.end(),
                              [](const Remembered& remembered) { return remembered.name == kStretches; });
  if (springs == state.memory.end()) springs = state.memory.insert(springs, {std::string(kStretches)});
  springs->kind = Remembered::Kind::numbers;
  springs->values = stretch_;
}

}  // namespace brio
