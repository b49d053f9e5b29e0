#include "brio/system/load.hpp"

#include "brio/energy/pressure_energy.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace brio {
namespace {

/// A force [N] shared out over vertices by fixed weights, and scaled over time.
class SharedForce : public Load {
 public:
  SharedForce(Vec3 force, std::vector<int> vertices, VectorXd share, std::function<double(double)> scale)
      : force_(force), vertices_(std::move(vertices)), share_(std::move(share)), scale_(std::move(scale)) {}
  void add(double t, const VectorXd&, const VectorXd&, VectorXd& f) const override {
    const double scale = scale_(t);
    if (scale == 0) return;
    for (size_t i = 0; i < vertices_.size(); ++i) f.segment<3>(3 * vertices_[i]) += scale * share_[i] * force_;
  }

 private:
  Vec3 force_;
  std::vector<int> vertices_;
  VectorXd share_;
  std::function<double(double)> scale_;
};

VectorXd share_by_mass(const LoadTarget& target) {
  VectorXd share(target.vertices.size());
  for (size_t i = 0; i < target.vertices.size(); ++i) share[i] = target.mass[target.vertices[i]];
  return share / share.sum();
}

VectorXd share_equally(const LoadTarget& target) {
  return VectorXd::Constant(target.vertices.size(), 1.0 / static_cast<double>(target.vertices.size()));
}

/// Pressure of moving air on each surface triangle: 1/2 rho c A (n.w)|n.w| n, w the wind as the triangle feels it.
class Wind : public Load {
 public:
  Wind(const Options& o, const LoadTarget& target)
      : velocity_(o.vec3("velocity")),
        gust_(o.number("gust")),
        omega_(2 * std::numbers::pi * o.number("frequency")),
        half_rho_drag_(0.5 * o.number("air_density") * o.number("drag")) {
    std::vector<char> chosen(target.mass.size(), 0);
    for (int v : target.vertices) chosen[v] = 1;
    for (Index i = 0; i < target.triangles.rows(); ++i) {
      const auto triangle = target.triangles.row(i);
      if (chosen[triangle[0]] && chosen[triangle[1]] && chosen[triangle[2]]) triangles_.push_back(triangle.transpose());
    }
  }
  void add(double t, const VectorXd& x, const VectorXd& u, VectorXd& f) const override {
    const Vec3 wind = velocity_ * (1 + gust_ * std::sin(omega_ * t));
    for (const Eigen::Vector3i& triangle : triangles_) {
      const auto at = [&](const VectorXd& w, int corner) { return w.segment<3>(3 * triangle[corner]); };
      const Vec3 twice_area = (at(x, 1) - at(x, 0)).cross(at(x, 2) - at(x, 0));
      const double area = 0.5 * twice_area.norm();
      if (area == 0) continue;
      const Vec3 n = twice_area / (2 * area);
      const double across = n.dot(wind - (at(u, 0) + at(u, 1) + at(u, 2)) / 3);
      const Vec3 third = half_rho_drag_ * area / 3 * across * std::fabs(across) * n;
      for (int corner = 0; corner < 3; ++corner) f.segment<3>(3 * triangle[corner]) += third;
    }
  }

 private:
  Vec3 velocity_;
  double gust_, omega_, half_rho_drag_;
  std::vector<Eigen::Vector3i> triangles_;
};

/// A pressure against the surface: p A n / 3 at the corners of each triangle as it is now, against its outside.
class Pressure : public Load {
 public:
  Pressure(const Options& o, const LoadTarget& target)
      : pressure_(o.number("pressure")),
        ramp_(o.number("ramp")),
        triangles_(triangles_within(target.triangles, target.vertices)) {}
  void add(double t, const VectorXd& x, const VectorXd&, VectorXd& f) const override {
    const double sixth = (t < ramp_ ? t / ramp_ : 1.0) * pressure_ / 6;
    for (Index i = 0; i < triangles_.rows(); ++i) {
      const auto at = [&](int corner) { return x.segment<3>(3 * triangles_(i, corner)); };
      const Vec3 push = -sixth * (at(1) - at(0)).cross(at(2) - at(0));
      for (int corner = 0; corner < 3; ++corner) f.segment<3>(3 * triangles_(i, corner)) += push;
    }
  }

 private:
  double pressure_, ramp_;
  MatrixX3i triangles_;
};

}  // namespace

static std::vector<LoadEntry> built_in_loads() {
  constexpr double kAtOnce = 1e-9;  // [s]; a force that grows for longer acts later than the start
  constexpr double kNever = 1e299;  // [s]; a pull that is not released before never lets go
  const Option force = Option::vec3("force", "N", "total force");
  return {
      {{"uniform", "a steady force spread over the body in proportion to mass", {force}},
       [](const Options& o, const LoadTarget& target) {
         return std::make_unique<SharedForce>(o.vec3("force"), target.vertices, share_by_mass(target),
                                              [](double) { return 1.0; });
       }},
      {{"pull",
        "a force shared equally by the vertices of a set",
        {force, Option::number("ramp", "s", "time over which it grows to full strength").with_default(0.0).at_least(0),
         Option::number("release", "s", "when it lets go").with_default(1e300).at_least(0)}},
       [](const Options& o, const LoadTarget& target) {
         const double ramp = o.number("ramp"), release = o.number("release");
         return std::make_unique<SharedForce>(o.vec3("force"), target.vertices, share_equally(target), [=](double t) {
           return t >= release ? 0.0 : (t < ramp ? t / ramp : 1.0);
         });
       },
       [](const Options& o) { return o.number("ramp") > kAtOnce || o.number("release") < kNever; }},
      {{"pulse",
        "a force in a window of time",
        {force, Option::number("start", "s", "when it begins").with_default(0.0).at_least(0),
         Option::number("duration", "s", "how long it lasts").above(0)}},
       [](const Options& o, const LoadTarget& target) {
         const double start = o.number("start"), stop = start + o.number("duration");
         return std::make_unique<SharedForce>(o.vec3("force"), target.vertices, share_by_mass(target),
                                              [=](double t) { return t >= start && t < stop ? 1.0 : 0.0; });
       },
       [](const Options&) { return true; }},
      {{"wind",
        "air that blows on the surface, steady or in gusts",
        {Option::vec3("velocity", "m/s", "mean velocity of the air"),
         Option::number("gust", "", "gusts as a fraction of the mean velocity").with_default(0.0).at_least(0),
         Option::number("frequency", "Hz", "gusts per second").with_default(1.0).at_least(0),
         Option::number("air_density", "kg/m^3", "density of the air").with_default(1.2).above(0),
         Option::number("drag", "", "drag coefficient of the surface").with_default(1.0).above(0)}},
       [](const Options& o, const LoadTarget& target) { return std::make_unique<Wind>(o, target); },
       [](const Options& o) { return o.number("gust") > 0; }},
      {{"pressure",
        "a pressure against the part of the surface that a set names, as it turns and grows",
        {Option::number("pressure", "Pa", "against the material; negative: suction"),
         Option::number("ramp", "s", "time over which it grows to full strength").with_default(0.0).at_least(0)}},
       [](const Options& o, const LoadTarget& target) { return std::make_unique<Pressure>(o, target); },
       [](const Options&) { return true; }},  // it turns with the surface
  };
}

Table<LoadEntry>& load_table() {
  static Table<LoadEntry> table("load", built_in_loads());
  return table;
}

const std::vector<LoadEntry>& loads() { return load_table().rows(); }

}  // namespace brio
