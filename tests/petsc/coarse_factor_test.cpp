// The coarse matrix, eliminated by each rank up to its border.

#include "brio/petsc/coarse_factor.hpp"

#include "brio/core/ranks.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "linalg/bar_problem.hpp"

namespace brio::testing {
namespace {

/// Groups on a grid, in strips for the ranks; neighbors pull at each other with random stiffnesses.
class Grid {
 public:
  static constexpr int kWide = 5, kLong = 8, kGroups = kWide * kLong;

  Grid() : A_(MatrixXd::Identity(6 * kGroups, 6 * kGroups)) {
    first_ = ranks().rank() * kGroups / ranks().count();
    last_ = (ranks().rank() + 1) * kGroups / ranks().count();
    Random random(3);
    for (int a = 0; a < kGroups; ++a)
      for (int b : {a + 1, a + kWide, a + kWide + 1}) {
        if (b >= kGroups || (b % kWide == 0 && b != a + kWide)) continue;
        MatrixXd R(6, 6);
        for (double& r : R.reshaped()) r = random();
        const MatrixXd S = R * R.transpose();
        A_.block<6, 6>(6 * a, 6 * a) += S;
        A_.block<6, 6>(6 * b, 6 * b) += S;
        A_.block<6, 6>(6 * a, 6 * b) -= S;
        A_.block<6, 6>(6 * b, 6 * a) -= S;
      }
  }

  MatrixXd& matrix() { return A_; }
  int first() const { return first_; }
  int own() const { return last_ - first_; }
  std::vector<std::vector<PetscInt>> columns() const {
    std::vector<std::vector<PetscInt>> columns(own());
    for (int a = first_; a < last_; ++a)
      for (int b = 0; b < kGroups; ++b)
        if (!A_.block<6, 6>(6 * a, 6 * b).isZero(0)) columns[a - first_].push_back(b);
    return columns;
  }
  std::vector<std::vector<double>> rows() const {
    std::vector<std::vector<double>> rows(own());
    const auto all = columns();
    for (int a = 0; a < own(); ++a)
      for (int r = 0; r < 6; ++r)
        for (const PetscInt b : all[a])
          for (int c = 0; c < 6; ++c) rows[a].push_back(A_(6 * (first_ + a) + r, 6 * b + c));
    return rows;
  }

 private:
  MatrixXd A_;
  int first_, last_;
};

TEST(CoarseFactor, solves_over_ranks_what_one_would) {
  Grid grid;
  CoarseFactor factor(grid.columns(), grid.first(), Grid::kGroups);
  for (double scale : {1.0, 3.0}) {
    grid.matrix() *= scale;
    ASSERT_TRUE(factor.set(grid.rows()));
    for (uint64_t seed : {1, 2}) {
      const VectorXd b = random_matrix(6 * Grid::kGroups, 1, seed);
      const VectorXd x = grid.matrix().llt().solve(b);
      const std::vector<double> forces(b.data() + 6 * grid.first(), b.data() + 6 * (grid.first() + grid.own()));
      std::vector<double> motions(forces.size());
      factor.solve(forces, motions);
      for (size_t i = 0; i < motions.size(); ++i)
        EXPECT_NEAR(motions[i], x[6 * grid.first() + static_cast<Index>(i)], 1e-5 * x.norm()) << i;
    }
  }
}

/// All ranks hear of it, whoever finds it: in a strip, and at a border.
TEST(CoarseFactor, finds_what_is_not_positive_definite) {
  for (const int group : {0, Grid::kWide + 1, Grid::kGroups / 2, Grid::kGroups - 1}) {
    Grid grid;
    CoarseFactor factor(grid.columns(), grid.first(), Grid::kGroups);
    grid.matrix()(6 * group, 6 * group) -= 1e3;
    EXPECT_FALSE(factor.set(grid.rows())) << group;
    grid.matrix()(6 * group, 6 * group) += 1e3;
    EXPECT_TRUE(factor.set(grid.rows())) << group;
  }
}

}  // namespace
}  // namespace brio::testing
