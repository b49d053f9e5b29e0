#pragma once
// The vector and matrix types that every part of brio shares. Arrays of points are row-major, so that the
// data of a MatrixX3d is also the stacked vector (x0 y0 z0 x1 y1 z1 …) that the solvers work on.

#include <Eigen/Core>

#include <cstdint>

namespace brio {

using Index = Eigen::Index;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Eigen::VectorXi;
using MatrixX3d = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using MatrixX2d = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;
using MatrixX2i = Eigen::Matrix<int, Eigen::Dynamic, 2, Eigen::RowMajor>;
using MatrixX3i = Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor>;
using MatrixX4i = Eigen::Matrix<int, Eigen::Dynamic, 4, Eigen::RowMajor>;
using MatrixX6i = Eigen::Matrix<int, Eigen::Dynamic, 6, Eigen::RowMajor>;

/// Whether second derivatives are projected to positive semi-definite, element by element.
enum class Psd { none, clamp };

}  // namespace brio
