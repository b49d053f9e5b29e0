#include "brio/mesh/generators/honeycomb.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generated.hpp"
#include "brio/mesh/generators/sweep.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace brio {
namespace {

// Hexagons with a corner on top. Centers and corners of all cells lie on one triangular lattice with basis
// side (√3/2, 1/2) and side (0, 1), so that whole numbers tell which cells share a corner.
struct Site {
  int u, v;
  auto operator<=>(const Site&) const = default;
  Site operator+(Site o) const { return {u + o.u, v + o.v}; }
  Site operator-(Site o) const { return {u - o.u, v - o.v}; }
  Site operator*(int k) const { return {k * u, k * v}; }
};

constexpr Site kCorner[6] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};  // from the center, counterclockwise
Site corner(int k) { return kCorner[(k + 6) % 6]; }
/// From a cell's center to its neighbor's, over the wall between corners k and k + 1.
Site step(int wall) { return corner(wall) + corner(wall + 1); }

class HoneycombFigure {
 public:
  explicit HoneycombFigure(const Honeycomb& sheet) : h_(sheet) {
    for (int row = 0; row < h_.rows; ++row)
      for (int column = 0; column < h_.columns; ++column) cells_.insert(step(5) * (column - row / 2) + step(0) * row);
  }

  PlaneFigure make() {
    for (Site cell : cells_) {
      for (int wall = 0; wall < 6; ++wall) {
        const bool rim = !cells_.contains(cell + step(wall));
        add_half_wall(cell, wall, rim);
        if (rim) add_half_wall(cell + step(wall), wall + 3, rim);  // the outer half, which no cell would add
        if (rim && !cells_.contains(cell + step(wall - 1))) add_tip(cell, wall);
      }
    }
    start_at_origin();
    return std::move(figure_);
  }

 private:
  /// In the plane, for a position in units of the lattice.
  Eigen::Vector2d plane(double u, double v) const {
    return h_.side * Eigen::Vector2d(std::numbers::sqrt3 / 2 * u, u / 2 + v);
  }

  int vertex(const std::array<int, 4>& key, double u, double v) {
    const auto [entry, fresh] = known_.try_emplace(key, static_cast<int>(figure_.points.size()));
    if (fresh) figure_.points.push_back(plane(u, v));
    return entry->second;
  }

  /// A point of a cell's wall: `along` from corner `wall`, `ring` inwards from the middle of the wall.
  int wall_vertex(Site cell, int wall, int along, int ring) {
    if (along == h_.cells_along) return wall_vertex(cell, wall + 1, 0, ring);
    wall = (wall + 6) % 6;
    const int m = h_.cells_along;
    const Site outer = corner(wall) * (m - along) + corner(wall + 1) * along;  // in units of 1/m
    const Site middle = cell * m + outer;
    if (ring == 0) return vertex({middle.u, middle.v, 0, 0}, middle.u / double(m), middle.v / double(m));
    const double shrink = (1 - inset() * ring / h_.cells_across) / m;
    return vertex({cell.u, cell.v, ring, 1 + wall * m + along}, cell.u + shrink * outer.u, cell.v + shrink * outer.v);
  }

  /// How far the hole's corner lies from the hexagon's, in units of the side.
  double inset() const { return h_.wall_thickness / (std::numbers::sqrt3 * h_.side); }

  void add_half_wall(Site cell, int wall, bool rim) {
    for (int ring = 0; ring < h_.cells_across; ++ring)
      for (int along = 0; along < h_.cells_along; ++along)
        add_quad({wall_vertex(cell, wall, along, ring), wall_vertex(cell, wall, along + 1, ring),
                  wall_vertex(cell, wall, along + 1, ring + 1), wall_vertex(cell, wall, along, ring + 1)},
                 rim);
  }

  /// Where the rim turns around a corner of one cell, a rhombus fills the gap between the outer halves of the walls.
  void add_tip(Site cell, int wall) {
    const Site tip = cell + corner(wall);
    const Site side[2] = {cell + step(wall - 1), cell + step(wall)};  // the absent neighbors on both sides
    const int n = h_.cells_across;
    const auto point = [&](int i, int j) {
      if (j == 0) return wall_vertex(side[0], wall + 2, 0, i);
      if (i == 0) return wall_vertex(side[1], wall + 4, 0, j);
      const Site a = side[0] - tip, b = side[1] - tip;
      const double f = inset() / n;
      return vertex({tip.u, tip.v, -i, -j}, tip.u + f * (i * a.u + j * b.u), tip.v + f * (i * a.v + j * b.v));
    };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) add_quad({point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)}, true);
  }

  /// Corners counterclockwise; cut along the shorter diagonal for the better angles.
  void add_quad(const std::array<int, 4>& q, bool rim) {
    const auto length = [&](int i, int j) { return (figure_.points[q[i]] - figure_.points[q[j]]).norm(); };
    const int first = length(0, 2) <= length(1, 3) * (1 + 1e-9) ? 0 : 1;
    figure_.triangles.push_back({q[first], q[first + 1], q[first + 2]});
    figure_.triangles.push_back({q[first], q[first + 2], q[(first + 3) % 4]});
    figure_.region.insert(figure_.region.end(), 2, rim ? 1 : 0);
  }

  void start_at_origin() {
    Eigen::Vector2d least = figure_.points.front();
    for (const auto& p : figure_.points) least = least.cwiseMin(p);
    for (auto& p : figure_.points) p -= least;
  }

  Honeycomb h_;
  std::set<Site> cells_;
  std::map<std::array<int, 4>, int> known_;
  PlaneFigure figure_;
};

}  // namespace

TetMesh make_honeycomb(const Honeycomb& sheet) {
  const char* name = "honeycomb";
  require_at_least(name, "columns", sheet.columns, 1);
  require_at_least(name, "rows", sheet.rows, 1);
  require_at_least(name, "cells_along", sheet.cells_along, 1);
  require_at_least(name, "cells_across", sheet.cells_across, 1);
  require_at_least(name, "cells_deep", sheet.cells_deep, 1);
  require_length(name, "side", sheet.side);
  require_length(name, "wall_thickness", sheet.wall_thickness);
  require_length(name, "depth", sheet.depth);
  if (sheet.wall_thickness >= std::numbers::sqrt3 * sheet.side) {
    throw Error("honeycomb: wall_thickness = {}: must be below {:.4g} m, where the cells close", sheet.wall_thickness,
                std::numbers::sqrt3 * sheet.side);
  }
  const double quads_per_cell = 6.0 * sheet.cells_along * sheet.cells_across;
  const double tips = 2.0 * sheet.cells_across * sheet.cells_across * (static_cast<double>(sheet.columns) + sheet.rows);
  const double figure = 2 * (quads_per_cell * sheet.columns * sheet.rows + tips);
  require_count(name, swept_tets(figure, sheet.cells_deep), "use fewer cells");

  return sweep(
      name, HoneycombFigure(sheet).make(), sheet.cells_deep,
      [&](int layer, const Eigen::Vector2d& p) -> Vec3 {
        return {p[0], p[1], sheet.depth * layer / sheet.cells_deep};
      },
      "choose lengths nearer to 1 m and a wall thickness that is not far smaller than the side");
}

GeneratorEntry honeycomb_generator() {
  const Honeycomb usual;
  const auto count = [](const char* key, const char* doc, int value) {
    return Option::integer(key, doc).with_default(static_cast<double>(value)).at_least(1);
  };
  const auto length = [](const char* key, const char* doc, double value) {
    return Option::number(key, "m", doc).with_default(value).above(0);
  };
  return {{"honeycomb",
           "a sheet of hexagonal tubes along z: region 0 is the inner walls, region 1 the rim",
           {count("columns", "cells along x", usual.columns), count("rows", "cells along y", usual.rows),
            length("side", "side of a cell, in the middle of the walls", usual.side),
            length("wall_thickness", "thickness of the walls", usual.wall_thickness),
            length("depth", "length of the tubes", usual.depth),
            count("cells_along", "elements along each wall", usual.cells_along),
            count("cells_across", "elements over half of a wall's thickness", usual.cells_across),
            count("cells_deep", "elements over the depth", usual.cells_deep)}},
          [](const Options& o) {
            return make_honeycomb({o.integer("columns"), o.integer("rows"), o.number("side"),
                                   o.number("wall_thickness"), o.number("depth"), o.integer("cells_along"),
                                   o.integer("cells_across"), o.integer("cells_deep")});
          }};
}

}  // namespace brio
