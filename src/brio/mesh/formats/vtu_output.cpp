#include "brio/mesh/formats/vtu_output.hpp"

#include "brio/mesh/formats/vtk_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace brio {
namespace {

/// The XML header names each array and where it begins in the appended data; the data follow in the same order, each
/// after its length in bytes.
class AppendedArrays {
 public:
  template <class T>
  std::string add(std::string_view attributes, const T* data, size_t count) {
    static_assert(std::endian::native == std::endian::little, "the header says so");
    const std::string_view bytes(reinterpret_cast<const char*>(data), count * sizeof(T));
    const std::string element = fmt::format("<DataArray {} format=\"appended\" offset=\"{}\"/>\n", attributes, offset_);
    arrays_.push_back(bytes);
    offset_ += sizeof(std::uint64_t) + bytes.size();
    return element;
  }

  void write(const ByteSink& sink) const {
    for (std::string_view bytes : arrays_) {
      const std::uint64_t length = bytes.size();
      sink({reinterpret_cast<const char*>(&length), sizeof(length)});
      sink(bytes);
    }
  }

  /// meshio (5.3) reads such files by putting its own offsets, those of the arrays in base64, in the place of ours one
  /// by one, and takes the wrong array where one of its offsets is also one of ours further on.
  bool confuse_meshio() const {
    std::vector<size_t> ours = {0}, theirs = {0};
    for (std::string_view bytes : arrays_) {
      const size_t length = sizeof(std::uint64_t) + bytes.size();
      ours.push_back(ours.back() + length);
      theirs.push_back(theirs.back() + (length + 2) / 3 * 4);
    }
    for (size_t k = 1; k < arrays_.size(); ++k)
      if (std::find(ours.begin() + static_cast<std::ptrdiff_t>(k) + 1, ours.end() - 1, theirs[k]) != ours.end() - 1)
        return true;
    return false;
  }

 private:
  std::vector<std::string_view> arrays_;
  size_t offset_ = 0;
};

/// The first field of each kind is the one that a viewer shows.
std::string active_fields(std::span<const PointField> fields) {
  std::string attributes;
  for (const auto& [components, attribute] : {std::pair{3, "Vectors"}, std::pair{1, "Scalars"}})
    for (const PointField& field : fields)
      if (field.components == components) {
        attributes += fmt::format(" {}=\"{}\"", attribute, field.name);
        break;
      }
  return attributes;
}

/// One list of all kinds: that of the only one, where it is, or all of them one after the other.
class JoinedLists {
 public:
  JoinedLists(std::span<const GridCells> kinds, std::vector<int> GridCells::*list) {
    if (kinds.size() == 1) {
      all_ = kinds.front().*list;
      return;
    }
    for (const GridCells& cells : kinds) joined_.insert(joined_.end(), (cells.*list).begin(), (cells.*list).end());
    all_ = joined_;
  }
  JoinedLists(const JoinedLists&) = delete;
  JoinedLists& operator=(const JoinedLists&) = delete;

  const std::int32_t* data() const { return all_.data(); }
  size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }

 private:
  std::vector<std::int32_t> joined_;
  std::span<const std::int32_t> all_;
};

/// Cells of all kinds, as VTK lists them.
struct CellArrays {
  JoinedLists connectivity, region, body;
  std::vector<std::int32_t> offsets;       ///< where each cell's vertices end
  std::vector<std::int64_t> wide_offsets;  ///< the same, where asked for
  std::vector<std::uint8_t> types;

  explicit CellArrays(std::span<const GridCells> kinds)
      : connectivity(kinds, &GridCells::vertices), region(kinds, &GridCells::region), body(kinds, &GridCells::body) {
    std::int32_t end = 0;
    for (const GridCells& cells : kinds) {
      for (size_t i = 0; i < cells.count(); ++i) offsets.push_back(end += cells.corners);
      types.insert(types.end(), cells.count(), static_cast<std::uint8_t>(vtk_type(cells.corners)));
    }
  }
  void widen() {
    wide_offsets.assign(offsets.begin(), offsets.end());
    offsets = {};
  }
};

constexpr std::string_view type_of(const double*) { return "Float64"; }
constexpr std::string_view type_of(const int*) { return "Int32"; }

std::string field_arrays(std::span<const PointField> fields, size_t rows, AppendedArrays& arrays) {
  std::string xml;
  for (const PointField& field : fields) {
    const std::string size =
        field.components > 1 ? fmt::format(" NumberOfComponents=\"{}\"", field.components) : std::string();
    xml += std::visit(
        [&](const auto* values) {
          return arrays.add(fmt::format("type=\"{}\" Name=\"{}\"{}", type_of(values), field.name, size), values,
                            rows * static_cast<size_t>(field.components));
        },
        field.values);
  }
  return xml;
}

/// The XML before the appended arrays. `wide`: where cells end, in 64 bits each.
std::string vtu_header(const MatrixX3d& x, const CellArrays& cells, std::span<const PointField> fields,
                       std::span<const PointField> at_cells, bool wide, AppendedArrays& arrays) {
  const size_t points = static_cast<size_t>(x.rows());
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n";
  xml += fmt::format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", points,
                     cells.types.size());
  xml += arrays.add("type=\"Float64\" Name=\"position\" NumberOfComponents=\"3\"", x.data(), 3 * points);
  xml += "</Points>\n<Cells>\n";
  xml += arrays.add("type=\"Int32\" Name=\"connectivity\"", cells.connectivity.data(), cells.connectivity.size());
  xml += wide ? arrays.add("type=\"Int64\" Name=\"offsets\"", cells.wide_offsets.data(), cells.wide_offsets.size())
              : arrays.add("type=\"Int32\" Name=\"offsets\"", cells.offsets.data(), cells.offsets.size());
  xml += arrays.add("type=\"UInt8\" Name=\"types\"", cells.types.data(), cells.types.size());
  xml += "</Cells>\n";
  if (!fields.empty()) {
    xml += fmt::format("<PointData{}>\n", active_fields(fields));
    xml += field_arrays(fields, points, arrays);
    xml += "</PointData>\n";
  }
  if (!cells.region.empty()) {
    xml += "<CellData Scalars=\"region\">\n";
    xml += arrays.add("type=\"Int32\" Name=\"region\"", cells.region.data(), cells.region.size());
    if (!cells.body.empty()) xml += arrays.add("type=\"Int32\" Name=\"body\"", cells.body.data(), cells.body.size());
    xml += field_arrays(at_cells, cells.types.size(), arrays);
    xml += "</CellData>\n";
  }
  xml += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  return xml;
}

}  // namespace

void write_vtu(const MatrixX3d& x, std::span<const GridCells> kinds, std::span<const PointField> fields,
               const ByteSink& sink, std::span<const PointField> at_cells) {
  CellArrays cells(kinds);
  AppendedArrays arrays;
  std::string xml = vtu_header(x, cells, fields, at_cells, false, arrays);
  if (arrays.confuse_meshio()) {
    arrays = {};
    cells.widen();
    xml = vtu_header(x, cells, fields, at_cells, true, arrays);
  }
  sink(xml);
  arrays.write(sink);
  sink("\n</AppendedData>\n</VTKFile>\n");
}

}  // namespace brio
