#include "brio/mesh/generators/implicit_mesh.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"
#include "brio/mesh/solids/implicit_shapes.hpp"

#include <algorithm>

namespace brio {
namespace {

void assign_regions(const SolidModel& model, LoadedMesh& loaded) {
  TetMesh& mesh = loaded.mesh;
  parallel_for(mesh.tets(), 256, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      Vec3 centroid = Vec3::Zero();
      for (int a = 0; a < 4; ++a) centroid += 0.25 * mesh.X.row(mesh.T(t, a));
      for (size_t r = 0; r < model.regions.size() && mesh.region[t] == 0; ++r)
        if (model.regions[r].second->value(centroid) < 0) mesh.region[t] = static_cast<int>(r) + 1;
    }
  });
  for (size_t r = 0; r < model.regions.size(); ++r) {
    const std::string& name = model.regions[r].first;
    std::vector<int>& set = loaded.vertex_sets[name];
    for (int t = 0; t < mesh.tets(); ++t)
      if (mesh.region[t] == static_cast<int>(r) + 1) set.insert(set.end(), mesh.T.row(t).begin(), mesh.T.row(t).end());
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    loaded.region_names[static_cast<int>(r) + 1] = name;
    if (set.empty()) {
      loaded.messages.push_back(fmt::format("region \"{}\" is empty: no tetrahedron has its centroid in it", name));
    }
  }
}

LoadedMesh fill_shape(const Options& o) {
  return fill({make_shape(o.item("shape")), o.has("regions") ? make_regions(o.items("regions"))
                                                             : std::vector<std::pair<std::string, SolidPointer>>{}},
              target_of(o, kDefaultVertices));
}

}  // namespace

LoadedMesh fill(const SolidModel& model, const StuffingTarget& target, const StuffingProgress& progress) {
  StuffedMesh stuffed = stuff(*model.body, target, progress);
  LoadedMesh loaded;
  loaded.messages = stuffed.messages();
  loaded.shape = stuffed.shape;
  loaded.mesh = std::move(stuffed.mesh);
  assign_regions(model, loaded);
  return loaded;
}

std::vector<Option> target_options(const std::string& default_vertices) {
  return {Option::number("size", "m", "about the length of the tetrahedra's edges").above(0).optional(),
          Option::integer("vertices",
                          "about how many vertices, in place of a size; if both are left out, " + default_vertices)
              .at_least(20)
              .at_most(1e7)
              .optional(),
          Option::boolean("graded", "larger tetrahedra deep inside, the same at the surface").with_default(false),
          Option::choice("keep", keep_names(),
                         "what to do where limbs come off: refuse (sound), or keep the largest part, or all")
              .with_default("sound")};
}

const std::vector<std::string>& keep_names() {
  static const std::vector<std::string> names{"sound", "largest", "all"};
  return names;
}

Keep keep_of(const std::string& name) {
  return name == "largest" ? Keep::largest : name == "all" ? Keep::all : Keep::sound;
}

StuffingTarget target_of(const Options& o, int default_vertices) {
  if (o.has("size") && o.has("vertices")) throw Error("\"size\" and \"vertices\" exclude each other; keep one");
  const Keep keep = keep_of(o.text("keep"));
  if (o.has("size")) return {.size = o.number("size"), .graded = o.boolean("graded"), .keep = keep};
  return {.vertices = o.has("vertices") ? o.integer("vertices") : default_vertices,
          .graded = o.boolean("graded"),
          .keep = keep};
}

std::vector<std::pair<std::string, SolidPointer>> make_regions(const Items& items) {
  std::vector<std::pair<std::string, SolidPointer>> regions;
  for (const Item& item : items) regions.emplace_back(item.key, make_shape(item));
  return regions;
}

GeneratorEntry shape_generator() {
  std::vector<Option> options = target_options(fmt::format("{}", kDefaultVertices));
  options.insert(options.begin(), Option::item("shape", "shape", shape_rows, "the solid"));
  options.push_back(
      Option::named_items("regions", "shape", shape_rows,
                          "parts of the solid: region 1, 2 … in the order of their names, and vertex groups")
          .optional());
  return {
      {"shape", "the inside of a solid composed of simple ones, filled with well-shaped tetrahedra; see docs/shapes.md",
       options},
      [](const Options& o) { return fill_shape(o).mesh; },
      fill_shape};
}

}  // namespace brio
