// The engine "petsc" as a plug-in that brings itself: `brio` loads it when it is asked for the engine, or when it was
// started on several ranks.

#include "brio/extend/plugin.hpp"

#include "brio/petsc/petsc_engine.hpp"
#include "brio/petsc/session.hpp"

BRIO_PLUGIN(registry) {
  (void)registry;  // the row is announced already
  brio::begin_petsc();
  brio::provide_engine(brio::petsc_engine());
}
