#include "brio/mesh/stuffing/stuffing.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/stuffing/stuffing_cut.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

/// How the number of vertices grows with finer cells: those inside with the volume, those on the surface with its area.
class VertexCountModel {
 public:
  void add(double size, int vertices) {
    older_ = newer_;
    newer_ = {1 / size, static_cast<double>(vertices)};
  }

  /// The size for which so many vertices are expected.
  double size_for(double vertices) const {
    const auto [y, n] = newer_;
    double volume = n / (y * y * y), area = 0;
    if (older_.vertices > 0 && older_.fineness != y) {
      const double m = older_.vertices / (older_.fineness * older_.fineness), per_area = n / (y * y);
      volume = (per_area - m) / (y - older_.fineness);
      area = per_area - volume * y;
      if (!(volume > 0 && area > 0)) volume = n / (y * y * y), area = 0;
    }
    double low = 0, high = 1;
    const auto expected = [&](double fineness) { return fineness * fineness * (area + volume * fineness); };
    while (expected(high) < vertices) high *= 2;
    for (int i = 0; i < 100; ++i) (expected(0.5 * (low + high)) < vertices ? low : high) = 0.5 * (low + high);
    return 1 / high;
  }

 private:
  struct Trial {
    double fineness = 0, vertices = 0;  ///< [1/m], [1]
  };
  Trial older_, newer_;
};

constexpr int kFirstTrial = 2000, kGrowth = 8;  // vertices; cheap trials before dear ones
constexpr double kCloseEnough = 0.02;

/// The size whose mesh comes nearest to that many vertices.
double find_size(const SignedDistance& body, int vertices, bool graded, const StuffingProgress& progress) {
  double want = std::min(vertices, kFirstTrial);
  double size = std::cbrt(2 * std::max(body.bounds().volume(), 1e-300) / want);  // a cube has two points
  double best = 0, least_error = INFINITY;
  double too_small = 0, too_large = INFINITY;  // sizes known to give too many vertices, or too few
  int empty = 0;
  VertexCountModel model;
  for (int trial = 0; trial < 20 && least_error > kCloseEnough; ++trial) {
    const int count = CutLattice(body, size, graded).vertices();
    if (progress) progress(fmt::format("size {:.4g} m gives {} vertices", size, count));
    const double error = std::fabs(count - vertices) / vertices;
    if (count > 0 && error < least_error) least_error = error, best = size;
    if (count > vertices) too_small = std::max(too_small, size);
    if (count < vertices) too_large = std::min(too_large, size);
    if (count < 10) {
      if (++empty > 8) break;
      size *= 0.6;
      continue;
    }
    model.add(size, count);
    want = std::min<double>(vertices, double{kGrowth} * std::max(count, kFirstTrial / kGrowth));
    size = model.size_for(want);
    // Counts go up in steps; where the model lands on a size that is known to be wrong, the middle is tried.
    if (too_small > 0 && std::isfinite(too_large) && !(size > too_small && size < too_large)) {
      size = 0.5 * (too_small + too_large);
    }
  }
  if (best == 0) throw Error("the shape is empty, or too thin to find a point inside");
  return best;
}

}  // namespace

std::vector<std::string> StuffedMesh::messages() const {
  std::vector<std::string> lines;
  if (lost_edges > 0) {
    lines.push_back(
        fmt::format("parts, or gaps, that are thinner than a cell of {:.4g} m are lost in {} places, the first near "
                    "[{:.4g}, {:.4g}, {:.4g}]; a smaller size keeps them",
                    size, lost_edges, first_lost[0], first_lost[1], first_lost[2]));
  }
  if (components > 1) {
    lines.push_back(fmt::format(
        "the mesh has {} parts that do not hang together; where the shape is one piece, a smaller size joins them",
        components));
  }
  return lines;
}

StuffedMesh stuff(const SignedDistance& body, const StuffingTarget& target, const StuffingProgress& progress) {
  if ((target.size > 0) == (target.vertices > 0)) throw Error("give either the size of a cell or a number of vertices");
  const double size = target.size > 0 ? target.size : find_size(body, target.vertices, target.graded, progress);
  if (progress) progress(fmt::format("filling with cells of {:.4g} m", size));
  return CutLattice(body, size, target.graded).mesh();
}

}  // namespace brio
