#include "brio/core/spatial_order.hpp"

#include <algorithm>
#include <numeric>

namespace brio {
namespace {

/// Moves the lower 21 bits of a apart, so that two zero bits follow each.
std::uint64_t spread_bits(std::uint64_t a) {
  a &= 0x1fffff;
  a = (a | a << 32) & 0x1f00000000ffff;
  a = (a | a << 16) & 0x1f0000ff0000ff;
  a = (a | a << 8) & 0x100f00f00f00f00f;
  a = (a | a << 4) & 0x10c30c30c30c30c3;
  a = (a | a << 2) & 0x1249249249249249;
  return a;
}

}  // namespace

std::vector<int> spatial_order(const MatrixX3d& points) {
  std::vector<int> order(points.rows());
  std::iota(order.begin(), order.end(), 0);
  if (order.empty()) return order;
  const Eigen::RowVector3d low = points.colwise().minCoeff();
  const double extent = (points.colwise().maxCoeff() - low).maxCoeff();
  const double scale = extent > 0 ? 2097151.0 / extent : 0;
  std::vector<std::uint64_t> code(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    const Eigen::RowVector3d cell = (points.row(i) - low) * scale;
    code[i] = spread_bits(static_cast<std::uint64_t>(cell[0])) | spread_bits(static_cast<std::uint64_t>(cell[1])) << 1 |
              spread_bits(static_cast<std::uint64_t>(cell[2])) << 2;
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return code[a] < code[b]; });
  return order;
}

}  // namespace brio
