#include "brio/mesh/generators/box.hpp"

#include "brio/core/error.hpp"
#include "brio/mesh/generated.hpp"

#include <cmath>

namespace brio {
namespace {

// Corners of a cell are numbered by their bits: 1 for x, 2 for y, 4 for z.
// Six: one tetrahedron for each order of walking along x, y and z from corner 0 to corner 7 (Kuhn's subdivision).
constexpr int kSix[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
// Five: the corners with an even number of bits, and a cap on each of the others.
constexpr int kFive[5][4] = {{0, 5, 3, 6}, {1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}};

/// The corner in the cell mirrored along x, which turns the diagonals of its faces.
int mirrored(int corner) { return corner ^ 1; }

void add_six(const std::array<int, 8>& corner, std::vector<std::array<int, 4>>& tets) {
  for (const auto& t : kSix) tets.push_back({corner[t[0]], corner[t[1]], corner[t[2]], corner[t[3]]});
}

void add_five(const std::array<int, 8>& corner, bool odd, std::vector<std::array<int, 4>>& tets) {
  for (const auto& t : kFive) {
    if (odd) {  // mirroring turns the winding too, so two corners trade places
      tets.push_back({corner[mirrored(t[1])], corner[mirrored(t[0])], corner[mirrored(t[2])], corner[mirrored(t[3])]});
    } else {
      tets.push_back({corner[t[0]], corner[t[1]], corner[t[2]], corner[t[3]]});
    }
  }
}

std::array<int, 3> whole_cells(const Vec3& cells) {
  for (double count : cells) {
    if (count != std::floor(count)) {
      throw Error("box: cells = [{}, {}, {}]: must be whole numbers", cells[0], cells[1], cells[2]);
    }
  }
  require_count("box", 5 * cells.prod(), "use fewer cells");
  return {static_cast<int>(cells[0]), static_cast<int>(cells[1]), static_cast<int>(cells[2])};
}

Option tets_per_cell_option() {
  return Option::choice("tets_per_cell", {"5", "6"},
                        "tetrahedra that each cell is cut into: 5, turned from cell to cell, or 6 around the same diagonal "
                        "in all of them, along which the body is stiffer; 5 are mirror-symmetric along an axis with an even "
                        "number of cells")
      .with_default("5");
}
int tets_per_cell(const Options& o) { return o.text("tets_per_cell") == "5" ? 5 : 6; }

}  // namespace

TetMesh make_box(const Vec3& size, std::array<int, 3> cells, int tets_per_cell, const Vec3& origin) {
  const char* name = "box";
  if (tets_per_cell != 5 && tets_per_cell != 6) {
    throw Error("box: tets_per_cell = {}: must be 5 or 6", tets_per_cell);
  }
  for (int d = 0; d < 3; ++d) {
    require_length(name, "size", size[d]);
    require_at_least(name, "cells", cells[d], 1);
  }
  const int nx = cells[0], ny = cells[1], nz = cells[2];
  const double count = static_cast<double>(nx) * ny * nz * tets_per_cell;
  require_count(name, count, "use fewer cells");
  require_count(name, (nx + 1.0) * (ny + 1.0) * (nz + 1.0), "use fewer cells");

  const auto vertex = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  MatrixX3d X(vertex(nx, ny, nz) + 1, 3);
  std::vector<std::array<int, 4>> tets;
  tets.reserve(static_cast<size_t>(count));
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) {
        const Vec3 part(i / static_cast<double>(nx), j / static_cast<double>(ny), k / static_cast<double>(nz));
        X.row(vertex(i, j, k)) = origin + size.cwiseProduct(part);
        if (i == nx || j == ny || k == nz) continue;
        std::array<int, 8> corner;
        for (int c = 0; c < 8; ++c) corner[c] = vertex(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        if (tets_per_cell == 6) {
          add_six(corner, tets);
        } else {
          add_five(corner, (i + j + k) % 2 != 0, tets);
        }
      }
    }
  }
  return finish_mesh(name, std::move(X), tets, "choose a size nearer to 1 m and an origin that is not far larger");
}

TetMesh make_bar(double length, double width, double height, int cells_across, int tets_per_cell, int cells_along) {
  const char* name = "bar";
  require_length(name, "length", length);
  require_length(name, "width", width);
  require_length(name, "height", height);
  require_at_least(name, "cells_across", cells_across, 1);
  const double cell = width / cells_across;
  const double nx = cells_along > 0 ? cells_along : pieces(length, cell), ny = pieces(height, cell);
  require_count(name, nx * ny * cells_across * tets_per_cell, "use fewer cells across, or along");
  return make_box({length, height, width}, {static_cast<int>(nx), static_cast<int>(ny), cells_across}, tets_per_cell);
}

GeneratorEntry box_generator() {
  return {{"box",
           "a box of equal cells, from the origin along x, y and z",
           {Option::vec3("size", "m", "edge lengths").with_default(Vec3(1, 1, 1)).above(0),
            Option::vec3("cells", "", "whole number of cells along each edge").with_default(Vec3(6, 6, 6)).at_least(1),
            tets_per_cell_option(),
            Option::vec3("origin", "m", "the corner with the smallest coordinates").with_default(Vec3(0, 0, 0))}},
          [](const Options& o) {
            return make_box(o.vec3("size"), whole_cells(o.vec3("cells")), tets_per_cell(o), o.vec3("origin"));
          }};
}

GeneratorEntry bar_generator() {
  return {
      {"bar",
       "a bar of near-cubic cells, from the origin: length along x, height along y, width along z",
       {Option::number("length", "m", "size along x").with_default(4.0).above(0),
        Option::number("width", "m", "size along z").with_default(1.0).above(0),
        Option::number("height", "m", "size along y").with_default(1.0).above(0),
        Option::integer("cells_across", "cells over the width").with_default(4.0).at_least(1),
        Option::integer("cells_along", "cells over the length; 0: as many as make them near-cubic")
            .with_default(0.0)
            .at_least(0),
        tets_per_cell_option()}},
      [](const Options& o) {
        return make_bar(o.number("length"), o.number("width"), o.number("height"), o.integer("cells_across"),
                        tets_per_cell(o), o.integer("cells_along"));
      }};
}

}  // namespace brio
