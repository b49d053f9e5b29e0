#include "brio/energy/motion.hpp"

#include "brio/core/error.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brio {
namespace {

constexpr double kForever = 1e300;  // [s]

/// The part of [start, stop] that has passed at time t, and whether the motion is under way.
struct Window {
  double start, stop;
  explicit Window(const Options& o) : start(o.number("start")), stop(o.number("stop")) {
    if (stop < start) throw Error("stop = {:g} is before start = {:g}; nothing would move", stop, start);
  }
  double elapsed(double t) const { return std::clamp(t, start, std::max(start, stop)) - start; }
  bool open(double t) const { return t >= start && t < stop; }
};

std::vector<Option> with_window(std::vector<Option> options) {
  options.push_back(Option::number("start", "s", "when the motion begins").with_default(0.0).at_least(0));
  options.push_back(Option::number("stop", "s", "when the motion ends").with_default(kForever).at_least(0));
  return options;
}

class Fixed : public Motion {
 public:
  Pose pose(double) const override { return {}; }
  bool moves() const override { return false; }
};

class Translate : public Motion {
 public:
  explicit Translate(const Options& o) : velocity_(o.vec3("velocity")), window_(o) {}
  Pose pose(double t) const override {
    Pose pose;
    pose.p = window_.elapsed(t) * velocity_;
    if (window_.open(t)) pose.linear_velocity = velocity_;
    return pose;
  }
  bool moves() const override { return true; }

 private:
  Vec3 velocity_;
  Window window_;
};

class Oscillate : public Motion {
 public:
  explicit Oscillate(const Options& o)
      : amplitude_(o.vec3("amplitude")), omega_(2 * std::numbers::pi * o.number("frequency")), window_(o) {}
  Pose pose(double t) const override {
    Pose pose;
    const double phase = omega_ * window_.elapsed(t);
    pose.p = std::sin(phase) * amplitude_;
    if (window_.open(t)) pose.linear_velocity = omega_ * std::cos(phase) * amplitude_;
    return pose;
  }
  bool moves() const override { return true; }

 private:
  Vec3 amplitude_;
  double omega_;
  Window window_;
};

class Rotate : public Motion {
 public:
  Rotate(const Options& o, const std::string& where) : center_(o.vec3("center")), rate_(o.number("rate")), window_(o) {
    const Vec3 axis = o.vec3("axis");
    if (axis.norm() == 0)
      throw Error("{}.axis = [0, 0, 0]: a rotation needs a direction, for example [1, 0, 0]", where);
    axis_ = axis.normalized();
  }
  Pose pose(double t) const override {
    Pose pose;
    pose.R = Eigen::AngleAxisd(rate_ * window_.elapsed(t), axis_).toRotationMatrix();
    pose.p = center_ - pose.R * center_;
    if (window_.open(t)) {
      pose.angular_velocity = rate_ * axis_;
      pose.linear_velocity = -pose.angular_velocity.cross(pose.R * center_);
    }
    return pose;
  }
  bool moves() const override { return true; }

 private:
  Vec3 center_, axis_;
  double rate_;
  Window window_;
};

/// Piecewise constant velocity and angular velocity between the keys; at rest before the first and after the last.
class Keyframes : public Motion {
 public:
  Keyframes(const Options& o, const std::string& where) : times_(o.numbers("times")), center_(o.vec3("center")) {
    const size_t n = times_.size();
    if (n < 2) throw Error("{}.times: {} given, at least 2 are needed", where, n);
    for (size_t i = 1; i < n; ++i) {
      if (times_[i] <= times_[i - 1]) {
        throw Error("{}.times[{}] = {}: must be later than the one before ({})", where, i, times_[i], times_[i - 1]);
      }
    }
    positions_ = o.has("translations") ? o.vec3s("translations") : std::vector<Vec3>(n, Vec3::Zero());
    const auto turns = o.has("rotations") ? o.vec3s("rotations") : std::vector<Vec3>(n, Vec3::Zero());
    if (positions_.size() != n) throw Error("{}.translations: {} given for {} times", where, positions_.size(), n);
    if (turns.size() != n) throw Error("{}.rotations: {} given for {} times", where, turns.size(), n);
    for (const Vec3& r : turns) {
      const double angle = r.norm();
      rotations_.emplace_back(angle > 0 ? Eigen::AngleAxisd(angle, r / angle) : Eigen::AngleAxisd::Identity());
    }
  }

  Pose pose(double t) const override {
    if (t < times_.front()) return at_key(0);
    if (t >= times_.back()) return at_key(times_.size() - 1);
    const size_t i = std::upper_bound(times_.begin(), times_.end(), t) - times_.begin() - 1;
    const double span = times_[i + 1] - times_[i], s = (t - times_[i]) / span;
    const Eigen::AngleAxisd turn(rotations_[i + 1] * rotations_[i].conjugate());
    Pose pose;
    pose.R = (Eigen::AngleAxisd(s * turn.angle(), turn.axis()) * rotations_[i]).toRotationMatrix();
    pose.p = (1 - s) * positions_[i] + s * positions_[i + 1] + center_ - pose.R * center_;
    pose.angular_velocity = turn.angle() / span * turn.axis();
    pose.linear_velocity = (positions_[i + 1] - positions_[i]) / span - pose.angular_velocity.cross(pose.R * center_);
    return pose;
  }
  bool moves() const override { return true; }

 private:
  Pose at_key(size_t i) const {
    Pose pose;
    pose.R = rotations_[i].toRotationMatrix();
    pose.p = positions_[i] + center_ - pose.R * center_;
    return pose;
  }

  std::vector<double> times_;
  Vec3 center_;
  std::vector<Vec3> positions_;
  std::vector<Eigen::Quaterniond> rotations_;
};

}  // namespace

Vec3 Pose::position(const Vec3& x) const { return R * x + p; }

Vec3 Pose::velocity(const Vec3& x) const { return linear_velocity + angular_velocity.cross(R * x); }

std::shared_ptr<const Motion> stand_still() { return std::make_shared<Fixed>(); }

static std::vector<MotionEntry> built_in_motions() {
  const Vec3 origin = Vec3::Zero();
  return {
      {{"fixed", "stays where it is", {}},
       [](const Options&, const std::string&) { return std::make_unique<Fixed>(); }},
      {{"translate", "moves at a constant velocity", with_window({Option::vec3("velocity", "m/s", "velocity")})},
       [](const Options& o, const std::string&) { return std::make_unique<Translate>(o); }},
      {{"oscillate", "shakes to and fro along a line, as a sine",
        with_window({Option::vec3("amplitude", "m", "largest displacement"),
                     Option::number("frequency", "Hz", "swings per second").above(0)})},
       [](const Options& o, const std::string&) { return std::make_unique<Oscillate>(o); }},
      {{"rotate", "turns about an axis at a constant rate",
        with_window({Option::vec3("axis", "", "direction of the axis"),
                     Option::vec3("center", "m", "a point on the axis").with_default(origin),
                     Option::number("rate", "rad/s", "rate of turning")})},
       [](const Options& o, const std::string& where) { return std::make_unique<Rotate>(o, where); }},
      {{"keyframes",
        "passes through given poses at given times, evenly in between",
        {Option::numbers("times", "s", "when each pose is reached, increasing"),
         Option::vec3s("translations", "m", "displacement at each time").optional(),
         Option::vec3s("rotations", "rad", "turn at each time, as axis times angle").optional(),
         Option::vec3("center", "m", "point about which it turns").with_default(origin)}},
       [](const Options& o, const std::string& where) { return std::make_unique<Keyframes>(o, where); }},
  };
}

Table<MotionEntry>& motion_table() {
  static Table<MotionEntry> table("motion", built_in_motions());
  return table;
}

const std::vector<MotionEntry>& motions() { return motion_table().rows(); }

}  // namespace brio
