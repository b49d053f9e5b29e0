#pragma once
// How fast a body stretches, region by region: the volume-weighted mean of |dS/dt| with F = R S, of each entry of S
// ([CONJAC] section 3.1). Rigid motion does not count.

#include "brio/core/scratch_pool.hpp"
#include "brio/core/small.hpp"
#include "brio/core/types.hpp"

#include <vector>

namespace brio {

class StretchRate {
 public:
  /// Of tetrahedra T with rest positions X; region[t] is -1 for those that belong to none.
  StretchRate(const MatrixX3d& X, const MatrixX4i& T, const std::vector<int>& region, int regions);

  int regions() const { return static_cast<int>(volume_.size()); }
  /// One number per region [1/s] from positions x [m] and velocities u [m/s]; 0 for a region without tetrahedra.
  void measure(const MatrixX3d& x, const MatrixX3d& u, VectorXd& rate) const;

 private:
  /// Eight tetrahedra of one region; lanes past the last repeat it without volume.
  struct Batch {
    int region;
    int vertex[4][kLanes];
    V3<Pack> g[3];  ///< rest gradients of the shape functions of vertices 1, 2, 3 [1/m]
    Pack volume;    ///< at rest [m^3]
  };

  std::vector<Batch> batches_;                    ///< region by region
  VectorXd volume_;                               ///< of the regions [m^3]
  ScratchPool<std::vector<double>> batch_rates_;  ///< of each batch, times its volume
};

/// The center of each vertex: the one which is nearest along the edges of the mesh, -1 where none can be reached.
std::vector<int> nearest_centers(const MatrixX3d& X, const MatrixX4i& T, const std::vector<int>& centers);
/// The region of each tetrahedron: the center of that of its vertices which is nearest to one.
std::vector<int> nearest_regions(const MatrixX3d& X, const MatrixX4i& T, const std::vector<int>& centers);

}  // namespace brio
