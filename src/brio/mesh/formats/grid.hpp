#pragma once
// What files of grids (VTU, Gmsh) hold besides points: cells, kind by kind, and fields at the points. A mesh and a
// frame of a run are written by the same functions from it.

#include "brio/core/types.hpp"

#include <functional>
#include <string_view>
#include <variant>
#include <vector>

namespace brio {

/// Cells of one kind. Of the kinds in one file all have regions or none, and bodies likewise.
struct GridCells {
  int corners = 4;            ///< 2 for lines, 3 for triangles, 4 for tetrahedra
  std::vector<int> vertices;  ///< `corners` of each cell, counted from 0
  std::vector<int> region;    ///< of each cell; empty where nothing is said about it
  std::vector<int> body;      ///< of each cell; empty where nothing is said about it

  GridCells() = default;
  /// One cell for each row.
  template <class Rows>
  explicit GridCells(const Rows& rows)
      : corners(static_cast<int>(rows.cols())), vertices(rows.data(), rows.data() + rows.size()) {
    static_assert(Rows::IsRowMajor);
  }
  size_t count() const { return vertices.size() / static_cast<size_t>(corners); }
};

/// Numbers at every point; the caller owns the values.
struct PointField {
  std::string_view name;
  int components = 1;
  std::variant<const double*, const int*> values;  ///< `components` for each point
};

/// Where the bytes of a file go, piece by piece.
using ByteSink = std::function<void(std::string_view)>;

}  // namespace brio
