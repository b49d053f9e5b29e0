#pragma once
// The tables that scene files are read with. They are put together here because the frame formats are in this room.

#include "brio/scene/tables.hpp"

namespace brio {

const SceneTables& scene_tables();

}  // namespace brio
