// Stanford's polygon files: a header that describes the elements, then their numbers in text or binary.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/ply_output.hpp"
#include "brio/mesh/formats/scalar_type.hpp"
#include "brio/mesh/formats/surface_builder.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <bit>
#include <cmath>
#include <optional>

namespace brio {
namespace {

struct Property {
  std::string name;
  ScalarType type;
  std::optional<ScalarType> count;  ///< of a list

  bool is(std::initializer_list<const char*> names) const {
    for (const char* other : names)
      if (name == other) return true;
    return false;
  }
  int least_bytes() const { return count ? count->bytes : type.bytes; }
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;

  int find(std::initializer_list<const char*> names) const {
    for (size_t p = 0; p < properties.size(); ++p)
      if (properties[p].is(names)) return static_cast<int>(p);
    return -1;
  }
};

class PlyReader {
 public:
  explicit PlyReader(MeshSource source) : in_(std::move(source.bytes), source.name) {}

  LoadedMesh read() {
    read_header();
    for (const Element& element : elements_) {
      require_room(element);
      if (element.name == "vertex") {
        read_vertices(element);
      } else if (element.name == "face") {
        read_faces(element);
      } else {
        for (std::int64_t i = 0; i < element.count; ++i) skip(element, 0, element.properties.size());
      }
    }
    return builder_.finish(in_.path());
  }

 private:
  void read_header() {
    in_.need_line("ply");
    if (in_.line() != "ply") in_.fail("expected ply, found {}", excerpt(in_.line()));
    bool has_format = false;
    for (in_.need_line("end_header"); in_.line() != "end_header"; in_.need_line("end_header")) {
      const std::string_view key = in_.word("keyword");
      if (key == "format") {
        read_format();
        has_format = true;
      } else if (key == "element") {
        Element& element = elements_.emplace_back();
        element.name = in_.word("name of the element");
        element.count = in_.integer("number of elements", 0, std::numeric_limits<int>::max());
      } else if (key == "property") {
        if (elements_.empty()) in_.fail("a property before the first element");
        read_property(elements_.back());
      } else if (key != "comment" && key != "obj_info") {
        in_.fail("expected element, property, comment or end_header, found {}", excerpt(key));
      }
    }
    in_.word("end_header");
    if (!has_format) in_.fail("the header has no format");
  }

  void read_format() {
    const std::string_view format = in_.word("format");
    if (format == "binary_little_endian") order_ = ByteOrder::little;
    if (format == "binary_big_endian") order_ = ByteOrder::big;
    if (!order_ && format != "ascii") {
      in_.fail("format {}: expected ascii, binary_little_endian or binary_big_endian", excerpt(format));
    }
  }

  void read_property(Element& element) {
    const auto type = [&] {
      const std::string_view name = in_.word("type of the property");
      const ScalarType* found = find_scalar_type(name);
      if (!found) in_.fail("type {} is not known", excerpt(name));
      return *found;
    };
    Property property;
    if (in_.rest_of_line().starts_with("list ")) {
      in_.word("list");
      property.count = type();
      if (!property.count->integer()) in_.fail("the count of a list must be a whole number");
    }
    property.type = type();
    property.name = in_.word("name of the property");
    element.properties.push_back(property);
  }

  /// No row may be without bytes, or a small file could keep the reader busy for ever.
  void require_room(const Element& element) const {
    std::int64_t bytes = 0;
    for (const Property& property : element.properties) bytes += order_ ? property.least_bytes() : 2;
    if (element.count > 0 && (bytes == 0 || element.count > in_.bytes_left() / bytes + 1)) {
      in_.fail("{} elements {}: the file has only {} bytes left; it is cut off or the number is wrong", element.count,
               excerpt(element.name), in_.bytes_left());
    }
  }

  double real(const Property& property) {
    if (!order_) {
      in_.need_word(property.name);
      return in_.real(property.name);
    }
    const double value = property.type.real_at(in_.bytes(property.type.bytes, property.name).data(), *order_);
    if (!std::isfinite(value)) in_.fail("{} = {}: expected a finite number", property.name, value);
    return value;
  }

  std::int64_t integer(const ScalarType& type, const std::string& what) {
    if (order_) return type.integer_at(in_.bytes(type.bytes, what).data(), *order_);
    in_.need_word(what);
    return in_.integer(what);
  }

  std::int64_t list_length(const Property& property) {
    const std::int64_t length = integer(*property.count, property.name);
    const int bytes = order_ ? property.type.bytes : 1;
    if (length < 0 || length > in_.bytes_left() / bytes) {
      in_.fail("{}: a list of {} numbers, but the file has only {} bytes left", property.name, length,
               in_.bytes_left());
    }
    return length;
  }

  /// Values of no use here: may be anything, not a number included.
  void skip(const Property& property) {
    const std::int64_t values = property.count ? list_length(property) : 1;
    if (order_) {
      in_.bytes(values * property.type.bytes, property.name);
      return;
    }
    for (std::int64_t i = 0; i < values; ++i) {
      in_.need_word(property.name);
      in_.word(property.name);
    }
  }
  void skip(const Element& element, size_t first, size_t last) {
    for (size_t p = first; p < last; ++p) skip(element.properties[p]);
  }

  void read_vertices(const Element& element) {
    const std::array place{element.find({"x"}), element.find({"y"}), element.find({"z"}),
                           element.find({"s", "u", "texture_u", "texture_s"}),
                           element.find({"t", "v", "texture_v", "texture_t"})};
    for (int axis = 0; axis < 3; ++axis)
      if (place[axis] < 0) in_.fail("the vertices have no {}", "xyz"[axis]);
    for (int p : place)
      if (p >= 0 && element.properties[p].count) in_.fail("{} is a list", element.properties[p].name);
    per_vertex_uv_ = place[3] >= 0 && place[4] >= 0;
    builder_.reserve(static_cast<size_t>(element.count));
    for (std::int64_t i = 0; i < element.count; ++i) {
      std::array<double, 5> value{};
      for (size_t p = 0; p < element.properties.size(); ++p) {
        const auto wanted = std::find(place.begin(), place.end(), static_cast<int>(p));
        if (wanted == place.end()) {
          skip(element.properties[p]);
        } else {
          value[wanted - place.begin()] = real(element.properties[p]);
        }
      }
      builder_.add_vertex({value[0], value[1], value[2]});
      if (per_vertex_uv_) builder_.add_uv(value[3], value[4]);
    }
  }

  void read_faces(const Element& element) {
    const int list = element.find({"vertex_indices", "vertex_index"});
    if (list < 0) in_.fail("the faces have no vertex_indices");
    const Property& corners = element.properties[list];
    if (!corners.count || !corners.type.integer()) in_.fail("{} is no list of whole numbers", corners.name);
    std::vector<FaceCorner> face;
    for (std::int64_t i = 0; i < element.count; ++i) {
      skip(element, 0, list);
      face.resize(list_length(corners));
      for (FaceCorner& corner : face) {
        const std::int64_t point = integer(corners.type, corners.name);
        if (point < 0 || point > std::numeric_limits<int>::max()) in_.fail("a face names vertex {}", point);
        corner.point = static_cast<int>(point);
        if (per_vertex_uv_) corner.uv = corner.point;
      }
      builder_.add_face(face);
      skip(element, list + 1, element.properties.size());
    }
  }

  TextReader in_;
  std::optional<ByteOrder> order_;  // of a binary file
  std::vector<Element> elements_;
  SurfaceBuilder builder_;
  bool per_vertex_uv_ = false;
};

/// In double precision: every number comes back.
std::string write_ply(const TriangleSurface& surface) {
  std::string bytes = ply_header(surface.vertices(), "double", {"x", "y", "z"}, surface.faces(), 0);
  bytes.append(reinterpret_cast<const char*>(surface.X.data()), surface.X.size() * sizeof(double));
  return bytes + ply_cells(surface.triangles, {});
}

}  // namespace

MeshFormat ply_format() {
  MeshFormat format;
  format.name = "ply";
  format.summary = "Stanford PLY, ASCII and binary of both byte orders; written as binary without texture and groups";
  format.extensions = {".ply"};
  format.surfaces = true;
  format.read = [](MeshSource source) { return PlyReader(std::move(source)).read(); };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> { return {{".ply", write_ply(mesh.surface)}}; };
  return format;
}

}  // namespace brio
