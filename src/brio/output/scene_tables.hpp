#pragma once
// The tables that scene files are read with. They meet here because the frame formats are the last to be known.

#include "brio/scene/tables.hpp"

namespace brio {

/// With the rows that programs and plug-ins have added so far. The reference stays valid; what it refers to changes
/// with the next row that is added.
const SceneTables& scene_tables();

}  // namespace brio
