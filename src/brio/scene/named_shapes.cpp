#include "brio/scene/named_shapes.hpp"

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

const std::vector<GeneratorEntry>& scene_generators() {
  static FromTables<std::vector<GeneratorEntry>> table;
  return table.get([] {
    std::vector<GeneratorEntry> rows = generators();
    rows.push_back(named_generator());
    return rows;
  });
}

}  // namespace brio
