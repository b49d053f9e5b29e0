#include "brio/scene/named_shapes.hpp"

#include "brio/core/error.hpp"
#include "brio/core/log.hpp"
#include "brio/mesh/solids/surface_solid.hpp"
#include "brio/scene/named_shape_texts.hpp"

namespace brio {
namespace {

LoadedMesh fill_named(const Options& o) {
  const ShapeFile& shape = find_row(named_shapes(), "named shape", o.text("name"));
  return fill(shape, target_of(o, shape.vertices));
}

GeneratorEntry named_generator() {
  std::vector<Option> options = target_options("as many as suit the shape");
  options.insert(options.begin(), Option::choice("name", names_of(named_shapes()), "which one"));
  return {{"named", "a creature or structure that brio brings along; see docs/shapes.md", options},
          [](const Options& o) { return fill_named(o).mesh; },
          fill_named};
}

}  // namespace

const std::vector<ShapeFile>& named_shapes() {
  static const std::vector<ShapeFile> table = [] {
    std::vector<ShapeFile> shapes;
    for (const NamedShapeText& file : named_shape_texts())
      shapes.push_back(parse_shape_file(std::string(file.text), std::string(file.name) + ".json"));
    return shapes;
  }();
  return table;
}

ShapeFile find_solid(const std::string& input) {
  const std::filesystem::path path(input);
  for (const ShapeFile& shape : named_shapes())
    if (shape.name == input) return shape;
  if (path.extension() == ".json") return load_shape_file(path);
  if (path.extension().empty() && !std::filesystem::exists(path)) {
    throw Error("{}; or give a surface or a shape file", unknown_name("named shape", input, names_of(named_shapes())));
  }
  SurfaceSolid surface = load_surface_solid(path);
  for (const std::string& message : surface.messages) log_warning(message);
  ShapeFile shape;
  shape.name = path.stem().string();
  shape.vertices = kDefaultVertices;
  shape.model.body = std::move(surface.solid);
  return shape;
}

const std::vector<GeneratorEntry>& scene_generators() {
  static FromTables<std::vector<GeneratorEntry>> table;
  return table.get([] {
    std::vector<GeneratorEntry> rows = generators();
    rows.push_back(named_generator());
    return rows;
  });
}

}  // namespace brio
