#include "brio/output/frames/vtu.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

constexpr std::string_view kCollectionHead =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
    "byte_order=\"LittleEndian\">\n<Collection>\n";
constexpr std::string_view kCollectionTail = "</Collection>\n</VTKFile>\n";

// VTK's numbers for the cell types.
constexpr std::uint8_t kVtkLine = 3, kTriangle = 5, kTetrahedron = 10;

/// The XML header names each array and where it begins in the appended data; the data follow in the same order, each
/// after its length in bytes.
class AppendedArrays {
 public:
  template <class T>
  std::string add(std::string_view attributes, const T* data, size_t count) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), count * sizeof(T));
    const std::string element = fmt::format("<DataArray {} format=\"appended\" offset=\"{}\"/>\n", attributes, offset_);
    arrays_.push_back(bytes);
    offset_ += sizeof(std::uint64_t) + bytes.size();
    return element;
  }

  void write(OutputFile& file) const {
    for (std::string_view bytes : arrays_) {
      const std::uint64_t length = bytes.size();
      file.write(std::span<const std::uint64_t>(&length, 1));
      file.write(bytes);
    }
  }

 private:
  std::vector<std::string_view> arrays_;
  size_t offset_ = 0;
};

}  // namespace

VtuWriter::VtuWriter(const std::filesystem::path& folder, const BodyTopology& body) : folder_(folder) {
  set_topology(body);
  create_sequence_folder(folder_, "vtu");
  collection_ = std::make_unique<OutputFile>(folder_ / "frames.pvd");
  collection_->write(kCollectionHead);
  collection_->write(kCollectionTail);
  collection_->flush();
  collection_end_ = static_cast<long>(kCollectionHead.size());
}

bool VtuWriter::set_topology(const BodyTopology& body) {
  check_topology(body);
  vertices_ = body.vertices;
  const auto set_cells = [&](const auto& cells, std::uint8_t type) {
    connectivity_.assign(cells.data(), cells.data() + cells.size());
    offsets_.clear();
    for (Index i = 1; i <= cells.rows(); ++i) offsets_.push_back(static_cast<std::int32_t>(i * cells.cols()));
    types_.assign(cells.rows(), type);
    region_.assign(cells.rows(), 0);
  };
  if (body.tets.rows() > 0) {
    set_cells(body.tets, kTetrahedron);
    if (body.region.size() > 0) region_.assign(body.region.begin(), body.region.end());
  } else if (body.triangles.rows() > 0) {
    set_cells(body.triangles, kTriangle);
  } else {
    set_cells(body.edges, kVtkLine);
  }
  return true;
}

void VtuWriter::write(const Frame& frame) {
  check_frame(vertices_, frame);
  const std::string name = sequence_name(frames_, "vtu");
  write_vtu(folder_ / name, frame);
  ++frames_;

  // One small write replaces the closing tags by the new row and the closing tags.
  const std::string row = fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time, name);
  collection_->seek(collection_end_);
  collection_->write(row + std::string(kCollectionTail));
  collection_->flush();
  collection_end_ += static_cast<long>(row.size());
}

void VtuWriter::write_vtu(const std::filesystem::path& path, const Frame& frame) const {
  AppendedArrays arrays;
  std::string xml = "<?xml version=\"1.0\"?>\n";
  xml += "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
  xml +=
      fmt::format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", vertices_, types_.size());
  xml += "<Points>\n";
  xml += arrays.add("type=\"Float64\" Name=\"position\" NumberOfComponents=\"3\"", frame.x.data(), frame.x.size());
  xml += "</Points>\n<Cells>\n";
  xml += arrays.add("type=\"Int32\" Name=\"connectivity\"", connectivity_.data(), connectivity_.size());
  xml += arrays.add("type=\"Int32\" Name=\"offsets\"", offsets_.data(), offsets_.size());
  xml += arrays.add("type=\"UInt8\" Name=\"types\"", types_.data(), types_.size());
  xml += "</Cells>\n<PointData Vectors=\"velocity\" Scalars=\"strain\">\n";
  xml += arrays.add("type=\"Float64\" Name=\"velocity\" NumberOfComponents=\"3\"", frame.v.data(), frame.v.size());
  xml += arrays.add("type=\"Float64\" Name=\"strain\"", frame.strain.data(), frame.strain.size());
  xml += "</PointData>\n<CellData Scalars=\"region\">\n";
  xml += arrays.add("type=\"Int32\" Name=\"region\"", region_.data(), region_.size());
  xml += "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  write_whole_file(path, [&](OutputFile& file) {
    file.write(xml);
    arrays.write(file);
    file.write("\n</AppendedData>\n</VTKFile>\n");
  });
}

}  // namespace brio
