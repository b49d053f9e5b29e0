#pragma once
// The scene format for machines: a JSON Schema (draft 2020-12) that editors use to complete and check scene files.
// Generated from the description that the reader works with.

#include "brio/core/json.hpp"
#include "brio/scene/tables.hpp"

namespace brio {

Json scene_schema(const SceneTables& tables);

}  // namespace brio
