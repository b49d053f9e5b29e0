#include "brio/mesh/formats/gmsh_output.hpp"

#include "brio/mesh/formats/gmsh_input.hpp"

#include <bit>

namespace brio {
namespace {

constexpr int kTags = 2;  // of an element: its physical group and its entity

/// One line inside of quotation marks.
std::string quotable(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 32 || c == '"') c = '_';
  return name.empty() ? "unnamed" : name;
}

}  // namespace

/// In text a blank follows each number.
template <class T>
void GmshOutput::add_number(T value) {
  static_assert(std::endian::native == std::endian::little, "the number 1 in the header tells it");
  if (binary_) {
    text_.add_bytes({reinterpret_cast<const char*>(&value), sizeof(value)});
  } else {
    text_.add("{} ", value);
  }
}

void GmshOutput::end_section(std::string_view name) { text_.add("{}$End{}\n", binary_ ? "\n" : "", name); }

void GmshOutput::add_header() {
  text_.add("$MeshFormat\n2.2 {} 8\n", binary_ ? 1 : 0);
  if (binary_) add_number(std::int32_t{1});  // tells the byte order
  end_section("MeshFormat");
}

void GmshOutput::add_names(const std::vector<GmshGroup>& groups) {
  if (groups.empty()) return;
  text_.add("$PhysicalNames\n{}\n", groups.size());
  for (const GmshGroup& group : groups) text_.add("{} {} \"{}\"\n", group.dimension, group.tag, quotable(group.name));
  text_.add("$EndPhysicalNames\n");
}

/// A row of numbers for each node or element, counted from 1.
void GmshOutput::add_rows(const double* values, Index rows, int columns) {
  if (binary_) text_.reserve(static_cast<size_t>(rows * (4 + 8 * columns)));
  for (Index i = 0; i < rows; ++i) {
    add_number(static_cast<std::int32_t>(i) + 1);
    const Eigen::Map<const VectorXd> row(values + i * columns, columns);
    if (binary_) {
      for (double value : row) add_number(value);
    } else {
      text_.add_row(row);
      text_.add("\n");
    }
  }
}

void GmshOutput::add_nodes(const MatrixX3d& x) {
  text_.add("$Nodes\n{}\n", x.rows());
  add_rows(x.data(), x.rows(), 3);
  end_section("Nodes");
}

void GmshOutput::begin_elements(size_t count) {
  text_.add("$Elements\n{}\n", count);
  elements_ = 0;
}

void GmshOutput::begin_block(int corners, size_t count) {
  type_ = corners == 10 ? kGmshQuadraticTet : simplex_type(gmsh_cells(), corners);
  if (binary_)
    for (int value : {type_, static_cast<int>(count), kTags}) add_number(value);
}

void GmshOutput::add_element(int group, int entity, std::span<const int> vertices) {
  add_number(++elements_);
  if (!binary_)
    for (int value : {type_, kTags}) add_number(value);
  for (int value : {group, entity}) add_number(value);
  if (binary_) {
    for (int vertex : vertices) add_number(vertex + 1);
  } else {
    text_.add_indices(Eigen::Map<const VectorXi>(vertices.data(), static_cast<Index>(vertices.size())), 1);
    text_.add("\n");
  }
}

void GmshOutput::end_elements() { end_section("Elements"); }

void GmshOutput::add_elements(std::span<const GridCells> kinds) {
  size_t count = 0;
  for (const GridCells& cells : kinds) count += cells.count();
  begin_elements(count);
  for (const GridCells& cells : kinds) {
    begin_block(cells.corners, cells.count());
    for (size_t i = 0; i < cells.count(); ++i) {
      const int group = cells.region.empty() ? 0 : cells.region[i];
      const auto corners = static_cast<size_t>(cells.corners);
      add_element(group, group + 1, std::span(cells.vertices).subspan(i * corners, corners));
    }
  }
  end_elements();
}

void GmshOutput::add_data(std::string_view section, const PointField& field, Index rows, double time, int frame) {
  text_.add("${}\n1\n\"{}\"\n1\n{}\n3\n{}\n{}\n{}\n", section, field.name, time, frame, field.components, rows);
  if (const auto* reals = std::get_if<const double*>(&field.values)) {
    add_rows(*reals, rows, field.components);
  } else {  // Gmsh's views know reals only
    const int* integers = std::get<const int*>(field.values);
    const std::vector<double> as_reals(integers, integers + rows * field.components);
    add_rows(as_reals.data(), rows, field.components);
  }
  end_section(section);
}

}  // namespace brio
