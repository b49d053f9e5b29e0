#include "rows.hpp"

BRIO_PLUGIN(registry) { brio::register_rows(registry); }
