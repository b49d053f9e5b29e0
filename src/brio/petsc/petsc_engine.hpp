#pragma once
// The row of the engine "petsc" in the table of engines.

#include "brio/system/engine.hpp"

namespace brio {

/// begin_petsc() must have been called.
EngineEntry petsc_engine();

}  // namespace brio
