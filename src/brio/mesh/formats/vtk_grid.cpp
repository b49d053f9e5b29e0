#include "brio/mesh/formats/vtk_grid.hpp"

#include "brio/core/error.hpp"

#include <cmath>
#include <utility>

namespace brio {
namespace {

constexpr int kVtkMid[] = {0, 2, 3, 1, 4, 5};  // its edges: 01 12 02 03 13 23

constexpr CellType kVtkCells[] = {
    {1, 0, 1, 1, "points"},       {2, 0, 0, 0, "points"},       {3, 1, 2, 2, "lines"},
    {4, 1, 0, 0, "lines"},        {5, 2, 3, 3, "triangles"},    {6, 1, 0, 0, "triangle strips"},
    {7, 2, 0, 0, "polygons"},     {8, 1, 4, 4, "pixels"},       {9, 2, 4, 4, "quadrangles"},
    {10, 3, 4, 4, "tetrahedra"},  {11, 3, 8, 8, "voxels"},      {12, 3, 8, 8, "hexahedra"},
    {13, 3, 6, 6, "prisms"},      {14, 3, 5, 5, "pyramids"},    {21, 1, 2, 3, "lines"},
    {22, 2, 3, 6, "triangles"},   {23, 2, 4, 8, "quadrangles"}, {24, 3, 4, 10, "tetrahedra", kVtkMid},
    {25, 3, 8, 20, "hexahedra"},  {26, 3, 6, 15, "prisms"},     {27, 3, 5, 13, "pyramids"},
    {28, 2, 4, 9, "quadrangles"}, {29, 3, 8, 27, "hexahedra"},
};
constexpr int kVoxel = 11;
constexpr CellType kUnknown{0, 3, 0, 0, "cells of other types"};

constexpr std::string_view kRegionNames[] = {"region",        "regions",    "regionid",    "region_id",     "material",
                                             "materials",     "materialid", "materialids", "material_id",   "attribute",
                                             "gmsh:physical", "medit:ref",  "tetgen:ref",  "cellentityids", "cell_tags",
                                             "physical",      "subdomain",  "subdomains"};

void add_points(const VtkGrid& grid, const std::string& path, MeshBuilder& builder) {
  if (grid.points.size() % 3 != 0)
    throw Error("{}: {} coordinates are not three for each point", path, grid.points.size());
  if (grid.points.size() / 3 + builder.vertices() > std::numeric_limits<int>::max()) {
    throw Error("{}: more points than can be counted", path);
  }
  builder.reserve_vertices(builder.vertices() + grid.points.size() / 3);
  for (size_t i = 0; i < grid.points.size(); i += 3) {
    const Vec3 x(grid.points[i], grid.points[i + 1], grid.points[i + 2]);
    if (!x.allFinite())
      throw Error("{}: point {} is at ({}, {}, {}): expected finite numbers", path, i / 3, x[0], x[1], x[2]);
    builder.add_vertex(x);
  }
}

}  // namespace

int vtk_type(int corners) { return simplex_type(kVtkCells, corners); }

bool names_regions(std::string_view array) {
  std::string name(array);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
  for (std::string_view known : kRegionNames)
    if (name == known) return true;
  return false;
}

void add_grid(const VtkGrid& grid, const std::string& path, MeshBuilder& builder) {
  const int before = builder.vertices();
  add_points(grid, path, builder);
  const size_t cells = grid.types.size();
  if (grid.offsets.size() != cells) {
    throw Error("{}: {} cells have a type, but {} have points", path, cells, grid.offsets.size());
  }
  const bool regions = grid.region.size() == cells;
  const auto points = static_cast<std::int64_t>(grid.points.size() / 3);
  std::vector<int> corners;
  std::int64_t begin = 0;
  for (size_t i = 0; i < cells; ++i) {
    const std::int64_t end = grid.offsets[i];
    if (end < begin || end > static_cast<std::int64_t>(grid.connectivity.size())) {
      throw Error("{}: cell {}: its points end at {} of {}", path, i, end, grid.connectivity.size());
    }
    const CellType* found = find_cell_type(kVtkCells, grid.types[i]);
    const CellType& type = found ? *found : kUnknown;
    if (type.nodes > 0 && end - begin != type.nodes) {
      throw Error("{}: cell {}: {} of type {} have {} points, not {}", path, i, type.name, type.type, type.nodes,
                  end - begin);
    }
    corners.clear();
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t point = grid.connectivity[k];
      if (point < 0 || point >= points) {
        throw Error("{}: cell {} names point {}, but there are {} (counted from 0)", path, i, point, points);
      }
      if (type.corners == 0 || type.mid || k - begin < type.corners)
        corners.push_back(before + static_cast<int>(point));
    }
    if (type.type == kVoxel) {  // row by row; hexahedra go around
      std::swap(corners[2], corners[3]);
      std::swap(corners[6], corners[7]);
    }
    builder.add_cell(type, corners, builder.group(regions ? grid.region[i] : 0));
    begin = end;
  }
}

}  // namespace brio
