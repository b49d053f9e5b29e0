// Object File Format (Geomview): counts, points, faces, with whatever colors behind them.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/surface_builder.hpp"
#include "brio/mesh/formats/text_reader.hpp"

namespace brio {
namespace {

LoadedMesh read_off(MeshSource source) {
  TextReader in(std::move(source.bytes), source.name, '#');
  in.need_line("OFF");
  if (in.line()[0] < '0' || in.line()[0] > '9') {  // the keyword may be missing
    const std::string keyword(in.word("keyword"));
    if (!keyword.ends_with("OFF")) in.fail("expected OFF, found {}", excerpt(keyword));
    if (keyword.find_first_of("4n") != std::string::npos)
      in.fail("{}: only points in space are read", excerpt(keyword));
    if (in.rest_of_line().starts_with("BINARY")) in.fail("a binary file: only text is read");
  }
  in.need_word("number of points");
  const std::int64_t points = in.count("number of points", 6);
  in.need_word("number of faces");
  const std::int64_t faces = in.count("number of faces", 2);
  SurfaceBuilder builder;
  builder.reserve(static_cast<size_t>(points));
  for (std::int64_t i = 0; i < points; ++i) {
    in.need_line("points");
    const double x = in.real("x"), y = in.real("y"), z = in.real("z");
    builder.add_vertex({x, y, z});  // a normal, a color or a point of the texture may follow
  }
  std::vector<FaceCorner> corners;
  for (std::int64_t i = 0; i < faces; ++i) {
    in.need_line("faces");
    const std::int64_t count = in.count("number of corners", 2);
    corners.clear();
    for (std::int64_t c = 0; c < count; ++c)
      corners.push_back({static_cast<int>(in.integer("corner", 0, points - 1)), -1});
    builder.add_face(corners);
  }
  return builder.finish(source.name);
}

std::string write_off(const TriangleSurface& surface) {
  MeshText text;
  text.add("OFF\n{} {} 0\n", surface.vertices(), surface.faces());
  for (int i = 0; i < surface.vertices(); ++i) {
    text.add_row(surface.X.row(i));
    text.add("\n");
  }
  for (int f = 0; f < surface.faces(); ++f) {
    text.add("3 ");
    text.add_row(surface.triangles.row(f));
    text.add("\n");
  }
  return text.take();
}

}  // namespace

MeshFormat off_format() {
  MeshFormat format;
  format.name = "off";
  format.summary = "OFF in text, with or without colors and normals, which are left out";
  format.extensions = {".off"};
  format.surfaces = true;
  format.read = read_off;
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> { return {{".off", write_off(mesh.surface)}}; };
  return format;
}

}  // namespace brio
