#pragma once
// The tables that scene files are read with. They meet here because the frame formats are the last to be known.

#include "brio/scene/tables.hpp"

namespace brio {

const SceneTables& scene_tables();

}  // namespace brio
