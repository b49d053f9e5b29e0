// Medit's ASCII files (INRIA RT-0253, as tetgen, mmg and CGAL write them): keywords, counts and numbers, separated by
// blanks or line ends alike.

#include "brio/mesh/formats/mesh_builder.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/text_reader.hpp"

namespace brio {
namespace {

constexpr int kMostReference = std::numeric_limits<int>::max();

constexpr int kMeditMid[] = {0, 2, 3, 1, 4, 5};  // edges of a tetrahedron of second order: 01 12 02 03 13 23

/// Keywords that are followed by a count and rows of so many numbers, the last of a cell its reference.
struct CellKeyword {
  std::string_view keyword;
  CellType type;
};
constexpr CellKeyword kMeditCells[] = {
    {"Edges", {0, 1, 2, 2, "lines"}},
    {"Triangles", {0, 2, 3, 3, "triangles"}},
    {"Quadrilaterals", {0, 2, 4, 4, "quadrangles"}},
    {"Tetrahedra", {0, 3, 4, 4, "tetrahedra"}},
    {"Tetrahedrons", {0, 3, 4, 4, "tetrahedra"}},
    {"EdgesP2", {0, 1, 2, 3, "lines"}},
    {"TrianglesP2", {0, 2, 3, 6, "triangles"}},
    {"TetrahedraP2", {0, 3, 4, 10, "tetrahedra", kMeditMid}},
    {"Hexahedra", {0, 3, 8, 8, "hexahedra"}},
    {"Hexaedra", {0, 3, 8, 8, "hexahedra"}},
    {"Prisms", {0, 3, 6, 6, "prisms"}},
    {"Pyramids", {0, 3, 5, 5, "pyramids"}},
};

/// Keywords of no use here, and how many numbers stand in each of their rows.
struct Ignored {
  std::string_view keyword;
  int numbers;
};
constexpr Ignored kIgnored[] = {
    {"Corners", 1},
    {"RequiredVertices", 1},
    {"Ridges", 1},
    {"RequiredEdges", 1},
    {"RequiredTriangles", 1},
    {"Normals", 3},
    {"NormalAtVertices", 2},
    {"Tangents", 3},
    {"TangentAtVertices", 2},
    {"TangentAtEdges", 3},
    {"ParallelEdges", 1},
    {"RequiredTetrahedra", 1},
    {"ParallelTriangles", 1},
    {"RequiredQuadrilaterals", 1},
};

template <class Row>
const Row* find_keyword(std::span<const Row> table, std::string_view keyword) {
  for (const Row& row : table)
    if (row.keyword == keyword) return &row;
  return nullptr;
}

class MeditReader {
 public:
  explicit MeditReader(MeshSource source) : in_(std::move(source.bytes), source.name, '#') {}

  LoadedMesh read() {
    in_.need_word("MeshVersionFormatted");
    if (in_.word("keyword") != "MeshVersionFormatted") {
      in_.fail("expected MeshVersionFormatted, found {}; binary files (.meshb) are not read", excerpt(in_.line()));
    }
    integer("version", 1, 4);
    while (in_.find_word()) {
      const std::string keyword(in_.word("keyword"));
      if (keyword == "End") break;
      read_section(keyword);
    }
    if (builder_.vertices() == 0) throw Error("{}: has no Vertices", in_.path());
    return builder_.finish(in_.path());
  }

 private:
  void read_section(const std::string& keyword) {
    if (keyword == "Dimension") {
      integer("dimension", 3, 3);
    } else if (keyword == "Vertices") {
      read_vertices();
    } else if (const CellKeyword* cells = find_keyword<CellKeyword>(kMeditCells, keyword)) {
      read_cells(cells->type, keyword);
    } else if (const Ignored* ignored = find_keyword<Ignored>(kIgnored, keyword)) {
      const std::int64_t count = rows(keyword, ignored->numbers);
      for (std::int64_t i = 0; i < count * ignored->numbers; ++i) real("number");
    } else {
      in_.fail("{} is not a keyword that is known", excerpt(keyword));
    }
  }

  void read_vertices() {
    if (builder_.vertices() > 0) in_.fail("Vertices come a second time");
    const std::int64_t count = rows("number of vertices", 4);
    builder_.reserve_vertices(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
      const double x = real("x"), y = real("y"), z = real("z");
      builder_.add_vertex({x, y, z});
      const std::int64_t reference = integer("reference", -kMostReference, kMostReference);
      for (int tag : builder_.group(reference)) builder_.put_into_group(0, tag, {&i, 1});
    }
  }

  void read_cells(const CellType& type, const std::string& keyword) {
    const std::int64_t count = rows(keyword, type.nodes + 1);
    std::array<int, 10> corner;
    for (std::int64_t i = 0; i < count; ++i) {
      for (int c = 0; c < type.nodes; ++c) {
        corner[c] = static_cast<int>(integer("vertex of a cell", 1, builder_.vertices())) - 1;
      }
      const std::int64_t reference = integer("reference", -kMostReference, kMostReference);
      builder_.add_cell(type, std::span<const int>(corner.data(), type.nodes), builder_.group(reference));
    }
  }

  std::int64_t rows(std::string_view what, int numbers) {
    in_.need_word(what);
    return in_.count(what, 2 * numbers);
  }
  std::int64_t integer(std::string_view what, std::int64_t least, std::int64_t most) {
    in_.need_word(what);
    return in_.integer(what, least, most);
  }
  double real(std::string_view what) {
    in_.need_word(what);
    return in_.real(what);
  }

  TextReader in_;
  MeshBuilder builder_;
};

std::string write_medit(const LoadedMesh& loaded) {
  const MatrixX3d& X = loaded.has_tets() ? loaded.mesh.X : loaded.surface.X;
  MeshText text;
  text.add("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    text.add_row(X.row(i));
    text.add(" 0\n");
  }
  const auto add_cells = [&](const char* keyword, const auto& cells, const VectorXi& reference, int first) {
    text.add("{}\n{}\n", keyword, cells.rows());
    for (Index i = 0; i < cells.rows(); ++i) {
      text.add_indices(cells.row(i), 1);
      text.add(" {}\n", reference.size() > 0 ? reference[i] + first : 0);
    }
  };
  if (loaded.has_tets() && loaded.mesh.order() == 2) {
    add_cells("TetrahedraP2", cells_of_ten_nodes(loaded.mesh, kMeditMid), loaded.mesh.region, 0);
  } else if (loaded.has_tets()) {
    add_cells("Tetrahedra", loaded.mesh.T, loaded.mesh.region, 0);
  } else {
    add_cells("Triangles", loaded.surface.triangles, loaded.surface.group, 1);
  }
  text.add("End\n");
  return text.take();
}

}  // namespace

MeshFormat medit_format() {
  MeshFormat format;
  format.name = "medit";
  format.summary = "Medit, ASCII (mmg, TetGen -g, CGAL); references are regions and sets, written without names";
  format.extensions = {".mesh"};
  format.tets = format.surfaces = format.second_order = true;
  format.read = [](MeshSource source) { return MeditReader(std::move(source)).read(); };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> { return {{".mesh", write_medit(mesh)}}; };
  return format;
}

}  // namespace brio
