#include "brio/diagnose/path_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace brio {
namespace {

MatrixX3d two_points(double a, double b) {
  MatrixX3d x = MatrixX3d::Zero(2, 3);
  x(0, 0) = a;
  x(1, 1) = b;
  return x;
}

TEST(PathError, is_the_mass_weighted_norm_of_the_difference) {
  const VectorXd mass = Eigen::Vector2d(1, 3);
  RecordedPath reference(3, 2);
  reference.add(0, two_points(0, 0));
  reference.add(0.1, two_points(1, 2));
  reference.add(0.2, two_points(2, 4));
  PathError error;
  error.add(0, two_points(0, 0), mass, reference);
  EXPECT_FALSE(error.relative());  // nothing has moved yet
  error.add(0.1, two_points(1.5, 2), mass, reference);
  error.add(0.15, two_points(9, 9), mass, reference);  // no such time: passed over
  error.add(0.2, two_points(2, 3), mass, reference);
  const double difference = 1 * 0.25 + 3 * 1, displacement = (1 + 3 * 4) + (4 + 3 * 16);
  EXPECT_NEAR(*error.relative(), std::sqrt(difference / displacement), 1e-15);
}

TEST(PathError, times_that_differ_by_round_off_are_the_same) {
  RecordedPath reference(2, 2);
  reference.add(0, two_points(0, 0));
  reference.add(0.1 + 0.2, two_points(1, 1));
  EXPECT_NE(reference.at(0.3), nullptr);
  EXPECT_EQ(reference.at(0.31), nullptr);
}

TEST(PathError, a_reference_too_large_for_memory_is_thinned) {
  RecordedPath reference(10, 2, 5 * 2 * 3 * sizeof(double));
  for (int k = 0; k < 10; ++k) reference.add(k, two_points(k, k));
  for (int k = 0; k < 10; ++k) EXPECT_EQ(reference.at(k) != nullptr, k % 2 == 0) << k;
}

TEST(PathError, the_vertex_that_moves_most) {
  RecordedPath path(3, 2);
  path.add(0, two_points(5, 0));
  path.add(1, two_points(6, -3));
  path.add(2, two_points(7, 0));
  EXPECT_EQ(path.most_moving_vertex(), 1);
}

TEST(PathError, nothing_without_a_reference) {
  EXPECT_EQ(RecordedPath(3, 2).at(0), nullptr);
  PathError error;
  error.add(0, two_points(0, 0), Eigen::Vector2d(1, 1), RecordedPath(3, 2));
  EXPECT_FALSE(error.relative());
}

}  // namespace
}  // namespace brio
