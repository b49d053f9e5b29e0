// TetGen's pair of files: name.node with the points, name.ele with the tetrahedra. Either may be named.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_builder.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <cmath>

namespace brio {
namespace {

constexpr int kMostMarker = std::numeric_limits<int>::max();
constexpr int kMostAttributes = 64;

/// Points are counted from 0 or 1; the first of the file tells.
std::int64_t read_nodes(MeshSource source, MeshBuilder& builder) {
  TextReader in(std::move(source.bytes), source.name, '#');
  in.need_line("number of points");
  const std::int64_t count = in.count("number of points", 8);
  in.integer("dimension", 3, 3);
  const std::int64_t attributes = in.line_is_used_up() ? 0 : in.integer("number of attributes", 0, kMostAttributes);
  const bool marked = !in.line_is_used_up() && in.integer("boundary markers", 0, 1) == 1;
  in.end_of_line();
  builder.reserve_vertices(static_cast<size_t>(count));
  std::int64_t first = 0;
  for (int i = 0; i < count; ++i) {
    in.need_line("points");
    if (i == 0) first = in.integer("number of the first point", 0, 1);
    if (i > 0) in.integer("number of the point", first + i, first + i);
    const double x = in.real("x"), y = in.real("y"), z = in.real("z");
    builder.add_vertex({x, y, z});
    for (std::int64_t k = 0; k < attributes; ++k) in.real("attribute");
    if (marked) {
      const std::int64_t marker = in.integer("boundary marker", -kMostMarker, kMostMarker);
      for (int tag : builder.group(marker)) builder.put_into_group(0, tag, {&i, 1});
    }
    in.end_of_line();
  }
  return first;
}

/// Regions are written as numbers with or without a decimal point.
std::int64_t region_of(TextReader& in) {
  const double value = in.real("attribute of the tetrahedron, its region");
  if (value != std::floor(value) || std::fabs(value) > kMostMarker) {
    in.fail("attribute {}: expected a whole number, the region", value);
  }
  return static_cast<std::int64_t>(value);
}

void read_elements(MeshSource source, std::int64_t first, MeshBuilder& builder) {
  TextReader in(std::move(source.bytes), source.name, '#');
  in.need_line("number of tetrahedra");
  const std::int64_t count = in.count("number of tetrahedra", 10);
  const std::int64_t nodes = in.line_is_used_up() ? 4 : in.integer("points of a tetrahedron", 4, 10);
  if (nodes != 4 && nodes != 10) in.fail("points of a tetrahedron = {}: expected 4 or 10", nodes);
  const std::int64_t attributes = in.line_is_used_up() ? 0 : in.integer("number of attributes", 0, kMostAttributes);
  in.end_of_line();
  const CellType type{0, 3, 4, static_cast<int>(nodes), "tetrahedra"};
  for (std::int64_t i = 0; i < count; ++i) {
    in.need_line("tetrahedra");
    in.integer("number of the tetrahedron", 0);
    std::array<int, 10> corner;
    for (int c = 0; c < nodes; ++c) {
      corner[c] =
          static_cast<int>(in.integer("point of the tetrahedron", first, first + builder.vertices() - 1) - first);
    }
    std::int64_t region = 0;
    for (std::int64_t k = 0; k < attributes; ++k) k == 0 ? void(region = region_of(in)) : void(in.real("attribute"));
    in.end_of_line();
    builder.add_cell(type, std::span<const int>(corner.data(), 4), builder.group(region));
  }
}

LoadedMesh read_tetgen(MeshSource source) {
  const bool named_by_points = std::filesystem::path(source.name).extension() == ".node";
  MeshSource other = source.beside(named_by_points ? ".ele" : ".node");
  const std::string name = source.name;
  MeshSource &points = named_by_points ? source : other, &cells = named_by_points ? other : source;
  MeshBuilder builder;
  const std::int64_t first = read_nodes(std::move(points), builder);
  read_elements(std::move(cells), first, builder);
  return builder.finish(name);
}

std::vector<MeshFile> write_tetgen(const LoadedMesh& loaded) {
  const TetMesh& mesh = loaded.mesh;
  const bool regions = mesh.region.size() > 0 && (mesh.region.array() != 0).any();
  MeshText points, cells;
  points.add("{} 3 0 0\n", mesh.vertices());
  for (int i = 0; i < mesh.vertices(); ++i) {
    points.add("{} ", i + 1);
    points.add_row(mesh.X.row(i));
    points.add("\n");
  }
  cells.add("{} 4 {}\n", mesh.tets(), regions ? 1 : 0);
  for (int t = 0; t < mesh.tets(); ++t) {
    cells.add("{} ", t + 1);
    cells.add_indices(mesh.T.row(t), 1);
    if (regions) cells.add(" {}", mesh.region[t]);
    cells.add("\n");
  }
  return {{".node", points.take()}, {".ele", cells.take()}};
}

}  // namespace

MeshFormat tetgen_format() {
  MeshFormat format;
  format.name = "tetgen";
  format.summary = "TetGen's .node and .ele side by side, counted from 0 or 1; written from 1; attributes are regions";
  format.extensions = {".ele", ".node"};
  format.tets = true;
  format.read = read_tetgen;
  format.write = write_tetgen;
  return format;
}

}  // namespace brio
