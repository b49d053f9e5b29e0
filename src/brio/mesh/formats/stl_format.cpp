// Stereolithography files: triangles with their own three corners. Corners at the very same place are joined.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/scalar_type.hpp"
#include "brio/mesh/formats/surface_builder.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brio {
namespace {

constexpr size_t kHead = 84, kFacet = 50;  // bytes of the binary form

struct Soup {
  std::vector<Vec3> corners;       ///< three for each triangle
  std::vector<int> solid;          ///< of each triangle
  std::vector<std::string> names;  ///< of the solids
};

/// Vertices are numbered in the order in which they appear.
LoadedMesh joined(const Soup& soup, const std::string& path) {
  const auto key = [&](int i) {
    return std::array{soup.corners[i][0], soup.corners[i][1], soup.corners[i][2], double(i)};
  };
  std::vector<int> order(soup.corners.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) { return key(i) < key(j); });
  std::vector<int> first(order.size());  // corner at the same place that comes first
  for (size_t i = 0; i < order.size(); ++i) {
    const bool twin = i > 0 && soup.corners[order[i]] == soup.corners[order[i - 1]];
    first[order[i]] = twin ? first[order[i - 1]] : order[i];
  }
  SurfaceBuilder builder;
  std::vector<int> vertex(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (first[i] == static_cast<int>(i)) {
      vertex[i] = builder.vertices();
      builder.add_vertex(soup.corners[i]);
    }
  }
  int solid = -1;
  for (size_t f = 0; f < soup.corners.size() / 3; ++f) {
    if (soup.names.size() > 1 && soup.solid[f] != solid) builder.start_group(soup.names[solid = soup.solid[f]]);
    std::array<FaceCorner, 3> corners;
    for (int c = 0; c < 3; ++c) corners[c].point = vertex[first[3 * f + c]];
    builder.add_face(corners);
  }
  return builder.finish(path);
}

Soup read_binary(const MeshSource& source, std::int64_t count) {
  constexpr ScalarType kFloat{ScalarType::Kind::real, 4};
  Soup soup;
  soup.corners.reserve(3 * count);
  for (std::int64_t f = 0; f < count; ++f) {
    const char* facet = source.bytes.data() + kHead + kFacet * f + 12;  // after the normal
    for (int c = 0; c < 3; ++c) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) x[k] = kFloat.real_at(facet + 12 * c + 4 * k, ByteOrder::little);
      if (!x.allFinite()) throw Error("{}: triangle {} has a corner that is not finite", source.name, f);
      soup.corners.push_back(x);
    }
  }
  return soup;
}

class AsciiReader {
 public:
  explicit AsciiReader(MeshSource source) : in_(std::move(source.bytes), source.name) {}

  Soup read() {
    while (in_.next_line()) {
      expect("solid");
      soup_.names.emplace_back(in_.rest_of_line());
      in_.need_line("facet or endsolid");
      while (in_.word("keyword") != "endsolid") read_facet();
    }
    return std::move(soup_);
  }

 private:
  void expect(std::string_view keyword) {
    const std::string_view found = in_.word(keyword);
    if (found != keyword) in_.fail("expected {}, found {}", keyword, excerpt(found));
  }
  /// From the line of "facet", its first word read, to the one after "endfacet". The normal is left out: it says no
  /// more than the corners, and some programs write nonsense there.
  void read_facet() {
    if (!in_.line().starts_with("facet")) in_.fail("expected facet or endsolid, found {}", excerpt(in_.line()));
    in_.need_line("outer loop");
    expect("outer");
    for (int c = 0; c < 3; ++c) {
      in_.need_line("vertex");
      expect("vertex");
      const double x = in_.real("x"), y = in_.real("y"), z = in_.real("z");
      in_.end_of_line();
      soup_.corners.push_back({x, y, z});
    }
    in_.need_line("endloop");
    expect("endloop");
    in_.need_line("endfacet");
    expect("endfacet");
    soup_.solid.push_back(static_cast<int>(soup_.names.size()) - 1);
    in_.need_line("facet or endsolid");
  }

  TextReader in_;
  Soup soup_;
};

LoadedMesh read_stl(MeshSource source) {
  // Binary files may start with "solid" as well; their length gives them away.
  const std::string name = source.name;
  const bool text = source.bytes.starts_with("solid");
  if (source.bytes.size() >= kHead) {
    constexpr ScalarType kCount{ScalarType::Kind::unsigned_integer, 4};
    const std::int64_t count = kCount.integer_at(source.bytes.data() + 80, ByteOrder::little);
    const size_t needed = kHead + kFacet * static_cast<size_t>(count);
    if (needed == source.bytes.size() || (!text && needed < source.bytes.size() && count > 0)) {
      return joined(read_binary(source, count), name);
    }
    if (!text) {
      throw Error("{}: a binary STL file of {} triangles would have {} bytes, this one has {}; it is cut off or no STL",
                  name, count, needed, source.bytes.size());
    }
  } else if (!text) {
    throw Error("{}: begins neither with \"solid\" nor with the 84 bytes of a binary STL file", name);
  }
  return joined(AsciiReader(std::move(source)).read(), name);
}

std::string write_stl(const TriangleSurface& surface) {
  MeshText text;
  const auto add_solid = [&](const std::string& name, int group) {
    text.add("solid {}\n", name);
    for (int f = 0; f < surface.faces(); ++f) {
      if (group >= 0 && surface.group[f] != group) continue;
      const auto corner = [&](int c) -> Vec3 { return surface.X.row(surface.triangles(f, c)); };
      text.add("facet normal ");
      text.add_row((corner(1) - corner(0)).cross(corner(2) - corner(0)).stableNormalized());
      text.add("\nouter loop\n");
      for (int c = 0; c < 3; ++c) {
        text.add("vertex ");
        text.add_row(corner(c));
        text.add("\n");
      }
      text.add("endloop\nendfacet\n");
    }
    text.add("endsolid {}\n", name);
  };
  if (surface.group.size() == 0) add_solid("surface", -1);
  for (size_t g = 0; g < surface.group_names.size(); ++g) {
    std::string name = surface.group_names[g];
    for (char& c : name)
      if (static_cast<unsigned char>(c) < 32) c = '_';
    add_solid(name, static_cast<int>(g));
  }
  return text.take();
}

}  // namespace

MeshFormat stl_format() {
  MeshFormat format;
  format.name = "stl";
  format.summary = "STL, ASCII and binary; corners at the same place are joined; written as ASCII to keep all digits";
  format.extensions = {".stl"};
  format.surfaces = format.groups = true;
  format.read = read_stl;
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> { return {{".stl", write_stl(mesh.surface)}}; };
  return format;
}

}  // namespace brio
