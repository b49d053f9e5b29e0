#include "brio/mesh/formats/vtu_output.hpp"

#include "brio/mesh/formats/vtk_grid.hpp"

#include <fmt/format.h>

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

}  // namespace

void write_vtu(const MatrixX3d& x, const GridCells& cells, std::span<const PointField> fields, const ByteSink& sink) {
  const size_t points = static_cast<size_t>(x.rows());
  std::vector<std::int32_t> offsets;  // where each cell's vertices end
  for (size_t i = 1; i <= cells.count(); ++i) offsets.push_back(static_cast<std::int32_t>(i) * cells.corners);
  const std::vector<std::uint8_t> types(cells.count(), static_cast<std::uint8_t>(vtk_type(cells.corners)));

  AppendedArrays arrays;
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n";
  xml += fmt::format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", points,
                     cells.count());
  xml += arrays.add("type=\"Float64\" Name=\"position\" NumberOfComponents=\"3\"", x.data(), 3 * points);
  xml += "</Points>\n<Cells>\n";
  xml += arrays.add("type=\"Int32\" Name=\"connectivity\"", cells.vertices.data(), cells.vertices.size());
  xml += arrays.add("type=\"Int32\" Name=\"offsets\"", offsets.data(), offsets.size());
  xml += arrays.add("type=\"UInt8\" Name=\"types\"", types.data(), types.size());
  xml += "</Cells>\n";
  if (!fields.empty()) {
    xml += fmt::format("<PointData{}>\n", active_fields(fields));
    for (const PointField& field : fields) {
      const std::string size =
          field.components > 1 ? fmt::format(" NumberOfComponents=\"{}\"", field.components) : std::string();
      xml += arrays.add(fmt::format("type=\"Float64\" Name=\"{}\"{}", field.name, size), field.values,
                        points * static_cast<size_t>(field.components));
    }
    xml += "</PointData>\n";
  }
  if (!cells.region.empty()) {
    xml += "<CellData Scalars=\"region\">\n";
    xml += arrays.add("type=\"Int32\" Name=\"region\"", cells.region.data(), cells.region.size());
    xml += "</CellData>\n";
  }
  xml += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  sink(xml);
  arrays.write(sink);
  sink("\n</AppendedData>\n</VTKFile>\n");
}

}  // namespace brio
