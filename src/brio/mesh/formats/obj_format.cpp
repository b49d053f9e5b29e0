#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/obj_text.hpp"
#include "brio/mesh/formats/surface_builder.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <charconv>

namespace brio {
namespace {

/// A backslash at the end of a line joins it with the next one.
std::string joined_lines(std::string text) {
  for (size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at + 1)) {
    size_t end = at + 1;
    if (end < text.size() && text[end] == '\r') ++end;
    if (end < text.size() && text[end] == '\n') std::fill(text.begin() + at, text.begin() + end + 1, ' ');
  }
  return text;
}

class ObjReader {
 public:
  explicit ObjReader(MeshSource source) : in_(joined_lines(std::move(source.bytes)), source.name, '#') {}

  LoadedMesh read() {
    int lines = 0;
    while (in_.next_line()) {
      const std::string_view key = in_.word("keyword");
      if (key == "v") {
        const double x = in_.real("x"), y = in_.real("y"), z = in_.real("z");
        builder_.add_vertex({x, y, z});  // a weight or a color may follow
      } else if (key == "vt") {
        const double u = in_.real("u");
        builder_.add_uv(u, in_.line_is_used_up() ? 0 : in_.real("v"));
      } else if (key == "f") {
        read_face();
      } else if (key == "g" || key == "o") {
        builder_.start_group(std::string(in_.line_is_used_up() ? "default" : in_.rest_of_line()));
      } else if (key == "usemtl") {
        builder_.start_material(std::string(in_.line_is_used_up() ? "default" : in_.rest_of_line()));
      } else if (key == "mtllib" && !in_.line_is_used_up()) {
        builder_.add_material_file(std::string(in_.rest_of_line()));
      } else if (key == "l") {
        ++lines;
      }
    }
    LoadedMesh loaded = builder_.finish(in_.path());
    if (lines > 0) loaded.other_cells["lines"] = lines;
    return loaded;
  }

 private:
  /// Numbers count from 1, or back from the last one so far.
  int index(std::string_view text, int so_far) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0) {
      in_.fail("corner of a face: expected a whole number other than 0, found {}", excerpt(text));
    }
    if (value > std::numeric_limits<int>::max() || value < -so_far) {
      in_.fail("corner of a face: there is no point {}; {} came so far", value, so_far);
    }
    return static_cast<int>(value > 0 ? value - 1 : so_far + value);
  }

  void read_face() {
    corners_.clear();
    while (!in_.line_is_used_up()) {
      const std::string_view corner = in_.word("corner");  // point, point/uv, point//normal or point/uv/normal
      const size_t slash = std::min(corner.find('/'), corner.size());
      FaceCorner& made = corners_.emplace_back();
      made.point = index(corner.substr(0, slash), builder_.vertices());
      if (slash == corner.size()) continue;
      std::string_view uv = corner.substr(slash + 1);
      uv = uv.substr(0, uv.find('/'));
      if (!uv.empty()) made.uv = index(uv, builder_.uvs());
    }
    if (corners_.size() < 3) in_.fail("a face with {} corners", corners_.size());
    builder_.add_face(corners_);
  }

  TextReader in_;
  SurfaceBuilder builder_;
  std::vector<FaceCorner> corners_;
};

std::string one_line(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 32 || c == '#' || c == '\\') c = '_';
  return name;
}

}  // namespace

std::string obj_text(const TriangleSurface& surface, const MatrixX3d& x,
                     const std::vector<std::string>& material_files) {
  MeshText text;
  for (const std::string& file : material_files) text.add("mtllib {}\n", one_line(file));
  for (Index i = 0; i < x.rows(); ++i) {
    text.add("v ");
    text.add_row(x.row(i));
    text.add("\n");
  }
  for (Index i = 0; i < surface.uv.rows(); ++i) text.add("vt {} {}\n", surface.uv(i, 0), surface.uv(i, 1));
  int group = -1, material = -1;
  for (int f = 0; f < surface.faces(); ++f) {
    if (surface.group.size() > 0 && surface.group[f] != group) {
      group = surface.group[f];
      text.add("g {}\n", one_line(surface.group_names[group]));
    }
    if (surface.material.size() > 0 && surface.material[f] != material) {
      material = surface.material[f];
      text.add("usemtl {}\n", one_line(surface.material_names[material]));
    }
    text.add("f");
    for (int c = 0; c < 3; ++c) {
      text.add(" {}", surface.triangles(f, c) + 1);
      if (surface.uv_triangles.rows() > 0 && surface.uv_triangles(f, c) >= 0) {
        text.add("/{}", surface.uv_triangles(f, c) + 1);
      }
    }
    text.add("\n");
  }
  return text.take();
}

std::string obj_text(const MatrixX3d& x, const MatrixX3i& triangles, const MatrixX2i& edges,
                     const std::vector<int>& group, const std::vector<std::string>& group_names) {
  MeshText text;
  int last = -1;
  const auto start_group = [&](int point) {
    if (group.empty() || group[point] == last) return;
    last = group[point];
    text.add("g {}\n", one_line(group_names[last]));
  };
  for (const auto& p : x.rowwise()) text.add("v {:.9g} {:.9g} {:.9g}\n", p[0], p[1], p[2]);
  for (const auto& t : triangles.rowwise()) {
    start_group(t[0]);
    text.add("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  for (const auto& e : edges.rowwise()) {
    start_group(e[0]);
    text.add("l {} {}\n", e[0] + 1, e[1] + 1);
  }
  return text.take();
}

MeshFormat obj_format() {
  MeshFormat format;
  format.name = "obj";
  format.summary = "Wavefront OBJ; texture points, groups and names of materials are kept, normals are not";
  format.extensions = {".obj"};
  format.surfaces = format.groups = format.texture = true;
  format.read = [](MeshSource source) { return ObjReader(std::move(source)).read(); };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> {
    return {{".obj", obj_text(mesh.surface, mesh.surface.X, mesh.surface.material_files)}};
  };
  return format;
}

}  // namespace brio
