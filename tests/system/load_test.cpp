// Loads: totals, windows of time and the wind's pressure in closed form.

#include "brio/system/load.hpp"

#include "brio/mesh/generators/box.hpp"
#include "brio/mesh/surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace brio {
namespace {

class Loads : public ::testing::Test {
 protected:
  Loads() : mesh_(make_box(Vec3(1, 2, 3), {2, 2, 2}, 5)) {
    target_.triangles = boundary_triangles(mesh_);
    target_.mass = VectorXd::LinSpaced(mesh_.vertices(), 1, 2);
    for (int v = 0; v < mesh_.vertices(); ++v) target_.vertices.push_back(v);
    x_ = mesh_.X.reshaped<Eigen::RowMajor>();
    u_ = VectorXd::Zero(x_.size());
  }
  VectorXd force(const std::string& name, const std::map<std::string, OptionValue>& options, double t) const {
    const LoadEntry& row = find_row(loads(), "load", name);
    VectorXd f = VectorXd::Zero(x_.size());
    row.make(Options(row.options, options, name), target_)->add(t, x_, u_, f);
    return f;
  }
  static Vec3 total(const VectorXd& f) {
    return Eigen::Map<const MatrixX3d>(f.data(), f.size() / 3, 3).colwise().sum();
  }

  TetMesh mesh_;
  LoadTarget target_;
  VectorXd x_, u_;
};

TEST_F(Loads, uniform_gives_every_vertex_the_same_acceleration) {
  const VectorXd f = force("uniform", {{"force", Vec3(3, 0, -6)}}, 1);
  EXPECT_LT((total(f) - Vec3(3, 0, -6)).norm(), 1e-12);
  EXPECT_NEAR(f[3 * 5] / target_.mass[5], f[0] / target_.mass[0], 1e-14);
}

TEST_F(Loads, pull_grows_and_lets_go) {
  target_.vertices = {1, 4};
  const std::map<std::string, OptionValue> options{{"force", Vec3(0, 8, 0)}, {"ramp", 0.5}, {"release", 2.0}};
  EXPECT_NEAR(total(force("pull", options, 0.25))[1], 4, 1e-12);
  EXPECT_NEAR(total(force("pull", options, 1))[1], 8, 1e-12);
  EXPECT_EQ(total(force("pull", options, 2))[1], 0);
  EXPECT_EQ(force("pull", options, 1)[3 * 4 + 1], 4);
  EXPECT_EQ(force("pull", options, 1)[3 * 2 + 1], 0);
}

TEST_F(Loads, pulse_acts_in_its_window) {
  const std::map<std::string, OptionValue> options{{"force", Vec3(1, 0, 0)}, {"start", 0.5}, {"duration", 0.25}};
  EXPECT_EQ(total(force("pulse", options, 0.4)).norm(), 0);
  EXPECT_NEAR(total(force("pulse", options, 0.6))[0], 1, 1e-12);
  EXPECT_EQ(total(force("pulse", options, 0.75)).norm(), 0);
}

TEST_F(Loads, wind_presses_on_both_faces_across_it) {
  const std::map<std::string, OptionValue> options{
      {"velocity", Vec3(4, 0, 0)}, {"gust", 0.5}, {"frequency", 2.0}, {"air_density", 1.25}, {"drag", 0.8}};
  // The two faces of 2 x 3 m across the wind both see it: 2 . rho/2 . c . A . w^2.
  EXPECT_NEAR(total(force("wind", options, 0))[0], 1.25 * 0.8 * 6 * 16, 1e-9);
  const double gust = 4 * (1 + 0.5 * std::sin(2 * std::numbers::pi * 2 * 0.1));
  EXPECT_NEAR(total(force("wind", options, 0.1))[0], 1.25 * 0.8 * 6 * gust * gust, 1e-9);
  for (Index i = 0; i < u_.size(); i += 3) u_[i] = 4;  // a body that goes with the wind feels none
  EXPECT_LT(force("wind", options, 0).norm(), 1e-12);
}

}  // namespace
}  // namespace brio
