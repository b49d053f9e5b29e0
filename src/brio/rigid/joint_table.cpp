#include "brio/rigid/joint_table.hpp"

namespace brio {
namespace {

constexpr double kNoLimit = 1e300;

using OptionList = std::vector<Option>;

OptionList together(OptionList a, const OptionList& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Option anchor() { return Option::vec3("anchor", "m", "where it is, in the pose in which the bones are described"); }

Option axis(const std::string& doc) { return Option::vec3("axis", "", doc).with_default(Vec3(0, 0, 1)); }

/// What all joints that move may have; `length` is "rad" or "m", `force` "N m" or "N".
OptionList springs(const std::string& length, const std::string& force, const std::string& what, bool both) {
  OptionList options = {Option::number("stiffness", force + "/" + length, "of a spring").with_default(0.0).at_least(0)};
  if (both) {
    options.push_back(Option::number("rest", length, "where the spring is slack").with_default(0.0));
    options.push_back(Option::number("lower", length, "least " + what).with_default(-kNoLimit));
  }
  const OptionList more = {
      Option::number("upper", length, "largest " + what).with_default(kNoLimit),
      Option::number("damping", force + " s/" + length, "of all its motion").with_default(0.0).at_least(0),
      Option::number(
          "limit_stiffness", force + "/" + length,
          "of the one-sided spring beyond a limit; if left out, all that hangs on the joint gets about 0.01 " + length +
              " beyond by its weight")
          .above(0)
          .optional(),
      Option::number("limit_damping", force + " s/" + length, "beyond a limit only").with_default(0.0).at_least(0),
      Option::pairs("torque_over_time", "s, 1",
                    "pairs (time, share of the torque), straight lines in between; the "
                    "torque is there all the time if left out")
          .optional()};
  return together(options, more);
}

Joint joint_of(JointKind kind, const Options& o) {
  Joint joint;
  joint.kind = kind;
  joint.anchor = o.vec3("anchor");
  joint.damping = o.number("damping");
  if (row_of(kind).has_axis) joint.axis = o.vec3("axis");
  if (!row_of(kind).has_spring) return joint;
  const auto limit = [&](const char* key, double none) {
    return o.has(key) && std::fabs(o.number(key)) < kNoLimit ? o.number(key) : none;
  };
  joint.stiffness = o.number("stiffness");
  joint.rest = o.has("rest") ? o.number("rest") : 0;
  joint.lower = limit("lower", joint.lower);
  joint.upper = limit("upper", joint.upper);
  joint.limit_stiffness = o.has("limit_stiffness") ? o.number("limit_stiffness") : 0;
  joint.limit_damping = o.number("limit_damping");
  return joint;
}

TimeProfile strength_of(const Options& o) {
  return o.has("torque_over_time") ? TimeProfile(o.pairs("torque_over_time"), "torque_over_time") : TimeProfile(1);
}

VectorXd one(double value) { return VectorXd::Constant(1, value); }

JointEntry entry_of(JointKind kind, OptionList options, std::function<JointSetup(const Options&)> make) {
  return {{row_of(kind).name, row_of(kind).summary, std::move(options)}, std::move(make)};
}

}  // namespace

const std::vector<JointEntry>& joints() {
  const Vec3 zero = Vec3::Zero();
  const Option turn = Option::vec3("turn", "rad", "how it begins, as axis times angle").with_default(zero);
  const Option spin = Option::vec3("spin", "rad/s", "angular velocity at the beginning").with_default(zero);
  static const std::vector<JointEntry> table = {
      entry_of(JointKind::fixed, {},
               [](const Options&) {
                 return JointSetup{{}, {}, {}, {}, {}};
               }),
      entry_of(JointKind::revolute,
               together({anchor(), axis("direction of the hinge"),
                         Option::number("angle", "rad", "how far it is turned at the beginning").with_default(0.0),
                         Option::number("speed", "rad/s", "how fast it turns at the beginning").with_default(0.0),
                         Option::number("torque", "N m", "of a motor between the two bones").with_default(0.0)},
                        springs("rad", "N m", "angle", true)),
               [](const Options& o) {
                 return JointSetup{joint_of(JointKind::revolute, o), one(o.number("angle")), one(o.number("speed")),
                                   one(o.number("torque")), strength_of(o)};
               }),
      entry_of(JointKind::prismatic,
               together({anchor(), axis("direction in which it slides"),
                         Option::number("way", "m", "how far it has slid at the beginning").with_default(0.0),
                         Option::number("speed", "m/s", "how fast it slides at the beginning").with_default(0.0),
                         Option::number("torque", "N", "the force of a motor between the two bones").with_default(0.0)},
                        springs("m", "N", "way", true)),
               [](const Options& o) {
                 return JointSetup{joint_of(JointKind::prismatic, o), one(o.number("way")), one(o.number("speed")),
                                   one(o.number("torque")), strength_of(o)};
               }),
      entry_of(JointKind::spherical,
               together({anchor(), turn, spin,
                         Option::vec3("torque", "N m", "of a motor between the two bones, in the axes of the parent")
                             .with_default(zero)},
                        springs("rad", "N m", "angle of its turn, about whatever axis", false)),
               [](const Options& o) {
                 return JointSetup{joint_of(JointKind::spherical, o), o.vec3("turn"), o.vec3("spin"), o.vec3("torque"),
                                   strength_of(o)};
               }),
      entry_of(
          JointKind::free,
          {anchor(), turn, spin, Option::vec3("velocity", "m/s", "of the anchor at the beginning").with_default(zero),
           Option::number("damping", "N s/m", "of its motion, and in N m s/rad of its turning")
               .with_default(0.0)
               .at_least(0)},
          [](const Options& o) {
            VectorXd start = VectorXd::Zero(6), speed(6);
            start.tail<3>() = o.vec3("turn");
            speed << o.vec3("velocity"), o.vec3("spin");
            return JointSetup{joint_of(JointKind::free, o), start, speed, VectorXd::Zero(6), {}};
          }),
  };
  return table;
}

}  // namespace brio
