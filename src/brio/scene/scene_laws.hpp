#pragma once
// The materials of a scene as laws, without a body.

#include "brio/material/material.hpp"
#include "brio/scene/scene.hpp"

namespace brio {

struct NamedLaw {
  std::string name;  ///< "neo-hookean + fung"
  std::unique_ptr<Material> material;
  Vec3 fiber = Vec3::Zero();  ///< along x where there are fibers
};

/// The materials of all bodies, in their order; those that instances share once.
std::vector<MaterialSpec> materials_of(const Scene& scene);

/// In the order of the scene's materials.
std::vector<NamedLaw> laws_of(const Scene& scene);

}  // namespace brio
