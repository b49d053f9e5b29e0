#include <Eigen/Geometry>

#include "rows.hpp"

namespace brio {
namespace {

/// Whirls the body about the y axis through the origin: a force m a (e_y x x) at each vertex.
class Swirl : public Load {
 public:
  Swirl(const LoadTarget& target, double rate) : target_(target), rate_(rate) {}

  void add(double, const VectorXd& x, const VectorXd&, VectorXd& f) const override {
    for (int v : target_.vertices)
      f.segment<3>(3 * v) += rate_ * target_.mass[v] * Vec3::UnitY().cross(Vec3(x.segment<3>(3 * v)));
  }

 private:
  LoadTarget target_;
  double rate_;  ///< acceleration over distance [1/s^2]
};

}  // namespace

LoadEntry swirl_entry() {
  return {{"swirl",
           "whirls about the y axis, the more the farther away",
           {Option::number("rate", "1/s^2", "acceleration over distance from the axis")}},
          [](const Options& o, const LoadTarget& target) { return std::make_unique<Swirl>(target, o.number("rate")); }};
}

}  // namespace brio
