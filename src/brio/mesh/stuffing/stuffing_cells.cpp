#include "brio/mesh/stuffing/stuffing_cells.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"

#include <cmath>

namespace brio {
namespace {

constexpr double kMostRoots = 2e7, kMostNodes = 6e7;
constexpr int kLeaf = -1;

LatticePoint part_of(int part) { return {part & 1, part >> 1 & 1, part >> 2}; }

}  // namespace

SizedCells::SizedCells(const SignedDistance& body, double size, int finest, int coarser)
    : smallest_(std::ldexp(size, -finest)), size_level_(finest), root_level_(finest + coarser) {
  if (!(size > 0) || !std::isfinite(size)) throw Error("size = {}: the mesher needs a cell size > 0", size);
  const Box bounds = body.bounds();
  if (bounds.isEmpty() || !bounds.sizes().allFinite()) throw Error("the shape has no inside, or no bounds");
  const double root = std::ldexp(smallest_, root_level_);
  const Vec3 to_middle = (0.5 * bounds.sizes() / root).array().ceil() + 2;
  if (!(8 * to_middle.prod() <= kMostRoots))
    throw Error("size = {:.4g} m is too small for this body; use a larger one", size);
  // As in the uniform lattice: symmetric along x, shifted along y and z.
  origin_ = bounds.center() - root * to_middle - size * Vec3(0, 0.31, 0.43);
  grid_ = (2 * to_middle).cast<int>().array() + 1;
  const int roots = grid_.prod();
  child_.assign(roots, kLeaf);
  is_outside_.assign(roots, 0);
  std::vector<double> middle(roots);
  const auto low_of = [&](int r) -> Cube {
    return LatticePoint(r % grid_[0], r / grid_[0] % grid_[1], r / grid_[0] / grid_[1]) * (1 << root_level_);
  };
  parallel_for(roots, 64, [&](int begin, int end) {
    for (int r = begin; r < end; ++r)
      middle[r] = body.value(place(LatticePoint((2 * low_of(r)).array() + (1 << root_level_))));
  });
  const double reach = (std::sqrt(3.0) / 2 + 1) * root;
  for (int r = 0; r < roots; ++r) {
    is_outside_[r] = middle[r] > reach;
    if (coarser > 0 && std::fabs(middle[r]) <= reach) split_near_surface(body, r, low_of(r));
  }
}

/// Down to the size that is asked for.
void SizedCells::split_near_surface(const SignedDistance& body, int root_node, const Cube& low) {
  struct Open {
    int node, level;
    Cube low;
  };
  std::vector<Open> open{{root_node, root_level_, low}};
  while (!open.empty()) {
    const Open cell = open.back();
    open.pop_back();
    if (cell.level <= size_level_) continue;
    const double edge = std::ldexp(smallest_, cell.level);
    const double value = body.value(place(LatticePoint((2 * cell.low).array() + (1 << cell.level))));
    if (std::fabs(value) > (std::sqrt(3.0) / 2 + 1) * edge) continue;
    split(cell.node);
    for (int part = 0; part < 8; ++part)
      open.push_back({child_[cell.node] + part, cell.level - 1, cell.low + (1 << (cell.level - 1)) * part_of(part)});
  }
}

int SizedCells::root(const Cube& cube) const {
  const LatticePoint r = cube.unaryExpr([this](int c) { return c >> root_level_; });
  if ((r.array() < 0).any() || (r.array() >= grid_.array()).any()) return -1;
  return r[0] + grid_[0] * (r[1] + grid_[1] * r[2]);
}

SizedCells::Found SizedCells::find(const Cube& cube) const {
  Found found{root(cube), root_level_, cube.unaryExpr([this](int c) { return c >> root_level_ << root_level_; })};
  while (found.node >= 0 && child_[found.node] != kLeaf) {
    --found.level;
    const LatticePoint part = cube.unaryExpr([&](int c) { return c >> found.level & 1; });
    found.low += (1 << found.level) * part;
    found.node = child_[found.node] + part[0] + 2 * part[1] + 4 * part[2];
  }
  return found;
}

int SizedCells::level(const Cube& cube) const { return find(cube).level; }

void SizedCells::split(int node) {
  if (static_cast<double>(child_.size()) > kMostNodes) {
    throw Error("the limbs of the shape are too thin to be followed: more than {:.0f} million cells; use a larger size",
                kMostNodes / 1e6);
  }
  child_[node] = static_cast<int>(child_.size());
  child_.insert(child_.end(), 8, kLeaf);
}

SizedCells::Cube SizedCells::cube_at(const Vec3& x) const {
  return ((x - origin_) / smallest_).array().floor().cast<int>();
}

double SizedCells::size_at(const Vec3& x) const { return std::ldexp(smallest_, level(cube_at(x))); }

void SizedCells::refine(const Box& box, double size) {
  const int wanted = std::max(0, static_cast<int>(std::floor(std::log2(size / smallest_) + 0.25)));
  if (wanted >= root_level_) return;
  const Cube first = cube_at(box.min()), last = cube_at(box.max());
  const int edge = 1 << root_level_;
  const auto begin = first.unaryExpr([this](int c) { return c >> root_level_ << root_level_; });
  for (int z = begin[2]; z <= last[2]; z += edge)
    for (int y = begin[1]; y <= last[1]; y += edge)
      for (int x = begin[0]; x <= last[0]; x += edge)
        if (const int node = root({x, y, z}); node >= 0) refine_node(node, root_level_, {x, y, z}, first, last, wanted);
}

void SizedCells::refine_node(int node, int level, const Cube& low, const Cube& first, const Cube& last, int wanted) {
  if (level <= wanted) return;
  if ((low.array() > last.array()).any() || (low.array() + (1 << level) <= first.array()).any()) return;
  if (child_[node] == kLeaf) split(node);
  const int parts = child_[node];
  for (int part = 0; part < 8; ++part)
    refine_node(parts + part, level - 1, low + (1 << (level - 1)) * part_of(part), first, last, wanted);
}

void SizedCells::balance() {
  std::vector<Cube> open = cells();
  while (!open.empty()) {
    const Cube cube = open.back();
    open.pop_back();
    const Found own = find(cube);
    const int edge = 1 << own.level;
    for (int k = 0; k < 27; ++k) {
      const LatticePoint to(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
      const Cube beside = own.low + to.unaryExpr([edge](int c) { return c > 0 ? edge : c; });
      for (Found other = find(beside); other.node >= 0 && other.level > own.level + 1; other = find(beside)) {
        split(other.node);
        for (int part = 0; part < 8; ++part) open.push_back(other.low + (1 << (other.level - 1)) * part_of(part));
      }
    }
  }
}

void SizedCells::collect(int node, int level, const Cube& low, std::vector<Cube>& cells) const {
  if (child_[node] == kLeaf) {
    cells.push_back(low);
    return;
  }
  for (int part = 0; part < 8; ++part)
    collect(child_[node] + part, level - 1, low + (1 << (level - 1)) * part_of(part), cells);
}

std::vector<SizedCells::Cube> SizedCells::cells() const {
  std::vector<Cube> cells;
  for (int r = 0; r < grid_.prod(); ++r) {
    if (is_outside_[r]) continue;
    const LatticePoint at(r % grid_[0], r / grid_[0] % grid_[1], r / grid_[0] / grid_[1]);
    collect(r, root_level_, at * (1 << root_level_), cells);
  }
  return cells;
}

}  // namespace brio
