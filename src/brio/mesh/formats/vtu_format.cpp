// VTK's XML format for unstructured grids (VTK file formats, "UnstructuredGrid").

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/text_reader.hpp"
#include "brio/mesh/formats/vtk_grid.hpp"
#include "brio/mesh/formats/vtu_data.hpp"
#include "brio/mesh/formats/vtu_output.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

/// One <Piece> with the arrays that are of use.
struct Piece {
  std::int64_t points = 0, cells = 0;
  std::map<std::string, VtuArray> arrays;  ///< "Points", "connectivity", "offsets", "types", "region"
};

class VtuReader {
 public:
  explicit VtuReader(const MeshSource& source)
      : path_(source.name), text_(source.bytes), xml_(source.bytes, source.name) {
    storage_.path = source.name;
  }

  LoadedMesh read() {
    scan();
    MeshBuilder builder;
    for (const Piece& piece : pieces_) add_grid(grid_of(piece), path_, builder);
    return builder.finish(path_);
  }

 private:
  void scan() {
    std::string section;  // Points, Cells, CellData or another
    bool is_vtk = false;
    for (XmlTag tag; xml_.next(tag);) {
      if (tag.name == "VTKFile" && !tag.closing) {
        read_head(tag);
        is_vtk = true;
      } else if (tag.name == "AppendedData" && !tag.closing) {
        find_appended(tag);
        break;
      } else if (tag.closing) {
        if (tag.name == section) section.clear();
      } else if (tag.name == "Piece") {
        pieces_.push_back({tag.number("NumberOfPoints", path_, 0), tag.number("NumberOfCells", path_, 0), {}});
      } else if (tag.name == "DataArray") {
        take_array(tag, section);
      } else if (!tag.empty && (tag.name == "Points" || tag.name == "Cells" || tag.name == "CellData")) {
        section = tag.name;
      }
    }
    if (!is_vtk) throw Error("{}: has no <VTKFile>; is it a VTK file?", path_);
    if (pieces_.empty()) throw Error("{}: has no <Piece>", path_);
  }

  void read_head(const XmlTag& tag) {
    const std::string kind = tag.get("type");
    if (kind != "UnstructuredGrid") throw Error("{}: type {}: only UnstructuredGrid is read", path_, excerpt(kind));
    const std::string order = tag.get("byte_order", "LittleEndian");
    if (order != "LittleEndian" && order != "BigEndian") throw Error("{}: byte order {}", path_, excerpt(order));
    storage_.order = order == "BigEndian" ? ByteOrder::big : ByteOrder::little;
    const ScalarType* header = find_scalar_type(tag.get("header_type", "UInt32"));
    if (!header || !header->integer() || header->bytes < 4) {
      throw Error("{}: header_type {}: expected UInt32 or UInt64", path_, excerpt(tag.get("header_type")));
    }
    storage_.header = *header;
    const std::string compressor = tag.get("compressor");
    storage_.compressed = !compressor.empty();
    if (storage_.compressed && compressor != "vtkZLibDataCompressor") {
      throw Error("{}: compressor {}: only vtkZLibDataCompressor is read; save it with that or without", path_,
                  excerpt(compressor));
    }
  }

  void find_appended(const XmlTag& tag) {
    const std::string encoding = tag.get("encoding", "base64");
    if (encoding != "raw" && encoding != "base64") {
      throw Error("{}: appended data in encoding {}: expected raw or base64", path_, excerpt(encoding));
    }
    storage_.appended_raw = encoding == "raw";
    const size_t mark = text_.find('_', tag.end);
    if (mark == std::string_view::npos) throw Error("{}: the appended data do not begin with an underscore", path_);
    storage_.appended = text_.substr(mark + 1);
  }

  void take_array(const XmlTag& tag, const std::string& section) {
    if (pieces_.empty()) return;
    std::string key;
    if (section == "Points") key = "Points";
    if (section == "Cells") key = tag.get("Name");
    if (section == "CellData" && names_regions(tag.get("Name")) && tag.number("NumberOfComponents", path_, 1) <= 1) {
      key = "region";
    }
    if (key.empty()) return;
    pieces_.back().arrays.emplace(key, VtuArray{tag, tag.empty ? std::string_view() : xml_.text_from(tag.end)});
  }

  VtkGrid grid_of(const Piece& piece) const {
    const auto array = [&](const char* name) -> const VtuArray& {
      const auto found = piece.arrays.find(name);
      if (found == piece.arrays.end()) throw Error("{}: a piece has no array {}", path_, name);
      return found->second;
    };
    const auto require = [&](const char* name, size_t found, std::int64_t announced) {
      if (static_cast<std::int64_t>(found) != announced) {
        throw Error("{}: array {} holds {} numbers, but {} are announced", path_, name, found, announced);
      }
    };
    VtkGrid grid;
    if (piece.points > std::numeric_limits<int>::max()) throw Error("{}: {} points are too many", path_, piece.points);
    if (piece.cells > std::numeric_limits<int>::max()) throw Error("{}: {} cells are too many", path_, piece.cells);
    grid.points = vtu_reals(array("Points"), storage_, 3 * piece.points);
    require("Points", grid.points.size(), 3 * piece.points);
    grid.offsets = vtu_integers(array("offsets"), storage_, piece.cells);
    require("offsets", grid.offsets.size(), piece.cells);
    constexpr std::int64_t kMostCorners = std::int64_t{1} << 40;  // so that counts of bytes do not overflow
    const std::int64_t corners =
        grid.offsets.empty() ? 0 : std::clamp<std::int64_t>(grid.offsets.back(), 0, kMostCorners);
    grid.connectivity = vtu_integers(array("connectivity"), storage_, corners);
    grid.types = vtu_integers(array("types"), storage_, piece.cells);
    require("types", grid.types.size(), piece.cells);
    if (piece.arrays.contains("region")) {
      for (double value : vtu_reals(piece.arrays.at("region"), storage_, piece.cells)) {
        if (!(std::fabs(value) <= std::numeric_limits<int>::max()))
          throw Error("{}: region {} is too large", path_, value);
        grid.region.push_back(static_cast<std::int64_t>(value));
      }
      require("of regions", grid.region.size(), piece.cells);
    }
    return grid;
  }

  std::string path_;
  std::string_view text_;
  XmlScanner xml_;
  VtuStorage storage_;
  std::vector<Piece> pieces_;
};

std::string vtu_bytes(const LoadedMesh& loaded) {
  const bool tets = loaded.has_tets();
  GridCells cells = tets ? GridCells(loaded.mesh.T) : GridCells(loaded.surface.triangles);
  if (tets) cells.region.assign(loaded.mesh.region.begin(), loaded.mesh.region.end());
  std::string bytes;
  write_vtu(tets ? loaded.mesh.X : loaded.surface.X, {&cells, 1}, {}, [&](std::string_view more) { bytes += more; });
  return bytes;
}

}  // namespace

MeshFormat vtu_format() {
  MeshFormat format;
  format.name = "vtu";
  format.summary = "VTK's XML grids: text, base64 or appended, with or without zlib; the cell array \"region\" is kept";
  format.extensions = {".vtu"};
  format.tets = format.surfaces = true;
  format.read = [](MeshSource source) { return VtuReader(source).read(); };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> { return {{".vtu", vtu_bytes(mesh)}}; };
  return format;
}

}  // namespace brio
