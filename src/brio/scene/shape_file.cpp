#include "brio/scene/shape_file.hpp"

#include "brio/core/error.hpp"
#include "brio/core/text_file.hpp"
#include "brio/mesh/solids/implicit_shapes.hpp"
#include "brio/scene/json_text.hpp"
#include "brio/scene/parsed_object.hpp"

namespace brio {
namespace {

constexpr std::uintmax_t kLongestShapeFile = std::uintmax_t{16} << 20;  // [byte]

ObjectSchema file_shape() {
  return {{any_of({Option::text("name", "what it is called; the file's name if left out").optional()}),
           any_of({Option::text("description", "what there is to see").with_default("")}),
           any_of({Option::integer("vertices", "how many suit it")
                       .at_least(20)
                       .at_most(1e7)
                       .with_default(double{kDefaultVertices})}),
           any_of({Option::integer("least_vertices", "fewer are refused: limbs would come off")
                       .at_least(20)
                       .at_most(1e7)
                       .with_default(20.0)}),
           any_of({Option::integer("genus", "how many handles it has").at_least(0).optional()}),
           any_of({Option::item("shape", "shape", shape_rows, "the solid")}),
           any_of({Option::named_items("regions", "shape", shape_rows, "its named parts").optional()})},
          {},
          {}};
}

}  // namespace

LoadedMesh fill(const ShapeFile& shape, StuffingTarget target, const StuffingProgress& progress) {
  if (target.keep == Keep::sound && target.vertices > 0 && target.vertices < shape.least_vertices) {
    throw Error("vertices = {}: \"{}\" needs at least {} to hold together; \"keep\": \"largest\" takes what is left",
                target.vertices, shape.name, shape.least_vertices);
  }
  target.genus = shape.genus;
  return fill(shape.model, target, progress);
}

ShapeFile parse_shape_file(const std::string& text, const std::filesystem::path& file) {
  Problems problems(file.string());
  const ParsedObject record = read_record(parse_json(text, file.string()), file_shape(), "", problems);
  problems.throw_if_any();
  try {
    ShapeFile shape;
    shape.name = record.has("name") ? record.get<std::string>("name") : file.stem().string();
    shape.description = record.get<std::string>("description");
    shape.vertices = static_cast<int>(record.get<double>("vertices"));
    shape.least_vertices = static_cast<int>(record.get<double>("least_vertices"));
    if (record.has("genus")) shape.genus = static_cast<int>(record.get<double>("genus"));
    shape.model.body = make_shape(record.get<Items>("shape").at(0));
    if (record.has("regions")) shape.model.regions = make_regions(record.get<Items>("regions"));
    return shape;
  } catch (const Error& error) {
    throw Error("{}: {}", file.string(), error.what());
  }
}

ShapeFile load_shape_file(const std::filesystem::path& file) {
  return parse_shape_file(read_text(file, kLongestShapeFile), file);
}

}  // namespace brio
