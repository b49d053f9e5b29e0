#pragma once
// The tables that scene files are read with. They are put together here because the frame formats are in this room.

#include "brio/scene/tables.hpp"

namespace brio {

/// With the rows that programs and plug-ins have added so far. The reference stays valid; what it refers to changes
/// with the next row that is added.
const SceneTables& scene_tables();

}  // namespace brio
