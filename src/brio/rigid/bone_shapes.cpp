#include "brio/rigid/bone_shapes.hpp"

#include "brio/core/axes_along.hpp"
#include "brio/core/error.hpp"
#include "brio/rigid/rotation.hpp"

#include <numbers>

namespace brio {
namespace {

using std::numbers::pi;

constexpr int kAround = 16;  // points around a round shape

/// A surface of rings of kAround points about z, closed by a point at each end: (radius, height) from bottom to top;
/// the first and the last have radius 0.
void add_revolution(const std::vector<Eigen::Vector2d>& profile, BoneShape& shape) {
  const int rings = static_cast<int>(profile.size()) - 2;
  shape.X.resize(rings * kAround + 2, 3);
  shape.triangles.resize(2 * rings * kAround, 3);
  const int bottom = rings * kAround, top = bottom + 1;
  shape.X.row(bottom) << 0, 0, profile.front()[1];
  shape.X.row(top) << 0, 0, profile.back()[1];
  int t = 0;
  for (int r = 0; r < rings; ++r) {
    for (int i = 0; i < kAround; ++i) {
      const double angle = 2 * pi * i / kAround;
      const int here = r * kAround + i, next = r * kAround + (i + 1) % kAround;
      shape.X.row(here) << profile[r + 1][0] * std::cos(angle), profile[r + 1][0] * std::sin(angle), profile[r + 1][1];
      if (r == 0) shape.triangles.row(t++) << bottom, next, here;
      if (r == rings - 1) {
        shape.triangles.row(t++) << top, here, next;
      } else {
        shape.triangles.row(t++) << here, next, next + kAround;
        shape.triangles.row(t++) << here, next + kAround, here + kAround;
      }
    }
  }
}

/// Profile of a ball of that radius cut in two halves, `apart` from each other.
std::vector<Eigen::Vector2d> capsule_profile(double radius, double apart) {
  constexpr int kHalf = kAround / 4;
  std::vector<Eigen::Vector2d> profile;
  for (int i = 0; i <= 2 * kHalf; ++i) {
    const double angle = pi * i / (2 * kHalf) - pi / 2, shift = i < kHalf ? -apart / 2 : apart / 2;
    if (i == kHalf && apart > 0) profile.emplace_back(radius, -apart / 2);
    const bool pole = i == 0 || i == 2 * kHalf;
    profile.emplace_back(pole ? 0 : radius * std::cos(angle), radius * std::sin(angle) + shift);
  }
  return profile;
}

void place(const Vec3& center, const Mat3& R, BoneShape& shape) {
  shape.solid.center = center;
  shape.solid.inertia = R * shape.solid.inertia * R.transpose();
  shape.X = (shape.X * R.transpose()).rowwise() + center.transpose();
}

/// With z from one point to the other.
void place_between(const Vec3& from, const Vec3& to, BoneShape& shape) {
  place((from + to) / 2, axes_along(to - from), shape);
}

double length_of(const Options& o) {
  const double length = (o.vec3("to") - o.vec3("from")).norm();
  if (!(length > 0)) throw Error("from and to are the same point; they must differ");
  return length;
}

BoneShape box(const Options& o) {
  const Vec3 size = o.vec3("size");
  BoneShape shape;
  shape.X.resize(8, 3);
  for (int i = 0; i < 8; ++i) shape.X.row(i) << (i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2) - 0.5;
  shape.X = shape.X * size.asDiagonal();
  shape.triangles.resize(12, 3);
  shape.triangles << 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5,
      3, 7, 5;
  const double m = size.prod();
  const Vec3 s2 = size.cwiseAbs2();
  shape.solid.mass = m;
  shape.solid.inertia = Vec3(m / 12 * (s2.sum() - s2.array())).asDiagonal();
  place(o.vec3("center"), exp_rotation(o.vec3("rotation")).toRotationMatrix(), shape);
  return shape;
}

BoneShape sphere(const Options& o) {
  const double r = o.number("radius");
  BoneShape shape;
  add_revolution(capsule_profile(r, 0), shape);
  shape.solid.mass = 4 * pi / 3 * r * r * r;
  shape.solid.inertia = 0.4 * shape.solid.mass * r * r * Mat3::Identity();
  place(o.vec3("center"), Mat3::Identity(), shape);
  return shape;
}

BoneShape cylinder(const Options& o) {
  const double r = o.number("radius"), l = length_of(o);
  BoneShape shape;
  add_revolution({{0, -l / 2}, {r, -l / 2}, {r, l / 2}, {0, l / 2}}, shape);
  const double m = pi * r * r * l, across = m * (3 * r * r + l * l) / 12;
  shape.solid.mass = m;
  shape.solid.inertia = Vec3(across, across, m * r * r / 2).asDiagonal();
  place_between(o.vec3("from"), o.vec3("to"), shape);
  return shape;
}

/// A cylinder between the points and half a ball around each.
BoneShape capsule(const Options& o) {
  const double r = o.number("radius"), l = length_of(o);
  BoneShape shape;
  add_revolution(capsule_profile(r, l), shape);
  const double rod = pi * r * r * l, ball = 4 * pi / 3 * r * r * r;
  // Each half ball's center is 3/8 r beyond its end; about that center it has 83/320 of m r^2 for its own mass m.
  const double away = l / 2 + 3 * r / 8;
  const double across = rod * (3 * r * r + l * l) / 12 + ball * (83.0 / 320 * r * r + away * away);
  shape.solid.mass = rod + ball;
  shape.solid.inertia = Vec3(across, across, rod * r * r / 2 + 0.4 * ball * r * r).asDiagonal();
  place_between(o.vec3("from"), o.vec3("to"), shape);
  return shape;
}

}  // namespace

const std::vector<BoneShapeEntry>& bone_shapes() {
  const Option center = Option::vec3("center", "m", "its center").with_default(Vec3(0, 0, 0));
  const Option radius = Option::number("radius", "m", "its radius").above(0);
  const Option from = Option::vec3("from", "m", "the middle of one end"),
               to = Option::vec3("to", "m", "and of the other");
  static const std::vector<BoneShapeEntry> table = {
      {{"box",
        "a block",
        {Option::vec3("size", "m", "its edges").above(0), center,
         Option::vec3("rotation", "rad", "turn about its center, as axis times angle").with_default(Vec3(0, 0, 0))}},
       box},
      {{"sphere", "a ball", {radius, center}}, sphere},
      {{"capsule", "a round bar with round ends", {from, to, radius}}, capsule},
      {{"cylinder", "a round bar with flat ends", {from, to, radius}}, cylinder},
  };
  return table;
}

}  // namespace brio
