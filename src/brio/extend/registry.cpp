#include "brio/extend/registry.hpp"

#include "brio/output/scene_tables.hpp"
#include "brio/scene/object_schema.hpp"

#include <algorithm>

namespace brio {
namespace {

/// The options of a row are keys of the object that names it, so none may have the name of a key that is there already.
void check_keys(const ObjectSchema& object, const std::string& kind, const Entry& row) {
  for (const Variant& variant : object.variants) {
    if (variant.kind != kind) continue;
    std::vector<const Entry*> known;
    for (const Entry& other : variant.rows) known.push_back(&other);
    check_new_row(kind, row, known);
    for (const Option& option : row.options) {
      const auto same = [&](const auto& key) { return key == option.key; };
      const bool tag = std::any_of(object.variants.begin(), object.variants.end(),
                                   [&](const Variant& other) { return same(other.tag); });
      const bool field =
          std::any_of(object.fields.begin(), object.fields.end(), [&](const Field& other) { return same(other.key); });
      if (tag || field)
        throw Error("{} \"{}\": its option \"{}\" has the name of a key of the scene format; choose another one", kind,
                    row.name, option.key);
    }
  }
  for (const Field& field : object.fields) check_keys(field.shape, kind, row);
}

}  // namespace

template <class Row>
void Registry::add(Table<Row>& table, Row row) {
  try {
    check_keys(scene_object_schema(scene_tables()), table.kind(), row);
    table.add(std::move(row));
  } catch (const Error& error) {
    if (origin_.empty()) throw;
    throw Error("{}: {}", origin_, error.what());
  }
}

void Registry::add_isotropic_law(MaterialEntry row) { add(isotropic_law_table(), std::move(row)); }
void Registry::add_fiber_law(MaterialEntry row) { add(fiber_law_table(), std::move(row)); }
void Registry::add_energy(EnergyEntry row) { add(energy_table(), std::move(row)); }
void Registry::add_integrator(IntegratorEntry row) { add(integrator_table(), std::move(row)); }
void Registry::add_engine(EngineEntry row) { add(engine_table(), std::move(row)); }
void Registry::add_load(LoadEntry row) { add(load_table(), std::move(row)); }
void Registry::add_motion(MotionEntry row) { add(motion_table(), std::move(row)); }
void Registry::add_obstacle(ObstacleEntry row) { add(obstacle_table(), std::move(row)); }
void Registry::add_selector(SelectorEntry row) { add(selector_table(), std::move(row)); }
void Registry::add_generator(GeneratorEntry row) { add(generator_table(), std::move(row)); }
void Registry::add_spring_generator(SpringGeneratorEntry row) { add(spring_generator_table(), std::move(row)); }
void Registry::add_frame_format(FrameFormatEntry row) { add(frame_format_table(), std::move(row)); }

void Registry::add_mesh_format(MeshFormat row) {
  for (const MeshFormat& other : mesh_formats())
    for (const std::string& extension : row.extensions)
      if (std::find(other.extensions.begin(), other.extensions.end(), extension) != other.extensions.end())
        throw Error("{}{}mesh format \"{}\": files that end with {} are those of \"{}\"", origin_,
                    origin_.empty() ? "" : ": ", row.name, extension, other.name);
  add(mesh_format_table(), std::move(row));
}

}  // namespace brio
