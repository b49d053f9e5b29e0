#pragma once
// The scene format for people: the reference page, generated from the description that the reader works with.

#include "brio/scene/tables.hpp"

#include <string>

namespace brio {

/// docs/scene-reference.md
std::string scene_reference_markdown(const SceneTables& tables);

}  // namespace brio
