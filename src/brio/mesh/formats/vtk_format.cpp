// VTK's legacy files (file formats of VTK 3.0 to 5.1), ASCII and binary: unstructured grids and polygonal data.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/scalar_type.hpp"
#include "brio/mesh/formats/text_reader.hpp"
#include "brio/mesh/formats/vtk_grid.hpp"

#include <cmath>

namespace brio {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();
constexpr ScalarType kInt{ScalarType::Kind::signed_integer, 4};

class VtkReader {
 public:
  explicit VtkReader(MeshSource source) : in_(std::move(source.bytes), source.name) {}

  LoadedMesh read() {
    read_head();
    while (more_ || in_.next_line()) {
      more_ = false;
      const std::string keyword(in_.word("keyword"));
      if (!read_section(keyword)) break;
    }
    if (!has_points_) throw Error("{}: has no POINTS", in_.path());
    MeshBuilder builder;
    add_grid(grid_, in_.path(), builder);
    return builder.finish(in_.path());
  }

 private:
  void read_head() {
    in_.need_line("# vtk DataFile Version");
    if (!in_.line().starts_with("# vtk DataFile Version")) {
      in_.fail("expected \"# vtk DataFile Version\", found {}", excerpt(in_.line()));
    }
    in_.need_line("ASCII or BINARY");
    if (in_.line() != "ASCII" && in_.line() != "BINARY") in_.need_line("ASCII or BINARY");  // that was the title
    binary_ = in_.line() == "BINARY";
    if (!binary_ && in_.line() != "ASCII") in_.fail("expected ASCII or BINARY, found {}", excerpt(in_.line()));
    in_.need_line("DATASET");
    if (in_.word("DATASET") != "DATASET") in_.fail("expected DATASET, found {}", excerpt(in_.line()));
    const std::string_view kind = in_.word("kind of data");
    if (kind != "UNSTRUCTURED_GRID" && kind != "POLYDATA") {
      in_.fail("data of kind {}: only UNSTRUCTURED_GRID and POLYDATA are read", excerpt(kind));
    }
  }

  /// False when the rest of the file is of no use.
  bool read_section(const std::string& keyword) {
    if (keyword == "POINTS") {
      if (has_points_) in_.fail("POINTS come a second time");
      has_points_ = true;
      const std::int64_t count = in_.integer("number of points", 0, kMost / 3);
      grid_.points = reals(3 * count, scalar_type(), "points");
    } else if (keyword == "CELLS") {
      read_cells(0);
    } else if (keyword == "POLYGONS") {
      read_cells(kVtkPolygon);
    } else if (keyword == "LINES") {
      read_cells(4);
    } else if (keyword == "VERTICES") {
      read_cells(2);
    } else if (keyword == "TRIANGLE_STRIPS") {
      read_cells(6);
    } else if (keyword == "CELL_TYPES") {
      if (!grid_.types.empty()) in_.fail("CELL_TYPES come a second time");
      grid_.types = integers(in_.integer("number of cells", 0, kMost), kInt, "cell types");
    } else if (keyword == "CELL_DATA" || keyword == "POINT_DATA") {
      of_cells_ = keyword == "CELL_DATA";
      tuples_ = in_.integer("number of values", 0, kMost);
    } else if (keyword == "METADATA") {
      skip_metadata();
    } else {
      return read_attribute(keyword);
    }
    return true;
  }

  bool read_attribute(const std::string& keyword) {
    if (keyword == "FIELD") {
      in_.word("name of the field");
      const std::int64_t arrays = in_.integer("number of arrays", 0, kMost);
      for (std::int64_t i = 0; i < arrays; ++i) {
        next_line("arrays of a field");
        if (in_.line().starts_with("METADATA")) {
          skip_metadata();
          next_line("arrays of a field");
        }
        const std::string name(in_.word("name of the array"));
        const std::int64_t components = in_.integer("number of components", 0, 1 << 16);
        const std::int64_t count = in_.integer("number of values", 0, kMost);
        take_array(name, components, count, scalar_type());
      }
      return true;
    }
    if (tuples_ < 0) in_.fail("expected POINTS, CELLS or another section, found {}", excerpt(keyword));
    if (keyword == "SCALARS") {
      const std::string name(in_.word("name of the array"));
      const ScalarType type = scalar_type();
      const std::int64_t components = in_.line_is_used_up() ? 1 : in_.integer("number of components", 1, 4);
      next_line("LOOKUP_TABLE");
      if (!in_.line().starts_with("LOOKUP_TABLE")) in_.fail("expected LOOKUP_TABLE, found {}", excerpt(in_.line()));
      in_.word("LOOKUP_TABLE");
      in_.word("name of the table");
      take_array(name, components, tuples_, type);
      return true;
    }
    if (keyword == "VECTORS" || keyword == "NORMALS" || keyword == "TENSORS") {
      const std::string name(in_.word("name of the array"));
      take_array(name, keyword == "TENSORS" ? 9 : 3, tuples_, scalar_type());
      return true;
    }
    return false;  // colors, textures and what else may come after the cells
  }

  /// The region of the cells is kept, if this is it; else the values are passed over.
  void take_array(const std::string& name, std::int64_t components, std::int64_t tuples, const ScalarType& type) {
    const bool wanted = of_cells_ && components == 1 && grid_.region.empty() && names_regions(name) &&
                        tuples == static_cast<std::int64_t>(grid_.types.size());
    if (components > 0 && tuples > in_.bytes_left() / components) {
      in_.fail("array {}: {} times {} numbers do not fit into the rest of the file", excerpt(name), tuples, components);
    }
    if (!wanted) return skip(tuples * components, type);
    for (double value : reals(tuples, type, name)) {
      if (!(std::fabs(value) <= kMost)) in_.fail("array {}: region {} is too large", excerpt(name), value);
      grid_.region.push_back(static_cast<std::int64_t>(value));
    }
  }

  /// Cells with a type of their own, or of one `type` for all of a section of polygonal data.
  void read_cells(int type) {
    if (type == 0 && !grid_.offsets.empty()) in_.fail("CELLS come a second time");
    const std::int64_t first = in_.integer("number of cells", 0, kMost);
    const std::int64_t second = in_.integer("size of the cells", 0, kMost);
    const bool offsets_apart = next_is_offsets();
    const auto base = static_cast<std::int64_t>(grid_.connectivity.size());
    size_t cells = 0;
    if (offsets_apart) {  // file format 5: counts of offsets and of points
      in_.word("OFFSETS");
      const std::vector<std::int64_t> offsets = integers(first, scalar_type(), "offsets of the cells");
      in_.need_line("CONNECTIVITY");
      if (in_.word("CONNECTIVITY") != "CONNECTIVITY") in_.fail("expected CONNECTIVITY, found {}", excerpt(in_.line()));
      const std::vector<std::int64_t> points = integers(second, scalar_type(), "points of the cells");
      grid_.connectivity.insert(grid_.connectivity.end(), points.begin(), points.end());
      for (size_t i = 1; i < offsets.size(); ++i) {
        if (offsets[i] < 0 || offsets[i] > second) in_.fail("offset {} of {} points", offsets[i], second);
        grid_.offsets.push_back(base + offsets[i]);
        ++cells;
      }
    } else {
      const std::vector<std::int64_t> numbers = integers(second, kInt, "points of the cells");
      for (size_t at = 0; at < numbers.size();) {
        const std::int64_t count = numbers[at++];
        if (count < 0 || count > static_cast<std::int64_t>(numbers.size() - at)) {
          in_.fail("cell {} has {} points, but {} numbers are left", cells, count, numbers.size() - at);
        }
        grid_.connectivity.insert(grid_.connectivity.end(), numbers.begin() + at, numbers.begin() + at + count);
        grid_.offsets.push_back(static_cast<std::int64_t>(grid_.connectivity.size()));
        at += count;
        ++cells;
      }
      if (static_cast<std::int64_t>(cells) != first) in_.fail("{} cells are announced, but there are {}", first, cells);
    }
    if (type > 0) grid_.types.insert(grid_.types.end(), cells, type);
  }

  /// Whether the line after the counts says OFFSETS; then it is the current one.
  bool next_is_offsets() {
    if (!in_.next_starts_with("OFFSETS")) return false;
    in_.need_line("OFFSETS");
    return true;
  }

  void next_line(std::string_view expected) {
    if (!more_) in_.need_line(expected);
    more_ = false;
  }

  /// Names of components and the like, up to a line that begins something else.
  void skip_metadata() {
    const auto belongs = [&](std::string_view line) {
      for (const char* start : {"INFORMATION", "NAME", "DATA", "COMPONENT_NAMES"})
        if (line.starts_with(start)) return true;
      return false;
    };
    bool names = false;  // of components: one a line, of any text
    while ((more_ = in_.next_line())) {
      if (!belongs(in_.line()) && !names) return;
      names = in_.line().starts_with("COMPONENT_NAMES");
    }
  }

  ScalarType scalar_type() {
    const std::string_view name = in_.word("type of the numbers");
    const ScalarType* type = find_scalar_type(name);
    if (!type) in_.fail("numbers of type {} are not read", excerpt(name));
    return *type;
  }

  void require_room(std::int64_t count, const ScalarType& type, std::string_view what) const {
    if (count > in_.bytes_left() / (binary_ ? type.bytes : 2) + 1) {
      in_.fail("{}: {} numbers should follow, but the file has only {} bytes left; it is cut off or a number is wrong",
               what, count, in_.bytes_left());
    }
  }

  void skip(std::int64_t count, const ScalarType& type) {
    require_room(count, type, "values");
    if (binary_) {
      in_.bytes(count * type.bytes, "values");
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      in_.need_word("values");
      in_.word("value");  // may be "nan"
    }
  }

  template <class T, class FromText, class FromBytes>
  std::vector<T> numbers(std::int64_t count, const ScalarType& type, std::string_view what, const FromText& from_text,
                         const FromBytes& from_bytes) {
    require_room(count, type, what);
    std::vector<T> values;
    values.reserve(static_cast<size_t>(count));
    if (binary_) {
      const std::string_view bytes = in_.bytes(count * type.bytes, what);
      for (std::int64_t i = 0; i < count; ++i) values.push_back(from_bytes(bytes.data() + i * type.bytes));
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        in_.need_word(what);
        values.push_back(from_text());
      }
    }
    return values;
  }
  std::vector<double> reals(std::int64_t count, const ScalarType& type, std::string_view what) {
    return numbers<double>(
        count, type, what, [&] { return in_.real(what); },
        [&](const char* data) { return type.real_at(data, ByteOrder::big); });
  }
  std::vector<std::int64_t> integers(std::int64_t count, const ScalarType& type, std::string_view what) {
    return numbers<std::int64_t>(
        count, type, what, [&] { return in_.integer(what); },
        [&](const char* data) { return type.integer_at(data, ByteOrder::big); });
  }

  TextReader in_;
  bool binary_ = false;
  bool more_ = false;  // the current line is one that has not been read
  bool has_points_ = false;
  bool of_cells_ = false;
  std::int64_t tuples_ = -1;  // values of each array that comes now; -1 before any data
  VtkGrid grid_;
};

std::string write_vtk(const LoadedMesh& loaded) {
  const bool tets = loaded.has_tets();
  const MatrixX3d& X = tets ? loaded.mesh.X : loaded.surface.X;
  const Index cells = tets ? loaded.mesh.T.rows() : loaded.surface.triangles.rows();
  MeshText text;
  text.add("# vtk DataFile Version 3.0\nbrio\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n", X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    text.add_row(X.row(i));
    text.add("\n");
  }
  text.add("CELLS {} {}\n", cells, cells * (tets ? 5 : 4));
  for (Index i = 0; i < cells; ++i) {
    text.add("{} ", tets ? 4 : 3);
    tets ? text.add_row(loaded.mesh.T.row(i)) : text.add_row(loaded.surface.triangles.row(i));
    text.add("\n");
  }
  text.add("CELL_TYPES {}\n", cells);
  for (Index i = 0; i < cells; ++i) text.add("{}\n", vtk_type(tets ? 4 : 3));
  if (tets && loaded.mesh.region.size() > 0) {
    text.add("CELL_DATA {}\nSCALARS region int 1\nLOOKUP_TABLE default\n", cells);
    for (int region : loaded.mesh.region) text.add("{}\n", region);
  }
  return text.take();
}

}  // namespace

MeshFormat vtk_format() {
  MeshFormat format;
  format.name = "vtk";
  format.summary = "VTK's legacy files, ASCII and binary; written as ASCII; the cell array \"region\" is kept";
  format.extensions = {".vtk"};
  format.tets = format.surfaces = true;
  format.read = [](MeshSource source) { return VtkReader(std::move(source)).read(); };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> { return {{".vtk", write_vtk(mesh)}}; };
  return format;
}

}  // namespace brio
