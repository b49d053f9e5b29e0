#include "brio/output/scene_tables.hpp"

#include "brio/energy/energy_table.hpp"
#include "brio/energy/motion.hpp"
#include "brio/energy/obstacle.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/material/materials.hpp"
#include "brio/mesh/cutting/cutting_surface.hpp"
#include "brio/mesh/generators/generators.hpp"
#include "brio/mesh/solids/implicit_shapes.hpp"
#include "brio/output/frames/frame.hpp"
#include "brio/rigid/bone_shapes.hpp"
#include "brio/rigid/joint_table.hpp"
#include "brio/scene/condensation.hpp"
#include "brio/scene/mesh_obstacle.hpp"
#include "brio/scene/named_shapes.hpp"
#include "brio/scene/vertex_sets.hpp"
#include "brio/system/engine.hpp"
#include "brio/system/load.hpp"

namespace brio {

/// An obstacle of triangles is no distance of a point: bodies touch it as they touch each other.
static std::vector<Entry> obstacles_with_meshes() {
  std::vector<Entry> rows = entries_of(obstacle_shapes());
  rows.push_back({std::string(kMeshObstacle), "a surface of triangles, closed or open, from a file or made here (\"mesh\")", {}});
  return rows;
}

static SceneTables gathered_tables() {
  return {entries_of(scene_generators()),
          entries_of(spring_generators()),
          entries_of(isotropic_laws()),
          entries_of(fiber_laws()),
          entries_of(motions()),
          obstacles_with_meshes(),
          entries_of(loads()),
          entries_of(integrators()),
          entries_of(selectors()),
          entries_of(frame_formats()),
          entries_of(node_choosers()),
          shape_rows(),
          entries_of(cutting_surfaces()),
          entries_of(bone_shapes()),
          entries_of(joints()),
          entries_of(energies()),
          entries_of(engines())};
}

const SceneTables& scene_tables() {
  static FromTables<SceneTables> tables;
  return tables.get(gathered_tables);
}

}  // namespace brio
