#pragma once
// The scene format for machines: a JSON Schema (draft 2020-12) that editors use to complete and check scene files.
// Generated from the description that the reader works with.

#include "brio/scene/tables.hpp"

#include <nlohmann/json.hpp>

namespace brio {

nlohmann::ordered_json scene_schema(const SceneTables& tables);

}  // namespace brio
