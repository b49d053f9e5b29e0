#include "brio/system/contact_set.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr std::string_view kStretches = "friction springs";
// Depths and forces that are so small beside the largest are not worth another solve: an energy of 1e-6.
constexpr double kNegligible = 1e-3;
// What friction may miss of Coulomb's law in a step; the spring that is kept has the right stretch again.
constexpr double kFrictionMiss = 0.02;
constexpr int kMostRounds = 12;
constexpr int kLastDrop = 4;  // later rounds only add touches, so that they come to an end
// In later rounds a spring that slides does not hold again: it pulls as Coulomb's law lets it or, where it would have
// to turn round, not at all in this step. So what pulls is never more than that law allows, and the rounds come to an
// end.
constexpr int kLastHold = 3;

/// The mean force of a penalty over the way from phi0 to phi1 [m], for a stiffness of 1: the discrete gradient of
/// min(phi, 0)^2 / 2, with its derivative and its integral by phi1.
struct MeanForce {
  double gradient, hessian, potential;
};

MeanForce mean_force(double phi0, double phi1) {
  const double way = phi1 - phi0;
  if (phi0 < 0 && phi1 < 0) return {0.5 * (phi0 + phi1), 0.5, 0.5 * phi1 * (phi0 + 0.5 * phi1)};
  if (phi1 < 0) {
    const double log = phi0 > 0 ? std::log1p(-phi1 / phi0) : 0;
    return {0.5 * phi1 * phi1 / way, 0.5 * (phi1 * phi1 - 2 * phi0 * phi1) / (way * way),
            0.5 * (0.5 * phi1 * phi1 + phi0 * phi1 + phi0 * phi0 * log)};
  }
  if (phi0 < 0)
    return {-0.5 * phi0 * phi0 / way, 0.5 * phi0 * phi0 / (way * way), -0.5 * phi0 * phi0 * std::log1p(-phi1 / phi0)};
  return {0, 0, 0};
}

/// Whether a vertex on its obstacle swings slower than the steps go: only then there is a way to take the mean of.
bool resolved(const Touch& touch, double mass, double h) {
  const double turn = 2 * std::numbers::pi;
  return h * h * touch.stiffness <= turn * turn * mass;
}

/// Where a touch begins: inside where the obstacle was then, outside where it will be.
double first_distance(const Touch& touch) { return touch.before < 0 ? touch.before : std::max(0.0, touch.gap); }

}  // namespace

std::unique_ptr<ContactSet> ContactSet::of(const System& system) {
  return system.contacts() ? std::make_unique<ContactSet>(*system.contacts()) : nullptr;
}

ContactSet::ContactSet(const ContactSystem& system)
    : system_(system), mass_(system.without_obstacles().mass()), index_(system.places(), -1) {
  if (!system.has_friction()) return;
  springs_.resize(system.places());
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
}

void ContactSet::begin(const State& state, double h) {
  t0_ = state.t;
  t1_ = state.t + h;
  q0_ = state.q;
  rounds_ = 0;
  std::fill(springs_.begin(), springs_.end(), Spring{});
  predicted_ = state.q + h * state.v;
  system_.find_touches(t0_, q0_, t1_, predicted_, touches_);
  // What is about to leave is left alone, unless it turns out that it stays.
  std::erase_if(touches_, [&](const Touch& touch) { return end_gap(touch, predicted_) > 0; });
  for (Touch& touch : touches_) {
    if (touch.friction == 0) continue;
    attach_spring(touch);
    // The force of the beginning says whether a spring will slide; where there is none yet, it holds.
    if (touch.before < 0) renew_spring(touch, predicted_, touch.force());
  }
}

bool ContactSet::slides() const {
  return std::any_of(touches_.begin(), touches_.end(), [](const Touch& touch) { return touch.drag > 0; });
}

double ContactSet::creep(const VectorXd& v, double speed) const {
  int rough = 0, creeping = 0;
  for (const Touch& touch : touches_) {
    const Vec3 along = touch.tangential(v.segment<3>(3 * touch.point) - touch.velocity);
    rough += touch.friction > 0;
    creeping += touch.drag > 0 && along.norm() < speed;
  }
  return rough > 0 ? static_cast<double>(creeping) / rough : 0;
}

const std::vector<Touch>& ContactSet::carried_touches() {
  constexpr double kSoft = 1e-6;  // of the stiffness: a spring so soft that its force is the same on the whole way
  system_.find_touches(t0_, q0_, t1_, predicted_, carried_);
  for (Touch& touch : carried_) {
    attach_spring(touch);
    const double gap = end_gap(touch, predicted_);
    if (touch.before < 0 && gap < 0) continue;
    touch.grip = 0;
    const double push = -touch.stiffness * mean_force(first_distance(touch), gap).gradient;
    touch.stiffness *= kSoft;
    touch.gap = -push / touch.stiffness;
  }
  return carried_;
}

bool ContactSet::meets() const {
  return std::any_of(touches_.begin(), touches_.end(),
                     [](const Touch& touch) { return touch.before >= 0 || touch.drag > 0; });
}

/// The spring of a touch as the beginning of the step has it, with the obstacle's own motion in it.
void ContactSet::attach_spring(Touch& touch) {
  if (touch.friction == 0) return;
  Spring& spring = springs_[touch.place];
  // What comes in is let go along the surface until its normal force is known: a spring that stopped a fast slide at
  // once would bend the body, and press it onto the floor.
  if (spring.grip < 0) spring.grip = touch.before < 0 ? touch.stiffness : 0;
  const Vec3 held = touch.axes * stretch_.segment<3>(3 * touch.place);
  touch.stretch = touch.tangential(held - touch.carried);
  touch.grip = spring.grip;
  touch.slide = spring.slide;
  touch.drag = spring.drag;
}

double ContactSet::normal_force(const Touch& touch, const VectorXd& q1) const {
  return touch.stiffness * std::max(0.0, -end_gap(touch, q1));
}

double ContactSet::strongest_friction(const VectorXd& q1) const {
  double strongest = 0;
  for (const Touch& touch : touches_) strongest = std::max(strongest, touch.friction * normal_force(touch, q1));
  return strongest;
}

double ContactSet::renew_spring(Touch& touch, const VectorXd& q1, double normal) {
  const Vec3 way = moved(touch, q1), before = spring_pull(touch, way);
  const Vec3 stretch = touch.stretch + touch.tangential(way);
  const double length = stretch.norm(), most = touch.friction * normal;
  Spring& spring = springs_[touch.place];
  const bool slid = touch.drag > 0, turned_round = slid && touch.slide.dot(stretch) <= 0;  // so it was not to slide
  const bool loose = touch.grip == 0 && !slid;
  const double pull = std::min(most, touch.stiffness * length);
  if (rounds_ > kLastHold && (loose || turned_round))
    spring = {0, Vec3::Zero(), 0};
  else if (touch.stiffness * length <= most && !(slid && rounds_ > kLastHold))
    spring = {touch.stiffness, Vec3::Zero(), 0};
  else if (turned_round || length == 0)
    spring = {touch.stiffness, Vec3::Zero(), 0};
  else
    spring = {pull / length, stretch / length, pull};
  attach_spring(touch);
  return (spring_pull(touch, way) - before).norm();
}

bool ContactSet::revise(const VectorXd& q1) {
  if (!q1.allFinite() || rounds_ == kMostRounds) return false;
  system_.find_touches(t0_, q0_, t1_, q1, found_);
  double deepest = 0;
  for (const Touch& touch : found_) deepest = std::max(deepest, -end_gap(touch, q1));
  for (const Touch& touch : touches_) index_[touch.place] = static_cast<int>(&touch - touches_.data());
  const double miss = kFrictionMiss * strongest_friction(q1);
  bool changed = false;
  next_.clear();
  for (Touch& touch : found_) {
    int& index = index_[touch.place];
    const double gap = end_gap(touch, q1);
    if (index < 0) {  // unfelt so far
      if (!(gap < -kNegligible * deepest)) continue;
      changed = true;
    } else {
      Touch& felt = touches_[index];
      index = -1;
      const double felt_gap = end_gap(felt, q1);
      if (felt_gap > kNegligible * deepest && rounds_ < kLastDrop) {  // it was pulled
        changed = true;
        continue;
      }
      if (felt.friction > 0) {
        const Touch as_felt = felt;
        const Spring as_sprung = springs_[felt.place];
        if (renew_spring(felt, q1, normal_force(felt, q1)) > miss) {
          changed = true;
        } else {
          felt = as_felt;
          springs_[felt.place] = as_sprung;
        }
      }
    }
    attach_spring(touch);
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

double ContactSet::evaluate(const VectorXd& q1, ContactForce force, VectorXd* gradient, double weight) {
  system_.find_touches(t0_, q0_, t1_, q1, touches_);
  const auto takes_mean = [&](const Touch& touch) {
    return force == ContactForce::mean && resolved(touch, mass_[3 * touch.point], t1_ - t0_);
  };
  std::erase_if(touches_, [&](const Touch& touch) { return !takes_mean(touch) && !(end_gap(touch, q1) < 0); });
  stiffnesses_.clear();
  double energy = 0;
  for (Touch& touch : touches_) {
    attach_spring(touch);
    const double gap = end_gap(touch, q1);
    const MeanForce normal =
        takes_mean(touch) ? mean_force(first_distance(touch), gap) : MeanForce{gap, 1, 0.5 * gap * gap};
    const Vec3 way = moved(touch, q1), stretch = touch.stretch + touch.tangential(way);
    const double slid = touch.slide.dot(stretch);
    energy += touch.stiffness * normal.potential + 0.5 * touch.grip * (stretch.squaredNorm() - slid * slid) +
              touch.drag * slid;
    if (gradient)
      gradient->segment<3>(3 * touch.point) +=
          weight * (touch.stiffness * normal.gradient * touch.normal + spring_pull(touch, way));
    stiffnesses_.push_back(touch);
    stiffnesses_.back().stiffness *= normal.hessian;
  }
  return energy;
}

bool ContactSet::revise_friction(const VectorXd& q1) {
  if (!has_friction() || !q1.allFinite() || rounds_ == kMostRounds) return false;
  const double miss = kFrictionMiss * strongest_friction(q1);
  bool changed = false;
  for (Touch& touch : touches_) {
    if (touch.friction == 0) continue;
    const Spring before = springs_[touch.place];
    if (renew_spring(touch, q1, normal_force(touch, q1)) > miss)
      changed = true;
    else
      springs_[touch.place] = before;
  }
  if (changed) ++rounds_;
  return changed;
}

double ContactSet::friction_work(const VectorXd& q1) const {
  double work = 0;
  for (const Touch& touch : touches_) {
    const Vec3 way = moved(touch, q1);
    work += spring_pull(touch, way).dot(way);
  }
  return work;
}

double ContactSet::end(const VectorXd& v0, double h, ContactForce force, State& next) {
  const double taken = friction_work(next.q);
  if (has_friction()) stretch_.setZero();
  for (const Touch& touch : touches_) {
    const Vec3 way = moved(touch, next.q);
    const double gap = end_gap(touch, next.q);
    if (touch.friction > 0) {
      const Vec3 stretch = touch.stretch + touch.tangential(way);
      const double most = touch.friction * normal_force(touch, next.q) / touch.stiffness, length = stretch.norm();
      const Vec3 kept = (length > most ? most / length : 1) * stretch;
      stretch_.segment<3>(3 * touch.place) = touch.axes.transpose() * kept;
    }
    if (!(gap < 0)) continue;
    if (touch.before >= 0 && (force == ContactForce::end || !resolved(touch, mass_[3 * touch.point], h))) continue;
    auto v = next.v.segment<3>(3 * touch.point);
    const double from = touch.normal.dot(v0.segment<3>(3 * touch.point) - touch.velocity);
    const double to = touch.normal.dot(v - touch.velocity);
    const double mean = touch.normal.dot(way - touch.carried) / h;
    if (from * to < 0 && std::fabs(mean) < std::fabs(to)) v += (mean - to) * touch.normal;
    if (touch.friction == 0 || touch.grip < touch.stiffness) continue;
    // The same along the surface, where the spring holds.
    const Vec3 along_before = touch.tangential(v0.segment<3>(3 * touch.point) - touch.velocity);
    const Vec3 along = touch.tangential(v - touch.velocity), mean_along = touch.tangential(way - touch.carried) / h;
    if (along_before.dot(along) < 0 && mean_along.norm() < along.norm()) v += mean_along - along;
  }
  return taken;
}

void ContactSet::add_first_forces(VectorXd& force) {
  system_.find_touches(t0_, q0_, t0_, q0_, found_);
  for (const Touch& touch : found_) {
    auto f = force.segment<3>(3 * touch.point);
    f -= touch.stiffness * touch.gap * touch.normal;
    if (touch.friction > 0) f -= touch.stiffness * touch.axes * stretch_.segment<3>(3 * touch.place);
  }
}

std::vector<ObstacleGrip> ContactSet::obstacle_grips(const ContactSystem& system, const State& state) {
  const Remembered* springs = find_remembered(state.memory, kStretches);
  if (!springs || springs->values.size() != 3 * static_cast<Index>(system.places())) return {};
  std::vector<Touch> touches;
  system.find_touches(state.t, state.q, state.t, state.q, touches);
  std::vector<ObstacleGrip> forces;
  for (const Touch& touch : touches)
    if (touch.friction > 0)
      forces.push_back({system.obstacle_of(touch.place), system.vertex_of(touch.point),
                        -touch.stiffness * touch.axes * springs->values.segment<3>(3 * touch.place)});
  return forces;
}

Remembered ContactSet::take_memory(State& state) {
  Remembered taken;
  for (Remembered& remembered : state.memory)
    if (remembered.name == kStretches) taken = std::move(remembered);
  std::erase_if(state.memory, [](const Remembered& remembered) {
    return remembered.name.empty() || remembered.name == kStretches;  // what was moved has no name
  });
  taken.name = kStretches;
  return taken;
}

void ContactSet::copy_memory(const State& from, State& to) {
  to.memory.clear();
  if (const Remembered* springs = find_remembered(from.memory, kStretches)) to.memory.push_back(*springs);
}

void ContactSet::keep_memory(State& state) const {
  if (!has_friction()) return;
  auto springs = std::find_if(state.memory.begin(), state.memory.end(), [](const Remembered& remembered) {
    return remembered.name == kStretches || remembered.name.empty();
  });
  if (springs == state.memory.end()) springs = state.memory.emplace(springs);
  springs->name = kStretches;
  springs->kind = Remembered::Kind::numbers;
  springs->values = stretch_;
}

}  // namespace brio
