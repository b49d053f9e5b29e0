#include "brio/mesh/stuffing/stuffing_lattice.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/generated.hpp"

#include <cmath>

namespace brio {
namespace {

constexpr double kBrickCubes = 4;      // cubes along the side of a brick
constexpr double kMostGrid = 6e7;      // bricks in the grid around the body: an int each
constexpr size_t kMostBricks = 1.2e5;  // bricks stored: 13 kB each at worst
constexpr double kTetsPerBrick = 64 * 12;

}  // namespace

LatticePoint lattice_step(int direction) {
  static const std::array<LatticePoint, 2 * kEdges> steps = [] {
    std::array<LatticePoint, 2 * kEdges> all;
    all[0] = {2, 0, 0}, all[1] = {0, 2, 0}, all[2] = {0, 0, 2};
    all[3] = {1, 1, 1}, all[4] = {-1, 1, 1}, all[5] = {1, -1, 1}, all[6] = {-1, -1, 1};
    for (int d = 0; d < kEdges; ++d) all[kEdges + d] = -all[d];
    return all;
  }();
  return steps[direction];
}

StuffingLattice::StuffingLattice(const SignedDistance& body, double size) : size_(size) {
  if (!(size > 0) || !std::isfinite(size)) throw Error("size = {}: the mesher needs a cell size > 0", size);
  lay_grid(body.bounds());
  find_bricks(body);
}

/// A plane of the lattice lies in the middle of the bounds along x, so that bodies with a left and a right get a
/// symmetric mesh. Along y and z it is shifted: symmetry in all directions would add vertices by the dozen as the size
/// shrinks, and targets would be missed. Two cubes are left free on all sides.
void StuffingLattice::lay_grid(const Box& bounds) {
  if (bounds.isEmpty() || !bounds.min().allFinite() || !bounds.max().allFinite()) {
    throw Error("the shape has no inside, or no bounds");
  }
  const Vec3 cubes_to_middle = (0.5 * bounds.sizes() / size_).array().ceil() + 3;
  const Vec3 bricks = (2 * cubes_to_middle / kBrickCubes).array().ceil() + 1;
  if (!(bricks.prod() <= kMostGrid)) {
    throw Error("size = {:.4g} m is too small for a body of {:.4g} x {:.4g} x {:.4g} m; use a larger one", size_,
                bounds.sizes()[0], bounds.sizes()[1], bounds.sizes()[2]);
  }
  origin_ = bounds.center() - size_ * (cubes_to_middle + Vec3(0, 0.31, 0.43));
  grid_ = bricks.cast<int>();
}

void StuffingLattice::require_room(size_t near, size_t inside) const {
  require_count("mesher", kTetsPerBrick * static_cast<double>(inside), "use a larger size");
  if (near + inside <= kMostBricks) return;
  throw Error("size = {:.4g} m: the surface passes through more than {} million cells; use a larger size", size_,
              64 * kMostBricks / 1000000);
}

void StuffingLattice::store_inside(const Block& block) {
  const LatticePoint high = (block.low.array() + block.side).min(grid_.array());
  require_room(near_, bricks_.size() - near_ + (high - block.low).cast<Index>().prod());
  for (int z = block.low[2]; z < high[2]; ++z)
    for (int y = block.low[1]; y < high[1]; ++y)
      for (int x = block.low[0]; x < high[0]; ++x) bricks_.emplace_back(x, y, z);
}

/// From one block around everything to its eighths and on. A block is settled when the distance at its middle says that
/// no point in it, nor any neighbor of one, is on the other side of the surface.
void StuffingLattice::find_bricks(const SignedDistance& body) {
  int side = 1;
  while (side < grid_.maxCoeff()) side *= 2;
  std::vector<Block> blocks{{{0, 0, 0}, side}}, inside;
  for (; !blocks.empty(); side /= 2) {
    const double reach = (std::sqrt(3.0) / 2 * kBrickCubes * side + 1) * size_;
    std::vector<double> middle(blocks.size());
    parallel_for(static_cast<int>(blocks.size()), 64, [&](int begin, int end) {
      for (int b = begin; b < end; ++b) {
        const Vec3 center = blocks[b].low.cast<double>() + Vec3::Constant(0.5 * side);
        middle[b] = body.value(place(Vec3(2 * kBrickCubes * center)));
      }
    });
    std::vector<Block> parts;
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (middle[b] > reach) continue;
      if (middle[b] < -reach) {
        inside.push_back(blocks[b]);
      } else if (side == 1) {
        bricks_.push_back(blocks[b].low);
      } else {
        for (int part = 0; part < 8; ++part) {
          const LatticePoint low = blocks[b].low + side / 2 * LatticePoint(part & 1, part >> 1 & 1, part >> 2);
          if ((low.array() < grid_.array()).all()) parts.push_back({low, side / 2});
        }
      }
    }
    require_room(bricks_.size() + parts.size(), inside.size());
    blocks = std::move(parts);
  }
  near_ = static_cast<int>(bricks_.size());
  for (const Block& block : inside) store_inside(block);

  brick_at_.assign(static_cast<size_t>(grid_.cast<Index>().prod()), -1);
  for (size_t b = 0; b < bricks_.size(); ++b) {
    const LatticePoint& at = bricks_[b];
    brick_at_[at[0] + grid_[0] * (at[1] + grid_[1] * at[2])] = static_cast<int>(b);
  }
}

LatticePoint StuffingLattice::point(int index) const {
  const int cube = index % kPointsPerBrick / 2;
  const LatticePoint in_brick(cube & 3, cube >> 2 & 3, cube >> 4);
  return (8 * bricks_[index / kPointsPerBrick] + 2 * in_brick).array() + (index & 1);
}

}  // namespace brio
