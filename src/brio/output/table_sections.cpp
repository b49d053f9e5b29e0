#include "brio/output/table_sections.hpp"

#include "brio/core/join.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/named_shapes.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

std::vector<Entry> named_shape_rows() {
  std::vector<Entry> rows;
  for (const ShapeFile& shape : named_shapes())
    rows.push_back(
        {shape.name,
         fmt::format("{} ({} vertices, at least {})", shape.description, shape.vertices, shape.least_vertices),
         {}});
  return rows;
}

/// Called by their extensions, which is what people type.
std::vector<Entry> mesh_rows() {
  std::vector<Entry> rows;
  for (const MeshFormat& format : mesh_formats()) {
    const char* holds = format.tets && format.surfaces ? "tetrahedra, surfaces"
                        : format.tets                  ? "tetrahedra"
                                                       : "surfaces";
    rows.push_back({joined(format.extensions, " "), fmt::format("{}: {}", holds, format.summary), {}});
  }
  return rows;
}

}  // namespace

std::vector<TableSection> table_sections() {
  const SceneTables& tables = scene_tables();
  return {{"integrators", "Integrators", tables.integrators},
          {"engines", "Engines: how the matrices of a step are solved with", tables.engines},
          {"materials", "Materials: isotropic laws", tables.isotropic_laws},
          {"materials", "Materials: fiber laws", tables.fiber_laws},
          {"generators", "Generators of tetrahedral meshes", tables.generators},
          {"generators", "Generators of spring nets", tables.spring_generators},
          {"shapes", "Shapes that solids are made of", tables.shapes},
          {"shapes", "Named shapes", named_shape_rows()},
          {"bones", "Shapes of bones", tables.bone_shapes},
          {"bones", "Joints of bones", tables.joints},
          {"selectors", "Selectors of vertex sets", tables.selectors},
          {"nodes", "Choosers of dynamic nodes", tables.node_choosers},
          {"motions", "Motions", tables.motions},
          {"obstacles", "Obstacles", tables.obstacles},
          {"loads", "Loads", tables.loads},
          {"energies", "Energies", tables.energies},
          {"cuts", "Cuts", tables.cuts},
          {"formats", "Frame formats", tables.frame_formats},
          {"formats", "Mesh formats", mesh_rows()}};
}

}  // namespace brio
