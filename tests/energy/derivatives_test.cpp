// Every energy on a whole mesh: the gradient against differences of the value, the second derivative against
// differences of the gradient, and the projection against what it promises.

#include "brio/energy/harmonic_energy.hpp"
#include "brio/energy/spring_energy.hpp"
#include "brio/mesh/generators/generators.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/bodies.hpp"

namespace brio {
namespace {

using testing::first_integers;
using testing::law;
using testing::shaken;
using testing::stacked;

struct Case {
  std::string name;
  std::function<std::unique_ptr<Energy>(const TetMesh&)> make;
};

std::shared_ptr<const ObstacleShape> obstacle(const std::string& name,
                                              const std::map<std::string, OptionValue>& options) {
  const ObstacleEntry& row = find_row(obstacle_shapes(), "obstacle", name);
  return row.make(Options(row.options, options, name), name);
}

std::shared_ptr<const Motion> turning() {
  const MotionEntry& row = find_row(motions(), "motion", "rotate");
  return row.make(Options(row.options, {{"axis", Vec3(1, 2, 3)}, {"rate", 0.7}, {"center", Vec3(0.1, 0.2, 0.3)}}, "m"),
                  "m");
}

Case contact(const std::string& name, const std::map<std::string, OptionValue>& options) {
  return {"contact_" + name, [=](const TetMesh& mesh) {
            return std::make_unique<ContactEnergy>(first_integers(mesh.vertices()),
                                                   VectorXd::LinSpaced(mesh.vertices(), 0.5, 1.5), 300.0,
                                                   obstacle(name, options), turning());
          }};
}

/// McAdams' contact: what a tangential share changes is the stiffness, by alpha k a (I - n n^T), and nothing else.
TEST(Contact, tangential_share_is_in_the_stiffness_alone) {
  const Vec3 normal = Vec3(1, 2, -1).normalized();
  const double alpha = 0.1, k = 300, area = 0.7;
  const auto evaluate = [&](double tangential, VectorXd& gradient, BlockMatrix& K) {
    ContactEnergy energy({0}, VectorXd::Constant(1, area), k,
                         obstacle("half-space", {{"point", Vec3(0, 0, 0)}, {"normal", normal}}), stand_still(), 0,
                         tangential);
    energy.attach({{0}, &K.pattern()});
    double value = 0;
    gradient.setZero(3);
    K.set_zero();
    energy.evaluate(0, -0.2 * normal + Vec3(2, -1, 0), {&value, &gradient, &K, Psd::none});
    return value;
  };
  const auto pattern = std::make_shared<const BlockPattern>(1, std::vector<std::pair<int, int>>());
  BlockMatrix without(pattern), with(pattern);
  VectorXd g0, g1;
  EXPECT_DOUBLE_EQ(evaluate(0, g0, without), evaluate(alpha, g1, with));
  EXPECT_TRUE(g0 == g1);
  const Eigen::Map<const Mat3> a(without.block(0)), b(with.block(0));
  EXPECT_LT((b - a - alpha * k * area * (Mat3::Identity() - normal * normal.transpose())).norm(), 1e-12 * k);
}

std::vector<Case> cases() {
  std::vector<Case> all = {
      {"gravity",
       [](const TetMesh& mesh) {
         return std::make_unique<GravityEnergy>(VectorXd::LinSpaced(mesh.vertices(), 1, 2), Vec3(1, -9, 2));
       }},
      {"attachment",
       [](const TetMesh& mesh) {
         return std::make_unique<AttachmentEnergy>(std::vector<int>{0, 3, 5}, mesh.X, 50.0, turning());
       }},
      {"harmonic",
       [](const TetMesh& mesh) {
         return std::make_unique<HarmonicEnergy>(std::vector<int>{0, 2, 5}, VectorXd::LinSpaced(mesh.vertices(), 1, 2),
                                                 Vec3(0.3, -1, 2), 5.0);
       }},
      {"springs",
       [](const TetMesh& mesh) {
         MatrixX2i edges(mesh.tets(), 2);
         for (int e = 0; e < mesh.tets(); ++e) edges.row(e) << mesh.T(e, 0), mesh.T(e, 3);
         return std::make_unique<SpringEnergy>(mesh.X, edges, VectorXd::LinSpaced(mesh.tets(), 1, 40));
       }},
      contact("half-space", {{"point", Vec3(0.1, 0.6, 0)}, {"normal", Vec3(1, 2, -1)}}),
      contact("sphere", {{"center", Vec3(0.2, 0.1, 0.3)}, {"radius", 0.9}}),
      contact("torus", {{"axis", Vec3(0, 1, 1)}, {"major_radius", 0.6}, {"minor_radius", 0.5}}),
      contact("box", {{"center", Vec3(0.2, 0.3, 0.1)}, {"size", Vec3(1.3, 1.9, 1.1)}}),
  };
  for (const std::string name : {"stable-neo-hookean", "corotated", "stvk"}) {
    all.push_back({"elastic_" + name, [=](const TetMesh& mesh) {
                     std::vector<ElasticPart> parts(2);
                     for (int e = 0; e < mesh.tets(); ++e) parts[e % 3 == 0].tets.push_back(e);
                     parts[0].material = law(name, {{"E", 100.0}, {"nu", 0.3}});
                     parts[1].material = law(name, {{"E", 300.0}, {"nu", 0.4}});
                     return std::make_unique<ElasticEnergy>(mesh, parts);
                   }});
  }
  return all;
}

class Derivatives : public ::testing::TestWithParam<Case> {
 protected:
  Derivatives() : mesh_(make_box(Vec3(1, 1, 1), {3, 2, 2}, 5)), n_(mesh_.vertices()) {
    energy_ = GetParam().make(mesh_);
    std::vector<std::pair<int, int>> pairs;
    energy_->add_couplings(pairs);
    // An order of its own and one vertex that does not move, so that transposed and missing blocks are tried.
    dof_.resize(n_);
    for (int v = 0; v < n_; ++v) dof_[v] = v == kHeld ? -1 : (v * 7) % n_;
    for (int v = 0; v < n_; ++v)
      if (dof_[v] > (kHeld * 7) % n_) --dof_[v];
    std::erase_if(pairs, [&](const auto& p) { return p.first == kHeld || p.second == kHeld; });
    for (auto& [i, j] : pairs) i = dof_[i], j = dof_[j];
    pattern_ = std::make_shared<BlockPattern>(n_ - 1, pairs);
    energy_->attach({dof_, pattern_.get()});
    x_ = stacked(shaken(mesh_.X, 0.12));
  }

  double value(const VectorXd& x) const {
    double e = 0;
    energy_->evaluate(kTime, x, {.value = &e});
    return e;
  }
  VectorXd gradient(const VectorXd& x) const {
    VectorXd g = VectorXd::Zero(x.size());
    energy_->evaluate(kTime, x, {.gradient = &g});
    return g;
  }
  MatrixXd hessian(Psd psd) const {
    BlockMatrix K(pattern_);
    energy_->evaluate(kTime, x_, {.hessian = &K, .psd = psd});
    const int n = 3 * (n_ - 1);
    MatrixXd dense(n, n);
    VectorXd y;
    for (int j = 0; j < n; ++j) {
      K.multiply(VectorXd::Unit(n, j), y);
      dense.col(j) = y;
    }
    return dense;
  }

  static constexpr int kHeld = 4;
  static constexpr double kTime = 0.9;
  TetMesh mesh_;
  int n_;
  std::unique_ptr<Energy> energy_;
  std::vector<int> dof_;
  std::shared_ptr<BlockPattern> pattern_;
  VectorXd x_;
};

TEST_P(Derivatives, gradient_is_the_slope_of_the_value) {
  const VectorXd g = gradient(x_);
  ASSERT_GT(g.norm(), 0) << "nothing to compare: the configuration does not touch this energy";
  constexpr double step = 1e-6;
  for (Index i = 0; i < x_.size(); ++i) {
    const VectorXd d = step * VectorXd::Unit(x_.size(), i);
    // Central differences: error step^2 times the third derivative, plus rounding of the value over the step.
    EXPECT_NEAR((value(x_ + d) - value(x_ - d)) / (2 * step), g[i], 1e-6 * (g.norm() + 1)) << "coordinate " << i;
  }
}

TEST_P(Derivatives, hessian_is_the_slope_of_the_gradient) {
  const MatrixXd H = hessian(Psd::none);
  constexpr double step = 1e-6;
  double largest = 0;
  for (int v = 0; v < n_; ++v) {
    if (dof_[v] < 0) continue;
    for (int c = 0; c < 3; ++c) {
      const VectorXd d = step * VectorXd::Unit(x_.size(), 3 * v + c);
      const VectorXd slope = (gradient(x_ + d) - gradient(x_ - d)) / (2 * step);
      for (int w = 0; w < n_; ++w) {
        if (dof_[w] < 0) continue;
        largest = std::max(largest, (H.block<3, 1>(3 * dof_[w], 3 * dof_[v] + c) - slope.segment<3>(3 * w)).norm());
      }
    }
  }
  EXPECT_LT(largest, 1e-6 * (H.norm() + 1));
}

TEST_P(Derivatives, projection_is_positive_semidefinite) {
  const MatrixXd H = hessian(Psd::clamp);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(H);
  EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-10 * (H.norm() + 1));
}

TEST_P(Derivatives, both_in_one_pass_are_the_same) {
  BlockMatrix K(pattern_), K_alone(pattern_);
  VectorXd g = VectorXd::Zero(x_.size());
  double e = 0;
  energy_->evaluate(kTime, x_, {.value = &e, .gradient = &g, .hessian = &K});
  energy_->evaluate(kTime, x_, {.hessian = &K_alone});
  EXPECT_DOUBLE_EQ(e, value(x_));
  EXPECT_LT((g - gradient(x_)).norm(), 1e-12 * (g.norm() + 1));
  for (int s = 0; s < pattern_->slots(); ++s)
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(K.block(s)[i], K_alone.block(s)[i], 1e-9);
}

INSTANTIATE_TEST_SUITE_P(All, Derivatives, ::testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ElasticEnergy, of_many_patches_is_the_sum_over_its_elements) {
  const TetMesh mesh = make_box(Vec3(1, 1, 1), {10, 10, 10}, 6);  // 750 batches in 69 patches
  const auto material = law("stable-neo-hookean", {{"E", 100.0}, {"nu", 0.3}});
  const VectorXd x = stacked(shaken(mesh.X, 0.02));
  VectorXd gradient = VectorXd::Zero(x.size()), expected = gradient;
  double value = 0, sum = 0;
  ElasticEnergy(mesh, {{material, first_integers(mesh.tets())}})
      .evaluate(0, x, {.value = &value, .gradient = &gradient});
  for (int e = 0; e < mesh.tets(); ++e)
    ElasticEnergy(mesh, {{material, {e}}}).evaluate(0, x, {.value = &sum, .gradient = &expected});
  EXPECT_NEAR(value, sum, 1e-12 * sum);
  EXPECT_LT((gradient - expected).norm(), 1e-12 * expected.norm());
}

}  // namespace
}  // namespace brio
