#include "brio/scene/scene_laws.hpp"

#include "brio/material/materials.hpp"

#include <fmt/format.h>

#include <set>

namespace brio {
namespace {

std::unique_ptr<Material> make_law(const std::vector<MaterialEntry>& table, const Item& item) {
  return find_row(table, "law", item.name).make(item.options);
}

}  // namespace

std::vector<MaterialSpec> materials_of(const Scene& scene) {
  std::vector<MaterialSpec> materials;
  std::set<std::string> seen;  // places in the file
  for (const BodySpec& body : scene.bodies)
    for (const MaterialSpec& material : body.materials)
      if (seen.insert(material.law.path).second) materials.push_back(material);
  return materials;
}

std::vector<NamedLaw> laws_of(const Scene& scene) {
  std::vector<NamedLaw> laws;
  for (const MaterialSpec& spec : materials_of(scene)) {
    std::string name = spec.law.name;
    std::vector<std::unique_ptr<Material>> parts;
    parts.push_back(make_law(isotropic_laws(), spec.law));
    if (spec.fiber) {
      parts.push_back(make_law(fiber_laws(), spec.fiber->law));
      name += fmt::format(" + {}", spec.fiber->law.name);
    }
    laws.push_back(
        {name, std::make_unique<MaterialSum>(std::move(parts)), spec.fiber ? Vec3(Vec3::UnitX()) : Vec3(Vec3::Zero())});
  }
  return laws;
}

}  // namespace brio
