#pragma once
// A mesh whose vertices and tetrahedra stand in the scene itself: how arrays of another program become a body.

#include "brio/mesh/generators/generators.hpp"

namespace brio {

GeneratorEntry given_mesh_generator();

}  // namespace brio
