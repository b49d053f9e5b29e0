#include "brio/mesh/stuffing/stuffing_grading.hpp"

namespace brio {
namespace {

constexpr std::int8_t kShallow = -1;  // a cube too near to the surface to be joined with others

template <class Action>
void for_corners(const Action& action) {
  for (int k = 0; k < 8; ++k) action(LatticePoint(k & 1, k >> 1 & 1, k >> 2));
}

}  // namespace

GradedCells::GradedCells(const StuffingLattice& lattice, const std::vector<std::int8_t>& side)
    : lattice_(lattice), level_(lattice.points() / 2, kShallow), used_(lattice.points(), false) {
  find_deep_cubes(side);
  for (int level = 1; join(level); ++level) {
  }
  mark_used();
}

int GradedCells::index(const Cube& cube) const {
  const int point = lattice_.index((2 * cube).array() + 1);
  return point < 0 ? -1 : point / 2;
}

int GradedCells::level(const Cube& cube) const {
  const int i = index(cube);
  return i < 0 ? 0 : std::max<int>(0, level_[i]);
}

bool GradedCells::begins(const Cube& cube) const {
  const int mask = (1 << level(cube)) - 1;
  return ((cube[0] | cube[1] | cube[2]) & mask) == 0;
}

/// Deep are those whose own points, and those of all cubes around, are inside: what joins them leaves the surface and
/// the tetrahedra next to it alone.
void GradedCells::find_deep_cubes(const std::vector<std::int8_t>& side) {
  std::vector<bool> whole(level_.size());
  const auto cube_of = [&](size_t i) { return Cube(lattice_.point(static_cast<int>(2 * i)) / 2); };
  for (size_t i = 0; i < whole.size(); ++i) {
    bool inside = side[2 * i + 1] < 0;
    for_corners([&](const LatticePoint& corner) {
      const int point = lattice_.index(2 * (cube_of(i) + corner));
      inside = inside && point >= 0 && side[point] < 0;
    });
    whole[i] = inside;
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    if (!whole[i]) continue;
    bool deep = true;
    const Cube cube = cube_of(i);
    for (int k = 0; k < 27 && deep; ++k) {
      const int beside = index(cube + Cube(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
      deep = beside >= 0 && whole[beside];
    }
    if (deep) level_[i] = 0;
  }
}

/// Eight cells of the level below, and around them no smaller ones.
bool GradedCells::can_join(const Cube& low, int level) const {
  const int half = 1 << (level - 1);
  for (int z = -1; z <= 2; ++z)
    for (int y = -1; y <= 2; ++y)
      for (int x = -1; x <= 2; ++x) {
        const int i = index(low + half * Cube(x, y, z));
        const bool own = (x == 0 || x == 1) && (y == 0 || y == 1) && (z == 0 || z == 1);
        if (own && (i < 0 || level_[i] != level - 1)) return false;
        if (!own && level > 1 && (i < 0 || level_[i] < level - 1)) return false;
      }
  return true;
}

bool GradedCells::join(int level) {
  const int mask = (1 << level) - 1;
  std::vector<Cube> joined;
  for (size_t i = 0; i < level_.size(); ++i) {
    const Cube cube = lattice_.point(static_cast<int>(2 * i)) / 2;
    if (level_[i] == level - 1 && ((cube[0] | cube[1] | cube[2]) & mask) == 0 && can_join(cube, level))
      joined.push_back(cube);
  }
  for (const Cube& low : joined)
    for (int z = 0; z <= mask; ++z)
      for (int y = 0; y <= mask; ++y)
        for (int x = 0; x <= mask; ++x) level_[index(low + Cube(x, y, z))] = static_cast<std::int8_t>(level);
  return !joined.empty();
}

void GradedCells::mark_used() {
  for (size_t i = 0; i < level_.size(); ++i) {
    const Cube cube = lattice_.point(static_cast<int>(2 * i)) / 2;
    if (!begins(cube)) continue;
    const int size = 1 << level(cube);
    const auto mark = [&](const LatticePoint& p) {
      const int point = lattice_.index(p);
      if (point >= 0) used_[point] = true;
    };
    for_corners([&](const LatticePoint& corner) { mark(2 * (cube + size * corner)); });
    mark((2 * cube).array() + size);
  }
}

}  // namespace brio
