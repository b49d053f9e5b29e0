#pragma once
// Rows of other people's in brio's tables: what a program or a plug-in registers can be named in scene files, and
// `brio list`, the JSON schema and every command know it. Register before scenes are read.
//
//   brio::Registry registry;
//   registry.add_isotropic_law(tissue_entry());
//   brio::Scene scene = brio::load_scene("tissue.json", brio::scene_tables());

#include "brio/energy/energy_table.hpp"
#include "brio/energy/obstacle.hpp"
#include "brio/integrate/integrator.hpp"
#include "brio/material/materials.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/generators/generators.hpp"
#include "brio/output/frames/frame.hpp"
#include "brio/scene/vertex_sets.hpp"
#include "brio/system/engine.hpp"
#include "brio/system/load.hpp"

#include <string>

namespace brio {

/// Every add_ function throws Error where the row's name is taken, or where one of its options has the name of a key
/// that the scene format itself uses in that place (an integrator's option "h").
class Registry {
 public:
  explicit Registry(std::string origin = "") : origin_(std::move(origin)) {}  ///< origin: who registers, for messages

  void add_isotropic_law(MaterialEntry row);            ///< materials[].law
  void add_fiber_law(MaterialEntry row);                ///< materials[].fiber.law
  void add_energy(EnergyEntry row);                     ///< energies[].kind
  void add_integrator(IntegratorEntry row);             ///< integrator.name
  void add_engine(EngineEntry row);                     ///< integrator.engine
  void add_load(LoadEntry row);                         ///< loads[].load
  void add_motion(MotionEntry row);                     ///< constraints[].motion and others
  void add_obstacle(ObstacleEntry row);                 ///< obstacles[].shape
  void add_selector(SelectorEntry row);                 ///< sets.*.select
  void add_generator(GeneratorEntry row);               ///< mesh.generate
  void add_spring_generator(SpringGeneratorEntry row);  ///< mesh.springs
  void add_frame_format(FrameFormatEntry row);          ///< output.frames
  void add_mesh_format(MeshFormat row);                 ///< files of `brio convert`, `brio info` and mesh.file

 private:
  /// What refuses the row is told with the origin.
  template <class Row>
  void add(Table<Row>& table, Row row);
  std::string origin_;
};

}  // namespace brio
